import { expect, it } from "vitest";

import { idByKey } from "./id-by-key.ts";

const caller = (id: string) => ({ id, scopes: ["*"] });

it("gives one id for a key and a caller, and another for every other one", () => {
  const ids = [
    idByKey("k", undefined),
    idByKey("k", caller("ann")),
    idByKey("k", caller("bob")),
    idByKey("k2", caller("ann")),
    // Who it is and what the key is cannot be told for one another.
    idByKey('k","ann', caller("")),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(idByKey("k", { id: "ann", scopes: [] })).toBe(ids[1]);
  expect(idByKey(undefined, caller("ann"))).toBeUndefined();
});

it.each([[""], [" k"], ["k\n"], ["é"], [["a", "b"]]])("refuses %j", (key) => {
  expect(() => idByKey(key, undefined)).toThrow(expect.objectContaining({ code: "input.invalid" }));
});
