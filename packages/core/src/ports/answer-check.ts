import type { Citation, ResultTable, SentenceCheck, Usage } from "@troupe/stream";

import type { Model } from "./model.ts";

/** A figure that the model says it computed, with the figures it computed it from. */
export interface DerivedFigure {
  /** As it stands in the sentence, such as `27 %`. */
  readonly figure: string;
  /** The calculation, `["(1.2 - 0.9) / 0.9"]`, or the figures it was computed from, `["1.2 million", "0.9 million"]`. */
  readonly operands: readonly string[];
  /** The first words of the sentence it stands in. It counts in this sentence alone; when absent, in every sentence. */
  readonly sentence?: string;
}

/** Everything that an answer may rest on. */
export interface AnswerEvidence {
  /** Compared by `passage`, else by `quote`, with the document's title and the section. */
  readonly citations: readonly Citation[];
  /** Query results, and charts as tables. */
  readonly tables: readonly ResultTable[];
  /**
   * Texts whose figures and names need no citation: the request, earlier turns, today's date, and what tools
   * returned that return neither citations nor tables.
   */
  readonly given: readonly string[];
}

export interface AnswerCheckOptions {
  /**
   * How readily a figure counts as derived from others: `strict` where the model can still answer a finding,
   * `lenient` for what a person is shown. `lenient` when absent.
   */
  readonly bound?: "strict" | "lenient";
  /** Computed figures whose operands the model named; they are looked up and recomputed. */
  readonly derived?: readonly DerivedFigure[];
  /**
   * The answer that was refused before. A sentence that is unchanged since then is compared by the strict bound, except
   * for figures that `derived` names.
   */
  readonly refused?: string;
  /** `json`: an answer in JSON, in a code fence or not, which can have no citation marks. `markdown` when absent. */
  readonly format?: "markdown" | "json";
  /** BCP 47 language of the answer; guessed from the answer when absent. It decides what `1.450` means. */
  readonly language?: string;
}

/** Compares an answer with the evidence of its run, sentence by sentence. Needs no model and never throws. */
export interface AnswerCheck {
  /** The sentences of the answer that make a claim, in order; each is verbatim in `answer`. */
  check(answer: string, evidence: AnswerEvidence, options?: AnswerCheckOptions): readonly SentenceCheck[];
  /**
   * Second step, for negations, comparisons and swapped subjects: asks the model once about all cited sentences
   * without a finding. A verdict counts only where the words that decide it stand verbatim in the passage.
   * Throws what the model throws.
   */
  review(
    checks: readonly SentenceCheck[],
    evidence: AnswerEvidence,
    options: { readonly model: Model; readonly signal: AbortSignal },
  ): Promise<{ readonly checks: readonly SentenceCheck[]; readonly usage: readonly Usage[] }>;
}
