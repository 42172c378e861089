import { momentText } from "@troupe/core";
import type { RunStepView } from "@troupe/workflow";

import { harmless } from "./harmless.ts";

/** Who answered what a step asked, when and how: ` (answered by ann, 2026-11-22T10:30Z, cli)`; empty where nobody did. */
export function answeredText({ answers = [] }: Pick<RunStepView, "answers">): string {
  const given = answers.map(({ by, at, through }) =>
    through === "default"
      ? `not answered by ${momentText(at)}, the form's own values were taken`
      : harmless(`answered${by === undefined ? "" : ` by ${by}`}, ${momentText(at)}, ${through}`),
  );
  return given.length === 0 ? "" : ` (${given.join("; ")})`;
}
