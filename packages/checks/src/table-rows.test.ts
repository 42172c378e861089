import { describe, expect, test } from "vitest";

import { evidenceOf, passages } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";

const water = passages(
  [
    "Table 1: Water by source",
    "",
    "Source | Delivered 2025 (1,000 m³) | Nitrate (mg/L) | Fee per month (£)",
    "Hollow Well | 1,301 | 4.7 | 148",
    "Mill Lane | 868 | 7.9 | 102",
  ].join("\n"),
  "Parameter | Unit | Limit | Lake\nNitrate | mg/L | 10 | 1.2\nLead | µg/L | 15 | 2.2\nImport | s | 212 | 149",
  "GBP thousand | 2024 | 2025\nSales | 742 | 711\nProfit | 214 | 197",
  "Group\n\nPassengers 2024 (thousand)\n\nPassengers 2025 (thousand)\n\nCity | 12,310 | 12,744\nRural | 2,044 | 1,998",
  "Type\n\nNumbe\n\nr | Age (years) | Use | Unit\nDiesel | 62 | 9.4 | 38.5 | l/100 km\nElectric | 33 | 2.1 | 118 | kWh/100 km",
);

describe("what the heads of a table say of its cells", () => {
  test.each([
    "Hollow Well delivered 1,301,000 m³, Mill Lane 0.87 million m³ [1].",
    "Hollow Well delivered 433,000 m³ more than Mill Lane [1].",
    "Hollow Well has 4.7 mg/L of nitrate [1].",
    "Hollow Well costs £148 a month [1].",
    "The lake has 1.2 mg/L of nitrate and 2.2 µg/L of lead [2].",
    "The import takes 149 s instead of 212 [2].",
    "Sales came to £711,000, £31,000 less than in 2024 [3].",
    "City routes had 12.7 million passengers, and rural ones lost 46,000 [4].",
    "Diesel buses are 9.4 years old and use 38.5 litres per 100 km [5].",
  ])("is read: %s", (answer) => {
    expect(findings(answer, water).filter((one) => one.includes(":"))).toEqual([]);
  });

  test.each([
    ["Hollow Well delivered 1,301 m³ [1].", "unit: 1,301 m³"],
    ["Hollow Well has 4.7 g/L of nitrate [1].", "unit: 4.7 g"],
    ["Hollow Well costs £148 a year [1].", "unit: 148"],
    ["Hollow Well costs a yearly £148 [1].", "unit: 148"],
    ["The import takes 149 ms [2].", "unit: 149 ms"],
    ["Sales came to £711 million [3].", "unit: 711 million"],
  ])("is compared: %s", (answer, finding) => {
    expect(findings(answer, water)).toEqual([finding]);
  });
});

describe("values of another row than the sentence names", () => {
  const evidence = evidenceOf({
    citations: [
      {
        id: "1",
        text: [
          "Depot | Vans | Manager | Opened",
          "Kettering | 18 | Owen Pritchard | 2019-03-12",
          "Bedford | 27 | Callum Dowd | 2021-09-05",
          "Norwich | 46 | Hattie Bloom | 2023-06-30",
        ].join("\n"),
      },
    ],
    results: [
      {
        id: "r",
        columns: ["zone", "water_m3"],
        rows: [
          ["Northfield", 109_930],
          ["Harbour", 91_589],
          ["Old Town", 82_673],
        ],
      },
      {
        id: "m",
        columns: ["month", "mwh"],
        rows: [
          ["2025-10", 338.2],
          ["2025-11", 238.6],
          ["2025-12", 178.5],
        ],
      },
    ],
  });

  test.each([
    ["Bedford is run by Owen Pritchard [1].", "name: Owen Pritchard"],
    ["Bedford opened on 12 March 2019 [1].", "date: 12 March 2019"],
    ["Northfield used most (109,930 m³), followed by Old Town with 91,589 m³ [r].", "figure: 91,589 m³"],
    ["Old Town (91,589) and Harbour (82,673) are smaller [r].", "figure: 91,589, 82,673"],
    ["October was best, with 338.2 MWh, and November worst, with 178.5 MWh [m].", "figure: 178.5 MWh"],
  ])("are found: %s", (answer, finding) => {
    expect(findings(answer, evidence)).toEqual([finding]);
  });

  test.each([
    "Bedford is run by Callum Dowd, Norwich by Hattie Bloom [1].",
    "Bedford, where Callum Dowd is in charge, has 27 vans, fewer than the 46 of the largest depot [1].",
    "Owen Pritchard runs Kettering, not Bedford [1].",
    "Northfield used 109,930 m³ and Old Town 82,673 m³, the harbour lies between them with 91,589 m³ [r].",
    "Harbour uses more than Old Town (91,589 against 82,673) [r].",
  ])("may be meant: %s", (answer) => {
    expect(findings(answer, evidence)).toEqual(["verified"]);
  });
});

