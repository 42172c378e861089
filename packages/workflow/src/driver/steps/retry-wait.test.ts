import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { retryWaitMs } from "./retry-wait.ts";

describe("the wait before a step is tried again", () => {
  it("is the same for the same name, and never longer than the doubled wait or shorter than half of it", () => {
    const backoff = fc.integer({ min: 0, max: 3_600_000 });
    fc.assert(
      fc.property(backoff, fc.integer({ min: 1, max: 9 }), fc.string(), (backoffMs, tries, name) => {
        const wait = retryWaitMs(backoffMs, tries, name);
        const most = backoffMs * 2 ** (tries - 1);
        expect(wait).toBe(retryWaitMs(backoffMs, tries, name));
        expect(wait).toBeLessThanOrEqual(most);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(most / 2));
      }),
    );
  });

  it("lies evenly between the two, for names that hardly differ", () => {
    // Ten steps each of a thousand runs that failed at the same moment.
    const waits = Array.from({ length: 10_000 }, (_, n) =>
      retryWaitMs(1_000, 1, `run-${n % 1_000}/step-${Math.floor(n / 1_000)}#1/backoff`),
    );
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const wait of waits) {
      const tenth = Math.min(9, Math.floor((wait - 500) / 50));
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    // 1,000 each: six times the deviation that chance would have.
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(180);
    expect(waits.reduce((sum, wait) => sum + wait, 0) / waits.length).toBeCloseTo(750, -1);
  });
});
