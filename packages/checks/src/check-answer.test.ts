import { describe, expect, test } from "vitest";

import { answerCheck } from "./answer-check.ts";
import { evidenceOf, passages } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";

const REVENUE = passages(
  "Revenue was EUR 84.8 million in 2025 and EUR 72.5 million in 2024.",
  "The margin was 11.0 % in 2024 and 15.5 % in 2025.",
);

describe("sentences", () => {
  test("are verbatim, in order, and those without a claim are left out", () => {
    const answer =
      "Here is what I found.\n\n- **Revenue** was EUR 84.8 million [1].\n- It was EUR 99 million before [1].";
    expect(answerCheck.check(answer, REVENUE).map(({ sentence }) => sentence)).toEqual([
      "**Revenue** was EUR 84.8 million [1].",
      "It was EUR 99 million before [1].",
    ]);
  });

  test("are the rows of a table", () => {
    const answer = "| Year | Revenue |\n|---|---|\n| 2024 | 72.5 |\n| 2025 | 94.8 |\n\nSource: [1]";
    expect(findings(answer, REVENUE)).toEqual(["verified", "figure: 94.8"]);
  });

  test("end before the next one, not at abbreviations or days", () => {
    const evidence = passages("Dr. Ek joined on 14 June 2025. H. Peter Anvin left.");
    expect(
      answerCheck.check("Dr. Ek kam am 14. Juni 2025 [1]. H. Peter Anvin left [1].", evidence),
    ).toHaveLength(2);
  });

  test("wrapped by hand are one sentence", () => {
    const answer = "Revenue in the year 2025 amounted to no less than about\nEUR 84.8 million [1].";
    expect(answerCheck.check(answer, REVENUE)).toEqual([{ sentence: answer, status: "verified" }]);
  });
});

describe("citations", () => {
  test("that no tool returned are unknown", () => {
    expect(findings("Revenue was EUR 84.8 million [99].", REVENUE)).toEqual(["unknown: [99]"]);
  });

  test("may name a result", () => {
    const evidence = evidenceOf({ results: [{ id: "result-1a2b", columns: ["n"], rows: [[412]] }] });
    expect(findings("There are 412 of them [result-1a2b].", evidence)).toEqual(["verified"]);
    expect(findings("There are 421 of them [result-1a2b].", evidence)).toEqual(["figure: 421"]);
  });

  test("may name rows by period where cells are written year first", () => {
    const rows = [15.6, 21, 17.8, 18.1].map((revenue, at) => [`2024-Q${at + 1}`, revenue]);
    const evidence = evidenceOf({ results: [{ id: "result-1", columns: ["quarter", "revenue"], rows }] });
    const rise = (share: string) => `Revenue rose ${share} from Q1 2024 to Q4 2024.`;
    expect(findings(rise("16.0 %"), evidence, { bound: "strict" })).toEqual(["derived"]);
    expect(findings(rise("18.0 %"), evidence)).toEqual(["figure-in-no-result: 18.0 %"]);
  });

  test("of another passage are not named for what cannot be looked up", () => {
    const evidence = passages(
      "Sales were 10 tonnes in 2024 and 13 in 2025. The office uses `pandas`. It opened on 4 March 2026.",
      "Sales are good.",
      "Sales doubled since 2020.",
    );
    for (const [answer = "", found = ""] of [
      ["Sales doubled from 10 tonnes in 2024 to 13 in 2025 [1].", "figure: doubled"],
      ["The office uses `polars` [1].", "name: polars"],
      ["It opened on Friday, 4 March 2026 [1].", "date: Friday"],
    ])
      expect(findings(answer, evidence)).toEqual([found]);
  });

  test("of another passage than the one with the figure are named", () => {
    expect(findings("Revenue was EUR 84.8 million [2].", REVENUE)).toEqual([
      'figure: 84.8 million; found in [1]: "Revenue was EUR 84.8 million in 2025 and EUR 72.5 million in 2024."',
    ]);
  });
});

