import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { tokenBuckets } from "./token-buckets.ts";

it("lets a minute's worth through at once, then one as it fills, and says when", async () => {
  const clock = virtualClock();
  const buckets = tokenBuckets({ clock, perMinute: 3 });
  expect([1, 2, 3].map(() => buckets.take("ann"))).toEqual([0, 0, 0]);
  expect(buckets.take("ann")).toBe(20_000);
  expect(buckets.take("bob")).toBe(0);
  await clock.advance(19_999);
  expect(buckets.take("ann")).toBeCloseTo(1, 5);
  await clock.advance(2);
  expect(buckets.take("ann")).toBe(0);
  expect(buckets.take("ann")).toBeGreaterThan(19_000);
});

it("keeps no more callers than it may, and none who was quiet for a minute", async () => {
  const clock = virtualClock();
  const buckets = tokenBuckets({ clock, perMinute: 1, maxKeys: 100 });
  for (let i = 0; i < 1_000; i++) buckets.take(`caller ${i}`);
  expect(buckets.size()).toBe(100);
  await clock.advance(60_000);
  buckets.take("ann");
  expect(buckets.size()).toBe(1);
});

it("lets nobody have more than the bucket and what filled it, and costs others nothing", async () => {
  const steps = fc.array(fc.record({ wait: fc.nat({ max: 30_000 }), calls: fc.nat({ max: 20 }) }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), steps, async (perMinute, plan) => {
      const clock = virtualClock();
      const buckets = tokenBuckets({ clock, perMinute });
      let taken = 0;
      let elapsed = 0;
      for (const { wait, calls } of plan) {
        await clock.advance(wait);
        elapsed += wait;
        for (let i = 0; i < calls; i++) {
          const later = buckets.take("greedy");
          expect(later).toBeLessThanOrEqual(60_000 / perMinute);
          if (later === 0) taken++;
        }
      }
      expect(taken).toBeLessThanOrEqual(perMinute + (elapsed * perMinute) / 60_000 + 1e-6);
      expect(buckets.take("somebody else")).toBe(0);
    }),
    { numRuns: 50 },
  );
});
