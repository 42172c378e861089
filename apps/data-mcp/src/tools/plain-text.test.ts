import * as fc from "fast-check";
import { expect, it } from "vitest";

import { plainText } from "./plain-text.ts";
import { resultTable } from "./result-table.ts";

it("leaves no image, tag, citation or cell border alive", () => {
  const cells = ["![p](http://evil.example/p)", "<img src=x>", "[c1]", "\\[x](y)", "a|b"];
  expect(resultTable([{ name: "![n](http://evil.example)" }], [cells], 10).text.split("\n")).toEqual([
    "!\\[n\\](http://evil.example)",
    "!\\[p\\](http://evil.example/p) | \\<img src=x> | \\[c1\\] | \\\\\\[x\\](y) | a\\|b",
  ]);
});

it("escapes every mark an odd number of times, and gives the text back without the escapes", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("\\", "[", "]", "<", "|", "`", "!", "a") }), (text) => {
      const plain = plainText(text);
      expect(plain.replace(/\\([\\[\]<|`])/g, "")).not.toMatch(/[\\[\]<|`]/);
      expect(plain.replace(/\\([\\[\]<|`])/g, "$1")).toBe(text);
    }),
  );
});
