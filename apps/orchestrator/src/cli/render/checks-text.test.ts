import type { FindingKind, SentenceCheck } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { checksText, claimsText, findingText, markFindings } from "./checks-text.ts";

const fine = (sentence: string): SentenceCheck => ({ sentence, status: "verified" });
const finding = (sentence: string, kind: FindingKind = "figure", detail = "2.4"): SentenceCheck => ({
  sentence,
  status: "finding",
  finding: { kind, detail },
});

describe("findingText", () => {
  it.each<readonly [FindingKind, string, string]>([
    ["unknown", "[99]", "[99] is not one of the sources"],
    ["uncited", "2.4", "no source is given for 2.4"],
    ["uncited", "no citation", "no source is given"],
    ["figure", "2.4; stands in [5]", "2.4 is not in [14]; stands in [5]"],
    ["unit", "2.4 km", "2.4 km has another unit in [14]"],
    ["figure", "155, 1,700", "155, 1,700 are not in [14]"],
    ["date", "3 May", "3 May is not in [14]"],
    ["name", "Ek", "Ek is not in [14]"],
    ["page", "reads like [5]", "not said in [14]; reads like [5]"],
    ["figure-in-no-result", "2.4", "2.4 is in no source or data"],
    ["quote", "as is", '"as is" is not word for word in [14]'],
    ["contradicted", '"at most two"', 'said otherwise in [14]; "at most two"'],
    ["not-there", "", "not said in [14]"],
  ])("says in words what was looked for: %s, %j", (kind, detail, text) => {
    expect(findingText(finding("Up to 2.4 a month [14].", kind, detail))).toBe(text);
  });

  it("names every citation of the sentence once, and none that is a link", () => {
    expect(findingText(finding("A [1], b [2] and c [1], see [x](y)."))).toBe("2.4 is not in [1] or [2]");
    expect(findingText(finding("Up to 2.4."))).toBe("2.4 is not in the sources");
  });

  it("sanitizes what others wrote", () => {
    expect(findingText(finding("A [1].", "figure", "2\u001b[31m\n.4"))).toBe("2[31m .4 is not in [1]");
  });
});

it("counts the claims by how they hold", () => {
  const derived: SentenceCheck = { sentence: "d", status: "derived" };
  expect(claimsText([])).toBe("");
  expect(claimsText([fine("a"), fine("b"), derived, finding("c")])).toBe(
    "4 claims: 2 found in sources or data, 1 calculated, 1 not found",
  );
  expect(claimsText([fine("a"), fine("b")])).toBe("2 claims: all found in sources or data");
  expect(claimsText([finding("a")])).toBe("1 claim: 1 not found");
});

it("repeats each sentence with a finding that is not in the answer, without Markdown, shortened at a word", () => {
  const long = finding(`**Customers** accept ${"a few ".repeat(30)}alarms [14].`);
  const row = finding("| Margin | 71 % [2] |", "figure", "71 %");
  const [, sentence = "", looked, ...rest] = checksText([fine("x"), long, row], "x").split("\n");
  expect(checksText([finding("x")], "So x.")).toBe("1 claim: 1 not found");
  expect(sentence).toMatch(/^ {2}\(!\) Customers accept (?:a few )+a? ?\.\.\.$/);
  expect(sentence.length).toBeLessThan(130);
  expect([looked, ...rest]).toEqual([
    "        2.4 is not in [14]",
    "  (!) Margin | 71 % [2]",
    "        71 % is not in [2]",
  ]);
});

describe("markFindings", () => {
  it("marks the sentence itself, the right one of two alike, and keeps all other text", () => {
    const content = "# Head\n\nA is 1 [1]. B is 2.[2] A is 1 [1].\n\n- C is 3\n";
    const checks = [fine("A is 1 [1]."), finding("B is 2.[2]"), finding("A is 1 [1]."), finding("C is 3")];
    expect(markFindings(content, checks)).toBe(
      "# Head\n\nA is 1 [1]. B is 2.[2] (! 2.4 is not in [2]) A is 1 [1]. (! 2.4 is not in [1])\n\n" +
        "- C is 3 (! 2.4 is not in the sources)\n",
    );
  });

  it("writes into the last cell of a table's row, so that the table stays one", () => {
    const table = "| a | b |\n| - | - |\n| North | 240 |\n";
    const quoted = finding("| North | 240 |", "figure", '240; found in [5]: "South | `240` | *3*"');
    expect(markFindings(table, [quoted])).toBe(
      '| a | b |\n| - | - |\n| North | 240 (! 240 is not in the sources; found in [5]: "South / 240 / 3") |\n',
    );
  });

  it("leaves a text without its sentences as it is", () => {
    expect(markFindings("Other words.", [finding("A is 1."), finding("")])).toBe("Other words.");
  });
});
