import type { ModelToolCall, ModelToolResult } from "../ports/model.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import { questionForm, type Ending } from "./ending.ts";
import { readFinish } from "./finish-tool.ts";
import type { Round } from "./round-reader.ts";
import type { Run } from "./run.ts";
import { runTools, skipTools } from "./run-tools.ts";
import type { TextItem } from "./text-item.ts";

const ASK_FOR_ANSWER = "You stopped without an answer. Call finish with the whole answer in content.";
const NOT_RUN_AFTER_FINISH = "Not run: it stood after finish. Calls that are needed come before it.";
const FINISH_REFUSED =
  "finish was refused because a call before it failed. Deal with that first, then call finish again.";

const CUT_OFF = { code: "model.max-tokens", message: "The answer was cut off at the model's output limit." };
const REFUSED = { code: "model.refused", message: "The model refused to answer this request." };

/** Decides what a round means: an ending, or undefined and the loop goes on. */
export async function concludeRound(
  run: Run,
  registry: ToolRegistry,
  round: Round,
): Promise<Ending | undefined> {
  if (round.stop === "refusal") {
    settleAll(round, "narration");
    return { outcome: "failed", error: REFUSED };
  }
  if (round.calls.length === 0) return concludeText(run, round);

  for (const item of round.items) if (item !== round.content) item.settle("narration");
  run.messages.push({ role: "assistant", text: round.text, toolCalls: round.calls });
  const before = round.finishAt === -1 ? round.calls : round.calls.slice(0, round.finishAt);
  const results = before.length === 0 ? [] : await runTools(run, registry, before);
  const finish = round.calls[round.finishAt];
  if (finish === undefined) {
    run.messages.push({ role: "tool", results });
    return undefined;
  }
  const rest = round.calls.slice(round.finishAt + 1);
  if (results.some((result) => result.isError)) {
    return goOn(run, round, finish, results, rest, FINISH_REFUSED);
  }
  const ending = concludeFinish(run, round, finish);
  if (typeof ending === "string") return goOn(run, round, finish, results, rest, ending);
  skipTools(run, rest, NOT_RUN_AFTER_FINISH);
  return ending;
}

/** A round without any call: its text is the answer. */
function concludeText(run: Run, round: Round): Ending | undefined {
  const item = round.items.findLast((item) => item.begun);
  if (item === undefined) {
    run.messages.push({ role: "user", text: ASK_FOR_ANSWER });
    return undefined;
  }
  item.settle("answer");
  if (round.stop === "max-tokens") return { outcome: "partial", answer: item, error: CUT_OFF };
  return { outcome: "completed", answer: item };
}

/** Finish was not accepted: its text was narration, and the model is told why. */
function goOn(
  run: Run,
  round: Round,
  finish: ModelToolCall,
  results: readonly ModelToolResult[],
  rest: readonly ModelToolCall[],
  why: string,
): undefined {
  round.content?.settle("narration");
  run.messages.push({
    role: "tool",
    results: [
      ...results,
      { callId: finish.callId, name: finish.name, text: why, isError: true },
      ...skipTools(run, rest, NOT_RUN_AFTER_FINISH),
    ],
  });
  return undefined;
}

/** The ending a finish call asks for, or why it cannot be accepted. */
function concludeFinish(run: Run, round: Round, call: ModelToolCall): Ending | string {
  const said = readFinish(call.arguments, round.content?.text ?? "");
  const answer = answerItem(round, said.content);
  const listed = { citations: said.citationIds, charts: said.chartIds };
  if (said.requireUserInput && said.issues.length === 0) {
    answer?.settle("answer");
    const question = said.userInput === "" ? said.content : said.userInput;
    const form = questionForm(run.options.config.title, question, said.inputFields);
    return { outcome: "input-required", answer, listed, form };
  }
  if (answer === undefined) {
    const issues = said.issues.length === 0 ? ["content: is empty"] : said.issues;
    return `finish was not accepted:\n- ${issues.join("\n- ")}\nCall finish again with the whole answer in content.`;
  }
  answer.settle("answer");
  if (said.issues.length > 0) {
    if (round.stop === "max-tokens") return { outcome: "partial", answer, listed, error: CUT_OFF };
    const message = `Parts of the answer could not be read: ${said.issues.join("; ")}.`;
    return { outcome: "partial", answer, listed, error: { code: "agent.bad-finish", message } };
  }
  return { outcome: said.isTaskComplete ? "completed" : "partial", answer, listed };
}

/** The streamed item; written now, where the content could be read only at the end. */
function answerItem(round: Round, content: string): TextItem | undefined {
  const item = round.content;
  if (item === undefined) return undefined;
  if (!item.begun) item.write(content);
  return item.begun ? item : undefined;
}

function settleAll(round: Round, role: "narration" | "answer"): void {
  for (const item of round.items) item.settle(role);
}
