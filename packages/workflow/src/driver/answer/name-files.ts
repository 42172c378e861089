import type { StepResult } from "@troupe/core";
import { NO_USAGE, type AgentEventBody } from "@troupe/stream";

import { endedWell } from "../../planner/findings.ts";
import type { Synthesis } from "../../planner/synthesize.ts";

/** The answer of steps that made files and said nothing: which files these are. */
export function nameFiles(
  results: readonly StepResult[],
  emit: (body: AgentEventBody) => void,
): Synthesis | undefined {
  const made = results.filter((result) => endedWell(result) && result.artifacts.length > 0);
  const content = filesText(made);
  if (content === "") return undefined;
  const said = sayAnswer({ content, citations: [], data: null }, "answer-files", emit);
  return { ...said, from: made.map(({ stepId }) => stepId) };
}

/** One sentence with the names of the files; empty when there are none. */
export function filesText(results: readonly Pick<StepResult, "artifacts">[]): string {
  const names = [...new Set(results.flatMap((result) => result.artifacts.map((artifact) => artifact.name)))];
  if (names.length === 0) return "";
  return `${names.length === 1 ? "The file is" : "The files are"} ready: ${names.join(", ")}.`;
}

/** Makes a text the run's own answer: no model wrote it, so it is whole at once. */
export function sayAnswer(
  answer: Pick<Synthesis, "content" | "citations" | "data" | "checks">,
  itemId: string,
  emit: (body: AgentEventBody) => void,
): Synthesis {
  emit({ type: "text-start", itemId, role: "answer" });
  emit({ type: "text-delta", itemId, delta: answer.content });
  emit({ type: "text-end", itemId });
  return { outcome: "completed", ...answer, usage: NO_USAGE, answerItems: [itemId] };
}