describe("derived figures", () => {
  test("are recomputed", () => {
    expect(
      findings("Revenue rose by EUR 12.3 million, or 17.0 %, to EUR 84.8 million [1].", REVENUE),
    ).toEqual(["derived"]);
    expect(findings("Revenue rose by EUR 13.3 million to EUR 84.8 million [1].", REVENUE)).toEqual([
      "figure: 13.3 million",
    ]);
  });

  test("between two percentages are points", () => {
    expect(findings("The margin rose by 4.5 points to 15.5 % [2].", REVENUE)).toEqual(["derived"]);
    expect(findings("The margin rose by 4.5 % to 15.5 % [2].", REVENUE)).toEqual(["figure: 4.5 %"]);
  });

  test("hold where the model names operands that stand in the evidence", () => {
    const numbers = passages(
      Array.from({ length: 30 }, (_, at) => `Item ${at} took ${101 + at * 7} EUR.`).join("\n"),
    );
    const answer = "Both together took 513 EUR [1].";
    expect(findings(answer, numbers, { bound: "strict" })).toEqual(["figure: 513 EUR"]);
    const derived = [{ figure: "513 EUR", operands: ["241 EUR", "271 EUR"] }];
    expect(findings(answer, numbers, { bound: "strict", derived })).toEqual(["figure: 513 EUR"]);
    const right = [{ figure: "513 EUR", operands: ["108 EUR", "115 EUR", "290 EUR"] }];
    expect(findings(answer, numbers, { bound: "strict", derived: right })).toEqual(["derived"]);
  });
});

describe("query results", () => {
  const result = (sql: string, column: string, value: number): typeof REVENUE =>
    evidenceOf({ results: [{ id: "q1", columns: [column], rows: [[value]], sql }] });

  test("of constants prove nothing", () => {
    const answer = "The offer was EUR 1.9 million [q1].";
    expect(findings(answer, result("SELECT 1900000 AS offer", "offer", 1_900_000))).toEqual([
      "figure: 1.9 million",
    ]);
    expect(findings(answer, result("SELECT offer FROM bids WHERE id = 7", "offer", 1_900_000))).toEqual([
      "verified",
    ]);
  });

  test("have the values of filters, not those that a filter excludes", () => {
    const answer = "It was signed on 14 March 2023 [q1].";
    const where = (filter: string): typeof REVENUE =>
      result(`SELECT count(*) AS n FROM d WHERE ${filter}`, "n", 5);
    for (const filter of [
      "day = '2023-03-14'",
      "day IN ('2023-03-14')",
      "a IS NOT NULL AND day = '2023-03-14'",
    ])
      expect(findings(answer, where(filter))).toEqual(["verified"]);
    for (const filter of ["day <> '2023-03-14'", "day != '2023-03-14'", "day NOT IN ('2023-03-14')"])
      expect(findings(answer, where(filter))).toEqual(["date: 14 March 2023"]);
  });

  test("give the amount per thing of a named row", () => {
    const table = evidenceOf({
      results: [
        {
          id: "q3",
          columns: ["product", "units_2025", "revenue_2025_eur", "list_price_eur"],
          rows: [
            ["Station Harbour", 412, 5_502_260, 12_800],
            ["Station Quay", 300, 4_100_000, 13_800],
            ["Buoy", 120, 1_800_010, 14_000],
            ["Cable", 77, 410_345, 5300],
          ],
        },
      ],
    });
    expect(findings("On average a Station Harbour sold for EUR 13,355 [q3].", table)).toEqual(["derived"]);
    expect(findings("On average a Station Harbour sold for EUR 13,955 [q3].", table)).toEqual([
      "figure: 13,955",
    ]);
  });
});

