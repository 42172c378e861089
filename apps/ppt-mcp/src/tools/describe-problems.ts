import type { LintProblem } from "@troupe/deck";

const MAX_SHOWN = 20;

/** Problems as lines a model can act on; the first ones where there are many. */
export function describeProblems(problems: readonly LintProblem[]): string {
  if (problems.length === 0) return "Layout check: no problems.";
  const lines = problems
    .slice(0, MAX_SHOWN)
    .map(
      ({ slide, rule, message }) =>
        `- ${slide === undefined ? "" : `slide ${slide} of the file, `}${rule}: ${message}`,
    );
  const more = problems.length > MAX_SHOWN ? [`- and ${problems.length - MAX_SHOWN} more`] : [];
  return ["Layout check:", ...lines, ...more].join("\n");
}
