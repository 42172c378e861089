import * as fc from "fast-check";
import { expect, it } from "vitest";

import { agreement } from "./agreement.ts";

const piece = fc.oneof(fc.constantFrom("[", "]", "[1", "7]", "[x] ", "a/", "é "), fc.string());
const mark = fc.tuple(fc.constantFrom("", "find/"), fc.nat(999_999)).map(([step, n]) => `[${step}${n}]`);

it("covers both texts wherever only the numbers of sources differ", () => {
  const cited = fc.tuple(piece, mark, mark);
  fc.assert(
    fc.property(fc.array(cited), (parts) => {
      const said = parts.map(([text, before]) => text + before).join("");
      const result = parts.map(([text, , after]) => text + after).join("");
      const { stretches, inResult, inText } = agreement(result, 0, said, 0);
      expect([inResult, inText]).toEqual([result.length, said.length]);
      expect(stretches.reduce((sum, { length }) => sum + length, 0)).toBe(result.length);
      expect(stretches.map(({ from, to }) => said.slice(from, to)).join("")).toBe(said);
    }),
  );
});

it.each([
  ["ends with the first other character", "It is 7 [1].", "It is 8 [1].", 6],
  ["takes no other brackets for marks", "of [Acme]", "of [Beta]", 4],
  ["takes a mark for no text", "of [1] x", "of (1) x", 3],
])("%s", (_, result, text, at) => {
  expect(agreement(result, 0, text, 0)).toMatchObject({ inResult: at, inText: at });
});
