import * as fc from "fast-check";
import { expect, it } from "vitest";

import { ByAge } from "./by-age.ts";

it("knows the oldest of what is there, whatever is put and taken out", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const step = fc.record({ kind: fc.constantFrom("put", "delete", "drop-oldest"), key });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const byAge = new ByAge<{ readonly at: number }>();
      const plain = new Map<string, { readonly at: number }>();
      for (const [at, { kind, key: named }] of steps.entries()) {
        const [first] = plain.keys();
        const taken = kind === "drop-oldest" ? first : named;
        if (taken === undefined) continue;
        byAge.delete(taken);
        plain.delete(taken);
        if (kind === "put") {
          byAge.put(named, { at });
          plain.set(named, { at });
        }
        const [oldest] = plain;
        expect(byAge.oldest()).toEqual(oldest);
        expect([byAge.size, byAge.get(named)]).toEqual([plain.size, plain.get(named)]);
      }
    }),
  );
});
