import { unverifiedError } from "@troupe/core";
import type { AgentEventBody } from "@troupe/stream";

import type { StepOutcome } from "../../engine/run.ts";
import { hasResult, missingLines } from "../../planner/findings.ts";
import { inOrderOfAppearance, renumber } from "../../planner/renumber.ts";
import { joinWithMissing, responseSources, type Synthesis } from "../../planner/synthesize.ts";
import { filesText, sayAnswer } from "./name-files.ts";

/**
 * What the steps found, where the one whose answer was to be the run's gave none: first what is
 * missing, then a heading each, with their sources and charts. Undefined when nobody found
 * anything; what a person typed is no finding.
 */
export function keptResults(
  steps: readonly StepOutcome[],
  emit: (body: AgentEventBody) => void,
): Synthesis | undefined {
  const found = steps.filter((step) => step.agent !== "" && hasResult(step));
  if (found.length === 0) return undefined;
  const sources = renumber(found);
  const { answers } = sources;
  const missing = missingLines(steps.filter((step) => !hasResult(step)));
  const parts = found.map((step, index) => {
    const said = answers[index] ?? "";
    return { step: step.stepId, answer: said.trim() === "" ? filesText([step]) : said };
  });
  const joined = joinWithMissing(missing, parts);
  const { content, citations, tables, checks } = inOrderOfAppearance({ ...sources, content: joined });
  const error = unverifiedError(checks ?? [], []);
  // In the place of an answer it is never a whole one, also where every step completed and the last said nothing.
  return {
    ...sayAnswer(
      { content, ...responseSources({ ...sources, citations, tables }), ...(checks && { checks }) },
      "answer-kept",
      emit,
    ),
    ...(error && { error }),
    outcome: "partial",
    from: found.map(({ stepId }) => stepId),
  };
}
