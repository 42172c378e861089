import type { ErrorInfo } from "@troupe/stream";

import { isTroupeError } from "../errors/troupe-error.ts";
import { toErrorInfo } from "../errors/error-info.ts";
import type { ModelRequest } from "../ports/model.ts";
import { wholeObject } from "../response/find-response.ts";
import { parseResponse, type ParsedResponse } from "../response/parse-response.ts";
import { readSaid } from "../response/said.ts";
import { askModel } from "./ask-model.ts";
import { askAgain, concludeJson } from "./conclude-text.ts";
import { endAsSaid } from "./end-as-said.ts";
import type { Ending } from "./ending.ts";
import { finishDefinition } from "./finish-tool.ts";
import type { Round } from "./round-reader.ts";
import type { Run } from "./run.ts";
import { skipTools } from "./run-tools.ts";
import type { TextItem } from "./text-item.ts";

/** The name of the response format, by which a model knows the call. */
export const RESPONSE_FORMAT = "agent_response";

const LIMITS: ReadonlySet<string> = new Set(["agent.limit", "agent.budget"]);

const ASK_FOR_RESPONSE =
  "Now give the answer to the person in the form that is asked for: the whole answer in content, as Markdown.";
const SUPERSEDED = "The response that was shown is not the answer.";
const NOT_RUN = "Not run: the work is done, and only the response was asked for.";

/**
 * Structured mode: a round without any call was the last of the work. Its text is a draft; one more
 * call brings the response as JSON, whose content is streamed as the answer while it is written.
 * When that call fails or gives nothing that can be read, the draft is the answer, as partial. Streamed content
 * that is not the answer in the end is superseded.
 */
export async function concludeResponse(
  run: Run,
  round: Round,
  asked: ModelRequest,
): Promise<Ending | undefined> {
  const asJson = concludeJson(run, round);
  if (typeof asJson === "object") return asJson;
  for (const item of round.items) item.settle("narration");
  const draft = run.draft();
  announceAnswer(run);
  let response: Round;
  try {
    response = await askModel(run, responseRequest(round, asked), { as: "response" });
  } catch (error) {
    // A limit ends the run as what it is.
    if (run.signal.aborted || (isTroupeError(error) && LIMITS.has(error.code))) throw error;
    const streamed = run.draft();
    if (streamed !== undefined && streamed !== draft) run.supersede([streamed], SUPERSEDED);
    return fallBack(draft, `the call for it failed. ${toErrorInfo(error).message}`);
  }
  skipTools(run, response.calls, NOT_RUN);
  if (response.stop === "refusal") {
    supersedeStreamed(run, response);
    return fallBack(draft, "the model refused to write it.");
  }
  // The work had ended by itself, so a response that does not speak of that is complete.
  const { source, said } = readResponse(response);
  const readable = source === "object" || source === "broken-object";
  const ending = readable
    ? endAsSaid(run, said, [streamedOrNew(run, response, said.content)], response.stop)
    : undefined;
  if (ending !== undefined) return ending;
  supersedeStreamed(run, response);
  if (draft !== undefined) return fallBack(draft, "nothing of it could be read.");
  // Text where JSON was asked for is still more than nothing.
  if (!readable && source !== "nothing" && wholeObject(response.text) === undefined) {
    return fallBack(run.draftItem(said.content), "it came as plain text.");
  }
  if (run.askedForContent) return fallBack(undefined, "nothing of it could be read.");
  askAgain(run, response);
  return undefined;
}

/** Shows that an answer follows the draft, before the model begins to write it. */
function announceAnswer(run: Run): void {
  // Not kept with the run: it is no draft that could become the answer.
  const item = run.textItem("open");
  item.write("Composing the answer ...");
  item.settle("narration");
}

/** Cut off behind other text there is no object to be found, yet what was streamed of it stands. */
function readResponse({ text, stop, content }: Round): Pick<ParsedResponse, "source" | "said"> {
  const read = parseResponse(text, { unflagged: "complete" });
  if (read.source !== "text" || stop !== "max-tokens" || content?.begun !== true) return read;
  return {
    source: "broken-object",
    said: readSaid({ content: content.text }, ["the JSON is not complete"]),
  };
}

/** The same conversation, so that what is cached of it stays valid, with the draft and the question behind it. */
function responseRequest(round: Round, asked: ModelRequest): ModelRequest {
  const draft = { role: "assistant" as const, text: round.text, toolCalls: [] };
  return {
    ...asked,
    messages: [
      ...asked.messages,
      ...(round.text.trim() === "" ? [] : [draft]),
      { role: "user", text: ASK_FOR_RESPONSE },
    ],
    toolChoice: "none",
    responseFormat: { name: RESPONSE_FORMAT, schema: finishDefinition.inputSchema },
  };
}

/** The streamed item, unless the response turned out to say something else. */
function streamedOrNew(run: Run, response: Round, content: string): TextItem {
  const streamed = response.content;
  if (streamed?.begun === true && streamed.text === content) return streamed;
  supersedeStreamed(run, response);
  return run.draftItem(content);
}

function supersedeStreamed(run: Run, { content }: Round): void {
  if (content?.begun === true) run.supersede([content], SUPERSEDED);
}

function fallBack(draft: TextItem | undefined, why: string): Ending {
  const error: ErrorInfo = {
    code: "agent.no-response",
    message: `The answer could not be had as a structured response: ${why}${draft === undefined ? "" : " This is its last draft."}`,
  };
  return draft === undefined ? { outcome: "failed", error } : { outcome: "partial", answer: [draft], error };
}