test("reads pounds as money beside money, and as a mass beside a mass", () => {
  const money = passages("From £250,000 the bonus is 3.5 %. Prices are in pounds sterling.");
  expect(findings("From a quarter of a million pounds the bonus is 3.5 % [1].", money)).toEqual(["verified"]);
  expect(findings("It weighs 250 pounds [1].", passages("It weighs 250 kg and costs £80."))).toEqual([
    "unit: 250 pounds",
  ]);
});

test("reads a date of the following year, and no period of time from `annual`", () => {
  const bonus = passages("Terms 2026. The bonus is paid out on 15 February of the following year.");
  expect(findings("The bonus for 2026 is paid out on 15 February 2027 [1].", bonus)).toEqual(["verified"]);
  const ends = passages("Fixes end on 5 September 2028. The annual subscription goes on.");
  expect(findings("Fixes end on 5 September 2029 [1].", ends)).toEqual(["date: 5 September 2029"]);
});

test("counts the rows of a table without outer bars", () => {
  const list = passages(
    "Article | Price | VAT\nRice | £31.80 | 0 %\nLentils | £34.25 | 0 %\nFlour | £13.60 | 0 %",
  );
  expect(findings("All three goods have a VAT of 0 % [1].", list)).toEqual(["verified"]);
});

test("quotes the line in which a figure was found", () => {
  const manual = passages(
    "1.0\n4. Storage\nThe parts keep for 250 days.\n5. Transport",
    "4.2 Transport\nThe parts are sent by rail.",
  );
  expect(findings("The parts keep for 250 days [2].", manual)).toEqual([
    'figure: 250 days; found in [1]: "The parts keep for 250 days."',
  ]);
});

test("knows a row whose name is in the plural", () => {
  const rows = [
    ["Baker", 1900],
    ["Driver", 2300],
  ] as const;
  const evidence = evidenceOf({
    citations: [{ id: "1", text: "| Job | Wage (EUR) |\n|---|---|\n| Baker | 1,900 |\n| Driver | 2,300 |" }],
    results: [{ id: "result-1", columns: ["job", "wage_eur"], rows }],
  });
  for (const mark of ["[1]", "[result-1]"]) {
    expect(findings(`Bakers earn 1,900, a driver more ${mark}.`, evidence)).toEqual(["verified"]);
    expect(findings(`Bakers earn EUR 2,300 ${mark}.`, evidence)).toEqual(["figure: 2,300"]);
  }
});

test.each([
  ["In 2024 the target for insulation was 45 [1].", "figure: 45"],
  ["In 2026 the target for insulation is 45, seven more than in 2024 [1].", "derived"],
  ["Since 2024 the target for insulation has risen to 45 [1].", "verified"],
  ["Kiel has a staff of 88 [2].", "figure: 88"],
  ["Kiel had 34 returns [2].", "figure: 34"],
  ["The staff of Kiel took back 88 parcels [2].", "verified"],
  ["In 2024 Kiel sold for 74,900 [result-1].", "figure: 74,900"],
  ["Kiel sold for 74,900 in 2024 [result-1].", "figure: 74,900"],
  ["After 2024 Kiel sold for 74,900 [result-1].", "verified"],
])("compares a value with the column that the sentence names: %s", (sentence, found) => {
  const evidence = evidenceOf({
    citations: [
      { id: "1", text: "| Measure | 2024 | 2026 |\n|---|---|---|\n| Target for insulation | 38 | 45 |" },
      { id: "2", text: "| Shop | Staff | Returns |\n|---|---|---|\n| Kiel | 34 | 88 |\n| Ulm | 28 | 62 |" },
    ],
    results: [
      { id: "result-1", columns: ["shop", "sales_2024", "sales_2025"], rows: [["Kiel", 71200, 74900]] },
    ],
  });
  expect(findings(sentence, evidence)).toEqual([found]);
});
