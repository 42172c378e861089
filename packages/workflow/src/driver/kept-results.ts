import type { AgentEventBody } from "@troupe/stream";

import type { StepOutcome } from "../engine/run.ts";
import { renumber } from "../planner/renumber.ts";
import { joinUnderHeadings, type Synthesis } from "../planner/synthesize.ts";
import { filesText, sayAnswer } from "./name-files.ts";

/** Whether a step ended with something to hand over. A file alone is enough: a deck needs no words. */
export function hasResult(step: StepOutcome | undefined): step is StepOutcome {
  if (!step || (step.outcome !== "completed" && step.outcome !== "partial")) return false;
  return step.answer.trim() !== "" || step.artifacts.length > 0;
}

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
  const { answers, citations, charts } = renumber(found);
  const missing = steps.filter((step) => !hasResult(step)).map((step) => `- ${missingText(step)}`);
  const parts = found.map((step, index) => {
    const said = answers[index] ?? "";
    return { step: step.stepId, answer: said.trim() === "" ? filesText([step]) : said };
  });
  const content = joinUnderHeadings([{ step: "what-is-missing", answer: missing.join("\n") }, ...parts]);
  const data = charts.length === 0 ? null : { charts };
  // In the place of an answer it is never a whole one, also where every step completed and the last said nothing.
  return {
    ...sayAnswer({ content, citations, data }, "answer-kept", emit),
    outcome: "partial",
    from: found.map(({ stepId }) => stepId),
  };
}

function missingText({ stepId, agent, outcome, reason }: StepOutcome): string {
  const what = outcome === "completed" || outcome === "partial" ? "gave no answer" : outcome;
  return `${stepId} (${agent === "" ? "a person" : agent}): ${what}${reason === undefined ? "" : `: ${reason}`}`;
}
