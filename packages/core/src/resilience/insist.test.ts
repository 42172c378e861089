import { describe, expect, it } from "vitest";

import { virtualClock } from "../testing/virtual-clock.ts";
import { insist } from "./insist.ts";

const away = new Error("away");
const isAbsence = (error: unknown): boolean => error === away;

describe("insist", () => {
  it("bears with an absence for as long as it was told", async () => {
    const clock = virtualClock();
    const { signal } = new AbortController();
    const began = clock.now();
    let calls = 0;
    const gaveUp = insist(() => (calls++, Promise.reject(away)), {
      patienceMs: 1_000,
      clock,
      signal,
      isAbsence,
    }).catch(() => clock.now() - began);
    await clock.advance(5_000);
    expect([await gaveUp, calls]).toEqual([1_000, 5]);
  });

  it("has patience anew for an attempt that took longer than one absence", async () => {
    const clock = virtualClock();
    const { signal } = new AbortController();
    let calls = 0;
    const attempt = async (): Promise<string> => {
      if (++calls === 4) return "back";
      await clock.sleep(2_000, signal);
      throw away;
    };
    const done = insist(attempt, { patienceMs: 1_000, clock, signal, isAbsence });
    await clock.advance(10_000);
    expect(await done).toBe("back");
  });

  it("does not wait where it would change nothing, and stops when told to", async () => {
    const clock = virtualClock();
    const gone = new AbortController();
    const options = { patienceMs: 1_000, clock, signal: gone.signal, isAbsence };
    await expect(insist(() => Promise.reject(new Error("no")), options)).rejects.toThrow("no");
    const waiting = insist(() => Promise.reject(away), options);
    gone.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
