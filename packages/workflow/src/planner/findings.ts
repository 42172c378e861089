import type { StepResult } from "@troupe/core";

/** A step's result with why it failed or was skipped, where its run knows. */
export type EndedStep = StepResult & { readonly reason?: string };

/** Whether what it has counts: a step that failed may have answered too, with what its schema refuses. */
export function endedWell({ outcome }: Pick<StepResult, "outcome">): boolean {
  return outcome === "completed" || outcome === "partial";
}

/**
 * What a step found, in words: its answer, or the value that its `output_schema` asks for where it came without one.
 * Empty where it found nothing or failed.
 */
export function wordsOf(result: StepResult): string {
  if (!endedWell(result)) return "";
  if (result.answer.trim() !== "") return result.answer;
  const output = result.data?.["output"];
  // In lines of its own each entry: a list `[1]` would be taken for the number of a source.
  return output === undefined ? "" : JSON.stringify(output, null, 2);
}

export const hasWords = (result: StepResult): boolean => wordsOf(result) !== "";

/** Whether a step ended with something to hand over. A file alone is enough: a deck needs no words. */
export const hasResult = (result: StepResult): boolean =>
  endedWell(result) && (hasWords(result) || result.artifacts.length > 0);

/** A line for each of these steps, that have no result. */
export function missingLines(steps: readonly EndedStep[]): string {
  return steps
    .map((step) => {
      const { stepId, agent, outcome, reason = step.error?.message } = step;
      const what = endedWell(step) ? "gave no answer" : outcome;
      return `- ${stepId} (${agent === "" ? "a person" : agent}): ${what}${reason === undefined ? "" : `: ${reason}`}`;
    })
    .join("\n");
}
