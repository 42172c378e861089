import type { AnswerCheckOptions, AnswerEvidence } from "@troupe/core";

import { answerCheck } from "../answer-check.ts";

/** `verified` or `derived`, or the kind and detail of the finding, of each sentence that makes a claim. */
export function findings(
  answer: string,
  evidence: AnswerEvidence,
  options: AnswerCheckOptions = {},
): readonly string[] {
  return answerCheck
    .check(answer, evidence, options)
    .map(({ status, finding }) => (finding === undefined ? status : `${finding.kind}: ${finding.detail}`));
}
