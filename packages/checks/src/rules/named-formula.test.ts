import { describe, expect, test } from "vitest";

import { answerCheck } from "../answer-check.ts";
import { evidenceOf } from "../testing/evidence.ts";
import { parseFormula } from "./named-formula.ts";

const evidence = evidenceOf({
  citations: [
    {
      id: "1",
      text: "A day ticket costs CHF 75.60 and a card for six days CHF 362.00. Members pay 12 % less. The hall has 1.450 seats.",
    },
  ],
  results: [
    {
      id: "r1",
      columns: ["region", "revenue_2023", "revenue_2025"],
      rows: [
        ["North", 1_204_000, 1_431_000],
        ["South", 980_000, 1_112_500],
        ["West", 310_000, 402_300],
      ],
    },
  ],
});

function check(answer: string, figure: string, ...operands: readonly string[]): readonly string[] {
  return answerCheck
    .check(answer, evidence, { bound: "strict", derived: [{ figure, operands }] })
    .map(({ status, finding }) => (finding === undefined ? status : `${finding.kind}: ${finding.detail}`));
}

describe("a calculation that the model names", () => {
  test.each([
    ["Six day tickets cost CHF 91.60 more than the card [1].", "CHF 91.60", "6 * 75.60 - 362.00"],
    ["Revenue per region grew by 9.0 % a year in the North.", "9.0 %", "(1,431,000 / 1,204,000) ^ (1/2) - 1"],
    ["North and West together grew by 21.1 %.", "21.1 %", "(1431000 + 402300) / (1204000 + 310000) - 1"],
    ["Members pay CHF 66.53 a day [1].", "CHF 66.53", "CHF 75.60 × (1 − 12 %)"],
    ["The three regions made 981,933 on average.", "981,933", "(1,431,000 + 1,112,500 + 402,300) / 3"],
    ["North and West together grew by 21.1 %.", "21.1 %", "(1431000+402300)/(1204000+310000)-1 = 0.211"],
    ["They grew by 6.6 % a year.", "6.6 %", "((1431000 + 402300) / (1204000 + 310000)) ** (1 / 3) - 1"],
    ["The North made 119,250 a month.", "119,250", "1431000 / 12"],
    ["The North made 238,500 in each of the six parts.", "238,500", "1431000 / 6"],
  ])("is recomputed: %s", (answer, figure, formula) => {
    expect(check(answer, figure, formula)).toEqual(["derived"]);
  });

  test.each([
    ["of a number in no source", "Revenue grew by 43.1 %.", "43.1 %", "(1431000 - 1000000) / 1000000"],
    [
      "with another result",
      "North and West grew by 24.1 %.",
      "24.1 %",
      "(1431000 + 402300) / (1204000 + 310000) - 1",
    ],
    ["that adds a number of its own", "A ticket costs CHF 88.60 [1].", "CHF 88.60", "75.60 + 13"],
    ["without any number of a source", "The park has 86 % of it.", "86 %", "(7 * 12 + 2) / 100"],
  ])("proves nothing %s", (_, answer, figure, formula) => {
    expect(check(answer, figure, formula).join()).toContain(figure.replace(/[^\d.]/g, ""));
  });
});

describe("parseFormula", () => {
  test.each(["12", "EUR 12 per MWh", "12 - ", "(12 + 3", "12 + three hundred of 40", "", "1-", "*"])(
    "takes %j for no calculation",
    (text) => {
      expect(parseFormula(text)).toBeUndefined();
    },
  );

  test("evaluates powers first, then products, then sums from the left", () => {
    const shape = (text: string): unknown =>
      JSON.parse(
        JSON.stringify(parseFormula(text), (key, value: unknown) =>
          key === "figure" ? (value as { raw: string }).raw : value,
        ),
      );
    expect(shape("10 - 4 - 3 * 2 ^ 5")).toEqual({
      operator: "-",
      left: { operator: "-", left: { figure: "10" }, right: { figure: "4" } },
      right: {
        operator: "*",
        left: { figure: "3" },
        right: { operator: "^", left: { figure: "2" }, right: { figure: "5" } },
      },
    });
  });

  test("stays fast on long and deep text", () => {
    expect(parseFormula("(".repeat(400))).toBeUndefined();
    expect(parseFormula("1 + ".repeat(10_000))).toBeUndefined();
  });
});
