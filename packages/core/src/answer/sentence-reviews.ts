import type { SentenceCheck } from "@troupe/stream";

import { hasFinding } from "./correct-answer.ts";

/** One for the answer, and one for what its correction changed. */
const MAX_CALLS = 2;

/** What a model's review found of an answer and of its correction. Each sentence is reviewed once. */
export class SentenceReviews {
  readonly #reviewed = new Map<string, SentenceCheck>();
  #calls = 0;

  /** Has sentences without a finding reviewed that were not yet, and adds all findings so far. Throws what `ask` throws. */
  async review(
    checks: readonly SentenceCheck[],
    ask: (checks: readonly SentenceCheck[]) => Promise<readonly SentenceCheck[]>,
  ): Promise<readonly SentenceCheck[]> {
    const fresh = checks.filter((one) => !hasFinding(one) && !this.#reviewed.has(one.sentence));
    if (fresh.length > 0 && this.#calls < MAX_CALLS) {
      this.#calls++;
      for (const one of await ask(fresh)) this.#reviewed.set(one.sentence, one);
    }
    return this.applyTo(checks);
  }

  /** The checks with what was found of their sentences. */
  applyTo(checks: readonly SentenceCheck[]): readonly SentenceCheck[] {
    return checks.map((one) => {
      const reviewed = this.#reviewed.get(one.sentence);
      return hasFinding(one) || reviewed === undefined || !hasFinding(reviewed) ? one : reviewed;
    });
  }
}
