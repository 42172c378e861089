import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createLimiter } from "./limiter.ts";

const { signal } = new AbortController();

describe("the limiter", () => {
  it("refuses at once when the line is full, and takes the next when somebody leaves it", async () => {
    const limiter = createLimiter(1, { maxWaiting: 1 });
    const release = await limiter.acquire(signal);
    const gone = new AbortController();
    const waiting = limiter.acquire(gone.signal);
    await expect(limiter.acquire(signal)).rejects.toMatchObject({ code: "limiter.full" });
    gone.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    const next = limiter.acquire(signal);
    release();
    release();
    (await next)();
    expect(limiter.waiting()).toBe(0);
  });

  it("never lets more in than it may, in the order they came, and loses no place", async () => {
    const step = fc.constantFrom("come", "go", "give up");
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 40 }),
        async (max, steps) => {
          const limiter = createLimiter(max, { maxWaiting: 4 });
          const inside: (() => void)[] = [];
          const line: { readonly id: number; readonly gone: AbortController }[] = [];
          const entered: number[] = [];
          let came = 0;
          const enter = async (place: Promise<() => void>, one: (typeof line)[number]): Promise<void> => {
            const release = await place.catch(() => undefined);
            line.splice(line.indexOf(one), 1);
            if (release === undefined) return;
            inside.push(release);
            entered.push(one.id);
          };
          for (const kind of steps) {
            if (kind === "come") {
              const one = { id: came++, gone: new AbortController() };
              line.push(one);
              void enter(limiter.acquire(one.gone.signal), one);
            } else if (kind === "go") inside.shift()?.();
            else line.at(-1)?.gone.abort(new Error("enough"));
            // What was decided has been told.
            await new Promise((resolve) => setImmediate(resolve));
            expect(inside.length).toBeLessThanOrEqual(max);
            expect(line.length).toBe(limiter.waiting());
            expect(line.length === 0 || inside.length === max).toBe(true);
          }
          expect(entered).toEqual(entered.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 50 },
    );
  });
});
