import { expect, it } from "vitest";

import { countUnchecked, uncheckedText } from "./unchecked-sentences.ts";

it("counts the sentences beside the claims, without headings and tables", () => {
  const text =
    "# Our view of things\n\nWater is wet. It costs EUR 3. So it\ngoes on for ever.\n\n- One more thing here\n- And one there too\n\n| a b c | d e f |\n| --- | --- |\n";
  expect(countUnchecked(text, ["It costs EUR 3."])).toBe(4);
  expect(countUnchecked("It costs EUR 3.", ["It costs EUR 3."])).toBe(0);
  expect([0, 1, 12].map((count) => uncheckedText(count))).toEqual([
    "",
    "1 sentence states nothing that can be compared",
    "12 sentences state nothing that can be compared",
  ]);
});
