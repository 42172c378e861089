import type { StepResult } from "@troupe/core";
import { NO_USAGE, type AgentEventBody } from "@troupe/stream";

import type { Synthesis } from "../planner/synthesize.ts";

/** The answer of steps that made files and said nothing: which files these are. */
export function nameFiles(
  results: readonly StepResult[],
  emit: (body: AgentEventBody) => void,
): Synthesis | undefined {
  const made = results.filter(({ outcome }) => outcome === "completed" || outcome === "partial");
  const names = [...new Set(made.flatMap((result) => result.artifacts.map((artifact) => artifact.name)))];
  if (names.length === 0) return undefined;
  const content = `${names.length === 1 ? "The file is" : "The files are"} ready: ${names.join(", ")}.`;
  const itemId = "answer-files";
  emit({ type: "text-start", itemId, role: "answer" });
  emit({ type: "text-delta", itemId, delta: content });
  emit({ type: "text-end", itemId });
  return { outcome: "completed", content, citations: [], data: null, usage: NO_USAGE, answerItems: [itemId] };
}
