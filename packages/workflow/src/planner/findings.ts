import { clip, describeFinding, hasFinding, unverifiedStatements, type StepResult } from "@troupe/core";

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

/** Doubtful statements of one step that are listed, and characters of each. */
const MAX_DOUBTS = 20;
const MAX_DOUBT = 300;

/**
 * The statements of a step's answer and files that it could not verify, and why the step is partial; empty without any.
 * References are left out, because their numbers belong to the step.
 */
export function doubtsOf(result: StepResult): string {
  const { checks = [], data, outcome, error } = result;
  const lines = [
    ...checks.flatMap(({ sentence, finding }) =>
      finding === undefined ? [] : [`"${oneLine(sentence)}": ${describeFinding(finding)}`],
    ),
    ...unverifiedStatements(data).map(
      ({ slide, statement, problem }) =>
        `${slide === undefined ? "in a file" : `on slide ${slide}`}: "${oneLine(statement)}": ${oneLine(problem)}`,
    ),
  ];
  const isTold = checks.some(hasFinding) || lines.length > 0;
  const why = outcome === "partial" && !isTold && error !== undefined ? [oneLine(error.message)] : [];
  const all = [...lines, ...why];
  if (all.length === 0) return "";
  const more = all.length > MAX_DOUBTS ? [`and ${all.length - MAX_DOUBTS} more`] : [];
  return [...all.slice(0, MAX_DOUBTS), ...more].map((line) => `- ${line}`).join("\n");
}

const oneLine = (text: string): string =>
  clip(
    text
      .replaceAll(/\s*\[[^[\]\s]{1,120}\]/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
    MAX_DOUBT,
  );

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