describe("figures derived from what the sentence states", () => {
  test("may be in another unit, or rough", () => {
    const evidence = passages("LineMax= defaults to 48K. Its 27 new posts cost EUR 1.9 million.");
    expect(findings("Lines are cut at 48K (49,152 bytes) [1].", evidence)).toEqual(["derived"]);
    expect(findings("Lines are cut at 48K (49,512 bytes) [1].", evidence)).toEqual(["figure: 49,512 bytes"]);
    const rough = (amount: string): string =>
      `A post costs roughly EUR ${amount} (EUR 1.9 million for 27 posts) [1].`;
    expect(findings(rough("70,000"), evidence)).toEqual(["derived"]);
    expect(findings(rough("80,000"), evidence)).toEqual(["figure: 80,000"]);
  });

  test("may rest on the row that it names", () => {
    const { citations } = passages("The fee is EUR 9.80 per kilowatt and year.");
    const { tables } = evidenceOf({
      results: [
        {
          id: "r3",
          columns: ["vessel", "built", "litres_2025", "km_2025", "crew"],
          rows: [
            ["MV Morna", 1998, 812_400, 41_300, 14],
            ["MV Fulmar", 2011, 655_900, 39_850, 11],
            ["MV Petrel", 2019, 204_300, 22_760, 6],
          ],
        },
        {
          id: "q1",
          columns: ["site", "capacity_kw", "output_mwh"],
          rows: [
            ["Burgstall", 3200, 3616],
            ["Mirna", 2750, 3190],
          ],
        },
        {
          id: "q2",
          columns: ["unit", "start_ms"],
          rows: [
            ["docker", 6120],
            ["snapd", 3415],
            ["udevd", 465],
          ],
        },
      ],
    });
    const evidence = { citations, tables, given: [] };
    expect(findings("MV Petrel burns 9.0 litres per kilometre [r3].", evidence)).toEqual(["derived"]);
    expect(findings("MV Petrel burns 9.4 litres per kilometre [r3].", evidence)).toEqual([
      "figure: 9.4 litres",
    ]);
    const fee = (amount: string): string =>
      `At EUR 9.80 per kilowatt, the fee for Burgstall is EUR ${amount} [1][q1].`;
    expect(findings(fee("31,360"), evidence)).toEqual(["derived"]);
    expect(findings(fee("31,630"), evidence)).toEqual(["figure: 31,630"]);
    const output = (sum: string): string => `Both sites produced 6,806 MWh (${sum} GWh) [q1].`;
    expect(findings(output("6.8"), evidence)).toEqual(["derived"]);
    expect(findings(output("6.4"), evidence)).toEqual(["figure: 6.4 GWh"]);
    expect(findings("All units took 10.0 s together [q2].", evidence)).toEqual(["derived"]);
    expect(findings("All units took 11.0 s together [q2].", evidence)).toEqual(["figure: 11.0 s"]);
  });
});

describe("lists", () => {
  const evidence = passages(
    "Havn made 412 tonnes.",
    "Sund has 5 boats and 388 tonnes. It opened with 14 people.",
  );

  test("with marks at other items leave an item without one uncited", () => {
    const answer = "- Havn made 412 tonnes [1].\n- A renewal costs EUR 5 a year.\n- Sund has 388 tonnes [2].";
    expect(findings(answer, evidence)).toEqual([
      "verified",
      expect.stringMatching(/^uncited: 5/),
      "verified",
    ]);
  });

  test("rest on their intro, their source line, the last item or an item with a colon", () => {
    for (const answer of [
      "Sund [2]:\n- 5 boats\n- 388 tonnes",
      "- 5 boats\n- 388 tonnes\n\nSource: [2]",
      "- 5 boats\n- 388 tonnes [2]",
      "- Sund [2]:\n  - 5 boats\n  - 388 tonnes\n- Havn made 412 tonnes [1]",
    ])
      expect(findings(answer, evidence).filter((finding) => finding !== "verified")).toEqual([]);
  });

  test("with a bold lead are split into sentences", () => {
    const answer = "**Sund.** It has 5 boats [2]. It made 398 tonnes [2]. It has 14 people [2].";
    expect(findings(answer, evidence)).toEqual(["verified", "figure: 398 tonnes", "verified"]);
  });
});

