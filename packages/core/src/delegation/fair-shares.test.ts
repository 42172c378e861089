import * as fc from "fast-check";
import { expect, it } from "vitest";

import { fairShares } from "./fair-shares.ts";

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const sizes = fc.array(fc.nat(2_000_000), { maxLength: 25 });

it("gives all where there is enough, else all to the small and the same to the large", () => {
  expect(fairShares([10, 20, 30], { total: 100 })).toEqual([10, 20, 30]);
  expect(fairShares([10, 500, 700], { total: 110 })).toEqual([10, 50, 50]);
  expect(fairShares([500, 700], { total: 1_000, most: 300 })).toEqual([300, 300]);
  expect(fairShares([], { total: 5 })).toEqual([]);
});

it("never gives more than there is or is wanted, keeps nothing back, and favours nobody", () => {
  fc.assert(
    fc.property(sizes, fc.nat(1_000_000), (wanted, total) => {
      const shares = fairShares(wanted, { total });
      expect(sum(shares)).toBeLessThanOrEqual(total);
      expect(total - sum(shares) < wanted.length || sum(shares) === sum(wanted)).toBe(true);
      shares.forEach((share, i) => expect(share).toBeLessThanOrEqual(wanted[i] ?? 0));
      // Whoever did not get all it wanted got as much as any other one, but for what does not divide.
      const short = shares.filter((share, i) => share < (wanted[i] ?? 0));
      const most = Math.max(0, ...shares);
      for (const share of short) expect(share).toBeGreaterThanOrEqual(most - wanted.length);
      // The same whichever stands first.
      const turned = fairShares(wanted.toReversed(), { total });
      expect(sum(turned)).toBe(sum(shares));
    }),
  );
});
