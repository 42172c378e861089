import { NO_USAGE, type FindingKind, type SentenceCheck, type Usage } from "@troupe/stream";

import type { AnswerCheck, AnswerCheckOptions, AnswerEvidence } from "../ports/answer-check.ts";

export interface FakeAnswerCheckOptions {
  /** A sentence with one of these has this finding, unless the evidence holds the words or `derived` names them. */
  readonly words: { readonly [words: string]: FindingKind };
  /** Words that are findings by the strict bound only, which also applies to unchanged sentences of a refused answer. */
  readonly strict?: readonly string[];
  /** What a review by the model finds, or the error it throws. */
  readonly review?: { readonly [words: string]: FindingKind } | Error;
}

export interface FakeAnswerCheck extends AnswerCheck {
  /** What it was asked so far. */
  readonly asked: readonly {
    readonly answer: string;
    readonly evidence: AnswerEvidence;
    readonly options: AnswerCheckOptions;
  }[];
  readonly reviews: number;
}

const SENTENCE = /[^\s.!?][^.!?\n]*(?:\.(?=\d)[^.!?\n]*)*[.!?]*(?: ?\[[^\]\n]*\]\.?)*/g;
const USAGE: Usage = { ...NO_USAGE, inputTokens: 7, outputTokens: 1, modelCalls: 1 };

/** Finds fault with sentences that hold given words. Every sentence counts as a claim. */
export function fakeAnswerCheck({
  words,
  strict = [],
  review = {},
}: FakeAnswerCheckOptions): FakeAnswerCheck {
  const asked: { answer: string; evidence: AnswerEvidence; options: AnswerCheckOptions }[] = [];
  let reviews = 0;
  return {
    asked,
    get reviews() {
      return reviews;
    },
    check(answer, evidence, options = {}) {
      asked.push({ answer, evidence, options });
      const held = JSON.stringify(evidence);
      const derived = (options.derived ?? []).map(({ figure }) => figure);
      return [...answer.matchAll(SENTENCE)].map(([sentence]): SentenceCheck => {
        const found = Object.entries(words).find(
          ([word]) =>
            sentence.includes(word) &&
            !held.includes(word) &&
            (options.bound === "strict" ||
              options.refused?.includes(sentence) === true ||
              !strict.includes(word)),
        );
        if (found === undefined) return { sentence, status: "verified" };
        const [word, kind] = found;
        if (derived.includes(word)) return { sentence, status: "derived" };
        return { sentence, status: "finding", finding: { kind, detail: word } };
      });
    },
    review(checks) {
      reviews++;
      if (review instanceof Error) return Promise.reject(review);
      const reviewed = checks.map((one): SentenceCheck => {
        const found = Object.entries(review).find(([word]) => one.sentence.includes(word));
        if (found === undefined || one.finding !== undefined) return one;
        const [word, kind] = found;
        return { ...one, status: "finding", finding: { kind, detail: word } };
      });
      return Promise.resolve({ checks: reviewed, usage: [USAGE] });
    },
  };
}