describe("evidence", () => {
  test("that the person gave needs no citation", () => {
    const evidence = evidenceOf({ given: ["We have 14 sites in Norway. Today is 2026-11-22."] });
    expect(findings("You have 14 sites in Norway.", evidence)).toEqual(["verified"]);
    expect(findings("You have 15 sites.", evidence)).toEqual(["uncited: 15"]);
  });

  test("of no kind leaves every figure, date and name uncited", () => {
    expect(findings("Sales reached 71 % in March 2025.", passages())).toEqual(["uncited: March 2025"]);
    expect(findings("They moved to Norway.", passages())).toEqual(["uncited: Norway"]);
    expect(findings("I can help with that.", passages())).toEqual([]);
  });

  test("decides by the language of the answer what a dot means", () => {
    const evidence = passages("The list price is EUR 1450 per station.");
    expect(findings("Der Listenpreis ist 1.450 EUR und gilt je Station [1].", evidence)).toEqual([
      "verified",
    ]);
    expect(findings("The list price is EUR 1.450 per station [1].", evidence)).toEqual(["figure: 1.450"]);
  });
});

describe("the language of an answer", () => {
  const evidence = passages(
    "The list price is 1450 per station.",
    "| Step | Date |\n|---|---|\n| Assessor visited the clinic | 19 February 2025 |\n| Assessor took report | 13 February 2025 |\nThis is what was done at the clinic and in the house.",
  );

  test("is compared without its region", () => {
    for (const language of ["en", "en-US", "EN_gb"])
      expect(findings("The clinic was visited on 13 February 2025 [2].", evidence, { language })).toEqual([
        "date: 13 February 2025",
      ]);
  });

  test("decides with its region how numbers are written", () => {
    const answer = "El precio es 1,450 [1].";
    expect(findings(answer, evidence, { language: "es-MX" })).toEqual(["verified"]);
    expect(findings(answer, evidence, { language: "es" })).toEqual(["figure: 1,450"]);
  });
});

describe("names", () => {
  test("in the titles of several documents need not stand in the cited one", () => {
    const evidence = evidenceOf({
      citations: [
        { id: "1", document: "Supplier notes", text: "A penalty of £50 for each hour of delay was agreed." },
        { id: "2", document: "Harbour Bakery: Expansion plan", text: "The shop opens in May." },
        { id: "3", document: "Staff handbook of Harbour Bakery", text: "Leave is 25 days." },
      ],
    });
    expect(findings("Harbour Bakery agreed a penalty of £50 for each hour of delay [1].", evidence)).toEqual([
      "verified",
    ]);
    expect(findings("Harbour Dairy agreed a penalty of £50 for each hour of delay [1].", evidence)).toEqual([
      expect.stringContaining("name"),
    ]);
  });

  const evidence = passages("Leon Ferreira scored 13 goals. Claire Martin approves discounts.");

  test("have both parts in the evidence, side by side", () => {
    expect(findings("Leon Ferreira scored 13 goals [1].", evidence)).toEqual(["verified"]);
    expect(findings("Luis Ferreira scored 13 goals [1].", evidence)).toEqual(["name: Luis Ferreira"]);
    expect(findings("The discounts are approved by Claire Dubois [1].", evidence)).toEqual([
      "name: Claire Dubois",
    ]);
  });
});

describe("words", () => {
  const evidence = passages(
    "The loan costs 25 basis points more. The line has 25 Mbps. The survey was led by Ailsa Corrie with two students from Penhallow College. Mosses were not recorded in it. Specimens were sent to the herbarium in Orlock. Light must not exceed 50 lux. The guns cover 68 km of slopes and made 400 m³ of snow.",
  );

  test.each([
    ["She led it with two students from Penhallow College [1].", "verified"],
    ["She led it with two students from Orlock College [1].", "name: Orlock College"],
    ["Light must not exceed 50 lux [1].", "verified"],
    ["Light must not exceed 50 lumens [1].", "unit: 50 lumens"],
    ["The loan costs 25 bps more [1].", "verified"],
    ["The line has 25 Mbps [1].", "verified"],
    ["The line has 25 kbps [1].", "unit: 25 kbps"],
    ["A cubic metre is what the snow is counted in, 400 m³ of it [1].", "verified"],
  ])("belong together: %s", (answer, expected) => {
    expect(findings(answer, evidence)).toEqual([expected]);
  });

  test("an ordinal does not end a German sentence", () => {
    const answer = "Sie lohnt sich ab dem 13. Tag der Saison [1].";
    expect(answerCheck.check(answer, passages("Ab dem 13. Tag lohnt sie sich."))).toHaveLength(1);
  });
});

