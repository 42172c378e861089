import { expect, it } from "vitest";

import { oneAtATime } from "./one-at-a-time.ts";

it("begins one in each turn of the loop, in the order they came", async () => {
  const turns: (() => void)[] = [];
  const begun: number[] = [];
  const through = oneAtATime(() => new Promise((resolve) => void turns.push(resolve)));
  for (const name of [1, 2, 3]) through(() => void begun.push(name));
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await Promise.resolve();
    expect(turns).toHaveLength(1);
    turns.pop()?.();
    // What a turn resolves goes on in microtasks.
    while (begun.length < expected.length) await Promise.resolve();
    expect(begun).toEqual(expected);
    await Promise.resolve();
  }
});
