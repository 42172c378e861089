import { describe, expect, test } from "vitest";

import { answerCheck } from "../answer-check.ts";
import { evidenceOf } from "../testing/evidence.ts";
import { findings } from "../testing/findings.ts";

const evidence = evidenceOf({
  results: [
    {
      id: "deliveries",
      columns: ["batch", "tonnes", "accepted"],
      rows: [
        ["HM24028", 22, "yes"],
        ["HM24039", 24, "yes"],
        ["HM24050", 29, "no"],
        ["HM24053", 27, "yes"],
      ],
    },
    {
      id: "wards",
      columns: ["ward", "specialty", "bed_days", "falls"],
      rows: [
        ["A1", "Geriatrics", 9512, 88],
        ["B2", "Cardiology", 10224, 41],
        ["C1", "Orthopaedics", 10795, 52],
      ],
    },
    {
      id: "bench",
      columns: ["version", "dataset", "peak_mem_mib"],
      rows: [
        ["3.4.2", "photos", 525],
        ["3.5.0", "photos", 540],
        ["3.4.2", "images", 731],
        ["3.5.0", "images", 744],
      ],
    },
    {
      id: "regions",
      columns: ["region", "revenue_2024", "revenue_2025"],
      rows: [
        ["Nordics", 4_100_000, 5_300_000],
        ["Iberia", 2_700_000, 3_190_000],
        ["Benelux", 1_900_000, 1_850_000],
      ],
    },
    {
      id: "shipments",
      columns: ["shipment", "weight_kg"],
      rows: [
        ["S-1", 9900],
        ["S-2", 18_400],
        ["S-3", 7600],
      ],
    },
    {
      id: "flats",
      columns: ["flat", "area_qm", "heating_kwh"],
      rows: [
        [1, 72, 7420],
        [2, 58.5, 6105],
        [3, 81, 8830],
      ],
    },
  ],
});

function check(answer: string): string {
  const [first] = answerCheck.check(answer, evidence, { language: "en" });
  return first?.finding === undefined ? "holds" : first.finding.detail;
}

describe("computing with the rows of a result", () => {
  test.each([
    ["The accepted deliveries weighed # [deliveries].", "73 tonnes", "78 tonnes"],
    ["Geriatrics had # falls per 1,000 bed days.", "9.3", "7.3"],
    ["For photos, peak memory rose by # with 3.5.0.", "15 MiB", "19 MiB"],
    ["The Nordics made # of the growth.", "73 %", "87 %"],
    ["Without the Nordics revenue rose by #.", "9.6 %", "6.9 %"],
    ["The share of the Nordics rose by #.", "4.1 points", "6.3 points"],
    ["All shipments weighed #.", "35.9 tonnes", "53.9 tonnes"],
    ["Flat 3 used # per square metre [flats].", "109 kWh", "129 kWh"],
    ["Flats 1 and 2 used #.", "13,525 kWh", "15,325 kWh"],
  ])("%s %s, not %s", (answer, right, wrong) => {
    expect(check(answer.replace("#", right))).toBe("holds");
    expect(check(answer.replace("#", wrong))).toContain(wrong.replaceAll(/[^\d.,]/g, ""));
  });
});

describe("figures of other rows than the sentence names", () => {
  test.each([
    ["Iberia brought EUR 5.3 million in 2025.", "5.3 million"],
    ["With 10,795 bed days Geriatrics was the largest.", "10,795"],
  ])("are found: %s", (answer, figure) => {
    expect(check(answer)).toContain(figure);
  });

  test.each([
    "The Nordics brought EUR 5.3 million in 2025, ahead of EUR 3.19 million.",
    "Geriatrics and Cardiology had 88 and 41 falls.",
    "The wards had 181 falls.",
  ])("may stand beside one of the row: %s", (answer) => {
    expect(check(answer)).toBe("holds");
  });
});

test.each([
  ["Solar grew by 5 %, wind by 19 %", "derived"],
  ["Wind grew by 15", "derived"],
  ["Solar is 31 ahead of wind in 2025", "derived"],
  ["Wind made up 43 % in 2025", "derived"],
  ["Together they grew by 10.5 %", "derived"],
  ["Solar grew by 19 %", "figure: 19 %"],
  ["Solar is 13 ahead of wind in 2025", "figure: 13"],
  ["Wind made up 47 % in 2025", "figure: 47 %"],
])("computes with the series of a chart over years: %s", (statement, found) => {
  const rows = [
    ["2024", 120, 80],
    ["2025", 126, 95],
  ] as const;
  const chart = evidenceOf({ results: [{ id: "chart-1", columns: ["Year", "Solar", "Wind"], rows }] });
  expect(findings(`${statement} [chart-1].`, chart, { bound: "strict" })).toEqual([found]);
});