describe("a table without marks", () => {
  const evidence = passages(
    "| Site | 2025 | 2026 |\n| --- | --- | --- |\n| Main | 684,200 | 731,900 |\n| Law | 118,400 | 112,600 |",
  );
  const table = (value: string): string =>
    `## Visits\n\nVisits rose at the main site [1].\n\n| Site | 2025 | 2026 |\n|---|---|---|\n| Main | 684,200 | ${value} |\n| Law | 118,400 | 112,600 |`;

  test("rests on what its section cites", () => {
    expect(findings(table("731,900"), evidence)).toEqual(["verified", "verified", "verified"]);
    expect(findings(table("741,900"), evidence)[1]).toMatch("741,900");
    expect(findings(table("731,900").replace("[1].", "."), evidence)[0]).toMatch("uncited");
  });
});

describe("what a number of a passage does not prove", () => {
  test.each([
    [
      "an earlier year, a later one",
      "It wants to double its staff by 2030 [1].",
      "Revenue was high in 2025.",
      "date: 2030",
    ],
    [
      "a count, millions",
      "The programme cost EUR 342 million [1].",
      "It made EUR 12.4 million with 342 people.",
      "unit: 342 million",
    ],
    [
      "a longer number, its beginning",
      "Revenue rose to 12 [1].",
      "Revenue rose to 12,400 in the year.",
      "figure: 12",
    ],
    [
      "a number with another scale, the bare one",
      "It came to 1 [1].",
      "It came to 1.9 million.",
      "figure: 1",
    ],
    [
      "a price per square foot, one per square metre",
      "The rent is £7.40 per square metre [1].",
      "The landlord asks £7.40 per square foot.",
      "unit: £7.40",
    ],
    [
      "a licence, another one",
      "It is under CC-BY-ND [1].",
      "It may be published under CC-BY-SA.",
      "name: CC-BY-ND",
    ],
    [
      "a figure of another row",
      "The limit in Sweden is EUR 185 [1].",
      "| Country | Limit |\n| --- | --- |\n| Sweden | EUR 140 |\n| Norway | EUR 185 |",
      "figure: 185",
    ],
    [
      "numbers that multiply, an invented count with a percentage",
      "There were 312 alarms, a reduction of 62 % [1].",
      "5 stations, 14 days, 41 minutes and 38 customers with 412 alarms.",
      "figure: 312, 62 %",
    ],
  ])("%s", (_, answer, passage, finding) => {
    expect(findings(answer, passages(passage))).toEqual([expect.stringContaining(finding.replace("£", ""))]);
  });

  test("a second figure of a sentence is named too", () => {
    expect(findings("It cost EUR 155 a day and EUR 1,700 a month [1].", passages("It costs money."))).toEqual(
      ["figure: 155, 1,700"],
    );
  });

  test.each([
    [
      "The budget rises from EUR 2.4 to 4.2 million [1].",
      "The budget rises from EUR 2.4 million to EUR 4.2 million.",
    ],
    [
      "It was EUR 11.3 million in 2024 and 12.3 in 2025 [1].",
      "EUR 11.3 million in 2024, EUR 12.3 million in 2025.",
    ],
    ["Nothing leaves the European Union [1].", "Data stays in the EU."],
    ["Multipath TCP is on by default [1].", "It defaults to multipathtcp=2."],
    ["It is collected every two weeks [1].", "Die Tonne wird vierzehntäglich geleert."],
    ["The survey covered 4,280 km [1].", "The transects have a length of 2,310 nautical miles."],
    ["Children pay nothing, also under-18s [1].", "Young people under 18 pay nothing."],
    ["Die Gelbe Tonne kommt [1].", "Die Einführung der Gelben Tonne wird beschlossen."],
    ["Jedes Gehäuse wird geprüft [1].", "Jedes Pumpengehäuse wird einer Prüfung unterzogen."],
    [
      "It pumps 320 l at a head of 54 m [1].",
      "| Item | Value |\n| --- | --- |\n| Volume flow | 320 l |\n| Head | 54 m |",
    ],
  ])("but these hold: %s", (answer, passage) => {
    expect(findings(answer, passages(passage))).toEqual(["verified"]);
  });
});
