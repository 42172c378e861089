/**
 * What a check of an answer may find wrong with a sentence.
 * `unknown`: a citation that no tool returned. `uncited`: a claim without a citation.
 * `figure`, `unit`, `date`, `name`: not in its sources, the cited passages or else the results. `page`: another passage fits the sentence, the cited one does not.
 * `figure-in-no-result`: a figure without a citation that no query result, chart or given text has.
 * `quote`: quoted words that are not verbatim. `contradicted`, `not-there`: by the second step with a model.
 */
export type FindingKind =
  | "unknown"
  | "uncited"
  | "figure"
  | "unit"
  | "date"
  | "name"
  | "page"
  | "figure-in-no-result"
  | "quote"
  | "contradicted"
  | "not-there";

export interface CheckFinding {
  readonly kind: FindingKind;
  /** What was looked for and, where it is elsewhere, the citation that has it: `2.4; stands in [5]`. */
  readonly detail: string;
}

/** One sentence of an answer that makes a claim, compared with the evidence of its run. */
export interface SentenceCheck {
  /** Verbatim from `content`, Markdown and citation marks included. */
  readonly sentence: string;
  /** `derived`: holds a figure recomputed from verified ones. `finding`: something does not hold. */
  readonly status: "verified" | "derived" | "finding";
  /** With `finding` only; at most one a sentence. */
  readonly finding?: CheckFinding;
}
