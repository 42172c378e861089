import type { Part } from "@a2a-js/sdk";
import { agentResponseSchema } from "@troupe/core";
import { EMPTY_RESPONSE, unreachable, type AgentEventOf, type AgentResponse } from "@troupe/stream";

import { ARTIFACT_NAMES } from "../extension.ts";
import { dataPart, textPart } from "../parts.ts";
import { questionsText, type OpenRequests } from "./ask.ts";

export interface ResultArtifact {
  readonly name: string;
  readonly part: Part;
  /** What the event beside it still has to carry: nothing of what the part holds already. */
  readonly response: AgentResponse;
}

/**
 * The artifact a finish leaves, if any: a result only where there is one. What goes out is what the
 * schema made of the response, so nothing travels that nobody declared. A response that does not keep
 * to its schema goes as text and nothing else, because no reader would take it as data. That of a step
 * has a name of its own: `final_result` and `partial_result` stand for the task, and one of them once.
 */
export function resultArtifact(
  finish: AgentEventOf<"finish">,
  structured: boolean,
): ResultArtifact | undefined {
  if (finish.outcome !== "completed" && finish.outcome !== "partial") return undefined;
  const own = finish.outcome === "partial" ? ARTIFACT_NAMES.partial : ARTIFACT_NAMES.final;
  const name = finish.stepId === undefined ? own : ARTIFACT_NAMES.complete;
  const { content, is_task_complete } = finish.response;
  const { data: response } = agentResponseSchema.safeParse(finish.response);
  // A step's result keeps the name that clients know; the agent's own name is for its own task.
  if (finish.stepId === undefined && finish.result !== undefined && finish.outcome === "completed") {
    const { name: chosen, data } = finish.result;
    const part = data === undefined || !structured ? textPart(content) : dataPart(data);
    return { name: chosen, part, response: response ?? { ...EMPTY_RESPONSE, is_task_complete, content } };
  }
  if (response !== undefined && structured)
    return { name, part: dataPart(response), response: EMPTY_RESPONSE };
  const textOnly = { ...EMPTY_RESPONSE, is_task_complete, content };
  return { name, part: textPart(content), response: response ?? textOnly };
}

/** For a client that shows nothing but the status: how it ended, or what is asked. */
export function statusText(finish: AgentEventOf<"finish">, asked: OpenRequests = new Map()): string {
  switch (finish.outcome) {
    case "completed":
      return "Completed.";
    case "partial":
      return "Partly completed; what there is stands in partial_result.";
    case "failed":
      if (finish.rejected === true) return finish.error?.message ?? "Rejected.";
      return finish.error === undefined ? "Failed." : `${finish.error.message} (${finish.error.code})`;
    case "canceled":
      return "Canceled.";
    case "input-required":
      return questionText(finish, asked);
    default:
      return unreachable(finish.outcome);
  }
}

/** What was wrong with the answer before, then what is asked. */
function questionText({ error, response }: AgentEventOf<"finish">, asked: OpenRequests): string {
  const question = asked.size > 0 ? questionsText(asked) : response.metadata.question || response.content;
  return [error?.message ?? "", question || "Input is needed to continue."]
    .filter((text) => text !== "")
    .join("\n");
}
