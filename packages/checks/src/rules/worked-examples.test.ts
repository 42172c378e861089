import { describe, expect, test } from "vitest";

import { answerCheck } from "../answer-check.ts";
import { evidenceOf } from "../testing/evidence.ts";

const evidence = evidenceOf({
  citations: [
    {
      id: "1",
      text: "Windows have at least one eighth of the floor area. Leave 5 % of the repository free.",
    },
    { id: "2", text: "The migration took about 25 minutes per TB on our server, which has 16 cores." },
    {
      id: "3",
      text: "Delays of 60 to 119 minutes: 50 % of the single fare. Payments below £2 are not made.",
    },
    {
      id: "4",
      text: "| Price | from April |\n| --- | --- |\n| Energy | 31.84 ct/kWh |\n| Basic charge | €148.80/year |",
    },
    { id: "5", text: "The minimum order is four pallets. Moisture is at most 11.5 %." },
    { id: "9", text: "The price is **EUR 4,860,000**, and damages are capped at 8 % of the contract price." },
    { id: "10", text: "Each day 44 lunches and 48 snacks. The price is €4.35 a lunch and €1.20 a snack." },
    {
      id: "11",
      text: "The pool measures 25.00 × 12.50 m. | Income | Amount (€) |\n| --- | --- |\n| Total | 616,000 |",
    },
    { id: "7", text: "312,000 membranes were delivered, of which 214 ppm were rejected." },
    { id: "8", text: "The yearly quantity is 1,900 t at a base price of €2.38 per kilogram." },
    { id: "6", text: "A pallet has 40 bags of 25 kg. Hand rub: 36 ml are the target, in 2023 it was 34 ml." },
  ],
  results: [
    {
      id: "r1",
      columns: ["batch", "moisture_pct"],
      rows: [
        ["HM24050", 11.8],
        ["HM24053", 10.7],
      ],
    },
  ],
  given: ["My room has 16 m², my ticket was £18.40, the repository has 3 TB, and I use 3,500 kWh."],
});

/** `verified` and `derived` hold. */
function check(answer: string): string {
  const [first] = answerCheck.check(answer, evidence, { language: "en" });
  return first?.finding === undefined ? "holds" : first.finding.detail;
}

describe("a rule of a passage applied to a case of the person", () => {
  test.each([
    ["Your room of 16 m² needs windows of at least # [1].", "2 m²", "3 m²"],
    ["For your 3 TB, keep # free [1].", "150 GB", "170 GB"],
    ["Your 3 TB take about # [2].", "75 minutes", "95 minutes"],
    ["Being late gives you # of your ticket back [3].", "£9.20", "£7.20"],
    ["At 3,500 kWh you pay # a year [4].", "€1,263.20", "€1,463.20"],
    ["The basic charge is # a month [4].", "€12.40", "€14.20"],
    ["The minimum of four pallets means # bags [5][6].", "160", "190"],
    [
      "Batch HM24050 with 11.8 % was # above the maximum [5].",
      "0.3 percentage points",
      "0.7 percentage points",
    ],
    ["About # of the 312,000 membranes were rejected [7].", "67", "97"],
    ["For 1,900 t the contract is worth # a year [8].", "€4.5 million", "€5.4 million"],
    ["Damages stop at # [9].", "EUR 388,800", "EUR 398,800"],
    ["A day costs # [10].", "€249", "€294"],
    ["The pool has # [11].", "312.5 m²", "321.5 m²"],
    ["At 34 ml it is # short of the target [6].", "2 ml", "7 ml"],
  ])("%s %s, not %s", (answer, right, wrong) => {
    expect(check(answer.replace("#", right))).toBe("holds");
    expect(check(answer.replace("#", wrong))).toContain(wrong.replaceAll(/[^\d.,]/g, ""));
  });

  test("does not explain a number that the passage has with another unit", () => {
    expect(check("It took 25 hours per TB [2].")).toBe("25 hours");
  });
});
