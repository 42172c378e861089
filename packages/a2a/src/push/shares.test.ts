import * as fc from "fast-check";
import { expect, it } from "vitest";

import { yieldToLoop } from "../adapters/yield-to-loop.ts";
import { createShares, type Shares } from "./shares.ts";

const { signal: here } = new AbortController();

interface Visit {
  readonly owner: string;
  readonly gone: AbortController;
  leave: () => void;
}

function visit(shares: Shares, owner: string, entered: object[]): Visit {
  const one: Visit = { owner, gone: new AbortController(), leave: () => undefined };
  const enter = async (): Promise<void> => {
    one.leave = await shares.enter(owner, one.gone.signal);
    entered.push(one);
  };
  void enter().catch(() => undefined);
  return one;
}

/** Whether it is there, without waiting for it. */
function isIn(entered: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    entered.then(
      () => true,
      () => false,
    ),
    yieldToLoop().then(() => false),
  ]);
}

it("gives an owner who is alone three quarters of the places, and the others theirs at once", async () => {
  const shares = createShares(16);
  const places = await Promise.all(Array.from({ length: 12 }, () => shares.enter("anna", here)));
  const waits = [shares.enter("anna", here), shares.enter("anna", here)] as const;
  expect(await isIn(waits[0])).toBe(false);
  for (const other of ["bert", "carl"])
    for (let i = 0; i < 2; i++) expect(await isIn(shares.enter(other, here))).toBe(true);
  // Everybody else's quarter is in use now, so what comes back is kept free.
  for (const leave of places.splice(0, 4)) leave();
  expect(await isIn(waits[0])).toBe(false);
  places.pop()?.();
  expect(await isIn(waits[0])).toBe(true);
  expect(await isIn(waits[1])).toBe(false);
  places.pop()?.();
  expect(await isIn(waits[1])).toBe(true);
});

it("lets in whoever came first of those who may, never more than all, and loses no place", async () => {
  const step = fc.record({
    kind: fc.constantFrom("come", "go", "give up"),
    owner: fc.constantFrom("anna", "bert", "carl"),
    at: fc.nat(),
  });
  const all = fc.integer({ min: 1, max: 16 });
  await fc.assert(
    fc.asyncProperty(all, fc.array(step, { maxLength: 60 }), async (places, steps) => {
      const shares = createShares(places);
      const entered: object[] = [];
      // The same by the rule alone.
      const expected: object[] = [];
      const inside: Visit[] = [];
      const line: Visit[] = [];
      const may = ({ owner }: Visit): boolean => {
        const used = inside.filter((one) => one.owner === owner).length;
        const left = places - inside.length;
        return left > (used < Math.max(1, Math.floor(places / 8)) ? 0 : Math.ceil(places / 4));
      };
      for (const { kind, owner, at } of steps) {
        if (kind === "come") line.push(visit(shares, owner, entered));
        else if (kind === "go") inside.splice(at % Math.max(1, inside.length), 1)[0]?.leave();
        else line.splice(at % Math.max(1, line.length), 1)[0]?.gone.abort(new Error("enough"));
        for (let first = line.findIndex(may); first >= 0; first = line.findIndex(may)) {
          inside.push(...line.splice(first, 1));
          expected.push(inside.at(-1) ?? {});
        }
        await yieldToLoop();
        expect(entered.length).toBe(expected.length);
        expect(entered.every((one, at_) => one === expected[at_])).toBe(true);
        expect(inside.length).toBeLessThanOrEqual(places);
      }
    }),
    { numRuns: 50 },
  );
});

it("gives nobody more places than there are", async () => {
  const shares = createShares(2);
  const [one] = await Promise.all([shares.enter("anna", here), shares.enter("bert", here)]);
  const carl = shares.enter("carl", here);
  expect(await isIn(carl)).toBe(false);
  one();
  one();
  expect(await isIn(carl)).toBe(true);
  expect(await isIn(shares.enter("dora", here))).toBe(false);
});

it("takes nothing for whoever is gone before their turn", async () => {
  const shares = createShares(1);
  const leave = await shares.enter("anna", here);
  const gone = new AbortController();
  const waits = [shares.enter("anna", gone.signal), shares.enter("bert", gone.signal)];
  gone.abort(new Error("gone"));
  for (const wait of waits) await expect(wait).rejects.toThrow("gone");
  leave();
  expect(await isIn(shares.enter("bert", here))).toBe(true);
});
