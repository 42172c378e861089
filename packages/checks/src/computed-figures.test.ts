import type { AnswerCheckOptions, AnswerEvidence } from "@troupe/core";
import { describe, expect, test } from "vitest";

import { evidenceOf, passages } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";

describe("operands that the model names", () => {
  const evidence = passages(
    "Customers accept few false alarms.",
    "The trial lasts 12 months and covers 5 vessels. It began in 2024 in ten ports.",
    "Revenue was EUR 3,770,000. The plant built 2,500 units.",
  );
  const named = (figure: string, ...operands: readonly string[]): AnswerCheckOptions => ({
    derived: [{ figure, operands }],
  });

  test("have to be in what the sentence cites", () => {
    const answer = "Customers accept up to 2.4 false alarms a month [1].";
    expect(findings(answer, evidence, named("2.4", "12", "5"))).toEqual(["figure: 2.4"]);
  });

  test("are at least two", () => {
    const answer = "Customers accept 12 false alarms a month [1].";
    expect(findings(answer, evidence, named("12", "12"))).toEqual([
      expect.stringMatching(/^figure: 12; found in .2./),
    ]);
  });

  test("are not constants alone", () => {
    expect(findings("Satisfaction was 93 % [1].", evidence, named("93 %", "100", "7"))).toEqual([
      "figure: 93 %",
    ]);
  });

  test.each([
    [undefined, ["derived", "derived"]],
    ["Orders per ship were", ["figure: 300", "derived"]],
    ["orders per SHIP were 300 [1], as", ["figure: 300", "derived"]],
    ["Orders per ship were 300, as everybody says", ["figure: 300", "derived"]],
    ["The fleet has", ["derived", "figure: 300"]],
    ["Nobody said this", ["figure: 300", "figure: 300"]],
  ])("count in the sentence that is named: %s", (sentence, expected) => {
    const orders = passages("The yard had 3,770 orders, 770 of them late, and 2,700 berths for 10 ships.");
    const derived = [{ figure: "300", operands: ["3,770 - 770 - 2,700"], ...(sentence && { sentence }) }];
    const answer = "The fleet has 300 sailors [1]. Orders per ship were 300 [1].";
    expect(findings(answer, orders, { derived, bound: "strict" })).toEqual(expected);
  });

  test("have one unit in a ratio", () => {
    const answer = "Customers accept up to 2.4 false alarms a month [1].";
    const trial = passages("It lasts 12 months at EUR 5.");
    expect(findings(answer, trial, named("2.4", "12", "5"))).toEqual(["figure: 2.4"]);
  });

  test("have the unit of the figure", () => {
    expect(findings("The trial costs EUR 60 [2].", evidence, named("EUR 60", "12", "5"))).toEqual([
      "figure: 60",
    ]);
  });

  test("of products are neither years nor number words", () => {
    expect(findings("The limit is 20240 [2].", evidence, named("20240", "2024", "ten"))).toEqual([
      "figure: 20240",
    ]);
  });

  test("give an amount per thing", () => {
    const answer = "A unit sold for EUR 1,508 on average [3].";
    expect(findings(answer, evidence, named("EUR 1,508", "EUR 3,770,000", "2,500"))).toEqual(["derived"]);
  });

  test("may be cells in millions", () => {
    const rows = [
      ["North", 21.22],
      ["South", 17.31],
    ];
    const results = (column: string, title: string): AnswerEvidence =>
      evidenceOf({ results: [{ id: "q1", title, columns: ["region", column], rows }] });
    for (const table of [
      results("revenue_meur_2025", ""),
      results("2025 (EUR million)", ""),
      results("revenue_million_eur", ""),
      results("r2025", "Revenue (€m)"),
    ]) {
      expect(findings("The North made EUR 21.22 million [q1].", table)).toEqual(["verified"]);
      expect(findings("The North made EUR 21.32 million [q1].", table)).toEqual(["figure: 21.32 million"]);
      const operands = named("EUR 38.53 million", "EUR 21.22 million", "EUR 17.31 million");
      expect(findings("Both made EUR 38.53 million [q1].", table, operands)).toEqual(["derived"]);
    }
  });
});

describe("named operands of arithmetic with several steps", () => {
  const evidence = evidenceOf({
    citations: [
      {
        id: "1",
        text:
          "Medilux delivers 50 pumps at EUR 1,450 each, with a discount of 9 % on orders above EUR 50,000. " +
          "The lots come on 4 March 2026 and 22 April 2026. Patients: 412,300 in 2025 and 340,000 in 2022. " +
          "The driver is paid EUR 1.85 per km and EUR 240 per trip; the trip has 470 km.",
      },
      {
        id: "2",
        text: "The server failed at 23:12. Booking worked again at 02:05. Korvex had warned on 2 May 2025.",
      },
      {
        id: "3",
        text: "| Site | Answers | Satisfied |\n|---|---|---|\n| North | 640 | 88 % |\n| South | 400 | 72 % |",
      },
    ],
    results: [
      {
        id: "q1",
        columns: ["site", "staff_keur", "patients"],
        rows: [
          ["North", 8420, 61_200],
          ["South", 1872, 33_900],
        ],
      },
    ],
  });
  const status = (
    answer: string,
    ...derived: readonly { figure: string; operands: readonly string[] }[]
  ): unknown => findings(answer, evidence, { bound: "strict", derived });

  test.each([
    ["They cost EUR 65,975 [1].", "EUR 65,975", "50", "EUR 1,450", "9 %"],
    ["Patients grew by 6.6 % a year [1].", "6.6 %", "412,300", "340,000", "2022", "2025"],
    ["The second lot comes 49 days later [1].", "49 days", "4 March 2026", "22 April 2026"],
    ["Booking was back after 173 minutes [2].", "173 minutes", "23:12", "02:05"],
    ["Of all answers 81.8 % were satisfied [3].", "81.8 %", "640", "88 %", "400", "72 %"],
    ["A trip costs EUR 1,109.50 [1].", "EUR 1,109.50", "EUR 1.85", "470 km", "EUR 240"],
    ["A patient costs EUR 137.58 in the North.", "EUR 137.58", "8420", "61200"],
    ["Both sites together spend EUR 10.292 million.", "EUR 10.292 million", "8420", "1872"],
  ])("%s", (answer, figure, ...operands) => {
    expect(status(answer, { figure, operands })).toEqual(["derived"]);
    const wrong = figure.replace(/[1-8]/, (digit) => `${Number(digit) + 1}`);
    expect(status(answer.replace(figure, wrong), { figure: wrong, operands })).toEqual([
      `${answer.includes("[") ? "figure" : "figure-in-no-result"}: ${wrong.replace("EUR ", "")}`,
    ]);
  });

  test("may share the unit of the figure beside them", () => {
    const text = "Ethiopia delivered 1,120 tonnes, Peru 940, Uganda 380. 50 crates cost EUR 1,450 each.";
    const tonnes = { figure: "1,500 tonnes", operands: ["1,120", "380"] };
    const price = { figure: "EUR 72,500", operands: ["50", "1,450"] };
    const sentences = ["The two came to 1,500 tonnes [1].", "The crates cost EUR 72,500 [1]."];
    for (const [index, named] of [tonnes, price].entries())
      expect(findings(sentences[index] ?? "", passages(text), { bound: "strict", derived: [named] })).toEqual(
        ["derived"],
      );
  });

  test("may be computed from named operands themselves", () => {
    const price = { figure: "EUR 65,975", operands: ["50", "EUR 1,450", "9 %"] };
    const share = { figure: "27.49 times", operands: ["EUR 65,975", "EUR 2,400"] };
    const trips = { figure: "EUR 2,400", operands: ["EUR 240", "ten"] };
    expect(status("That is 27.49 times the price of ten trips [1].", share, price)).toEqual([
      "figure: 27.49, ten",
    ]);
    expect(
      status(
        "That is 274.9 times the price of a trip [1].",
        { figure: "274.9", operands: ["EUR 65,975", "EUR 240"] },
        price,
      ),
    ).toEqual(["derived"]);
    expect(status("That is 27.49 times the price of ten trips [1].", share, price, trips)).toEqual([
      "figure: 27.49, ten",
    ]);
  });
});

describe("periods of results", () => {
  const quarters = evidenceOf({
    results: [
      {
        id: "q1",
        columns: ["quarter", "late", "tickets"],
        rows: [
          ["2026-Q1", 7, 81],
          ["2026-Q2", 2, 64],
          ["2026-Q3", 1, 58],
        ],
      },
    ],
  });

  test.each([
    ["Between January and September 203 tickets came in.", "December"],
    ["In nine months 203 tickets came in.", "19 months"],
    ["In Q2 3.1 % of the tickets were late.", "3.4 %"],
  ])("%s", (answer, wrong) => {
    expect(findings(answer, quarters)).toEqual(["derived"]);
    const changed = answer.replace(/September|nine months|3\.1 %/, wrong);
    expect(findings(changed, quarters)[0]).toMatch(/^(?:date|figure)/);
  });

  test("an is no year in German", () => {
    const text = "Es gab 418.600 Ausleihen, davon 151.300 an Studierende der Medizin.";
    expect(findings("Auf die Medizin entfielen 36,1 % aller Ausleihen [1].", passages(text))).toEqual([
      "derived",
    ]);
  });
});

describe("columns of a table in the answer", () => {
  const evidence = evidenceOf({
    citations: [
      {
        id: "1",
        text: "The target of every site is 85 %. Satisfied: North 88 %, South 79 %, East 91 %, West 72 %.",
      },
    ],
    results: [
      {
        id: "q1",
        columns: ["site", "cost_eur", "patients"],
        rows: [
          ["North", 10_530_000, 61_200],
          ["South", 8_025_000, 44_100],
          ["East", 9_300_000, 52_800],
          ["West", 6_500_000, 33_900],
        ],
      },
    ],
  });
  const table = (head: string, ...rows: readonly string[]): string =>
    [`| Site | ${head} |`, "|---|---|---|", ...rows.map((row) => `| ${row} |`)].join("\n");

  test("may be computed from a result, with the totals below", () => {
    const answer = (west: string): string =>
      table(
        "Cost (EUR million) | Per patient (EUR)",
        "North | 10.53 | 172",
        "South | 8.03 | 182",
        "East | 9.30 | 176",
        `West | 6.50 | ${west}`,
        "All | 34.36 | 179",
      );
    expect(findings(answer("192"), evidence).filter((one) => one.includes(":"))).toEqual([]);
    expect(findings(answer("129"), evidence).filter((one) => one.includes(":"))).toEqual([
      "figure-in-no-result: 129",
    ]);
  });

  test("may be differences from one figure, each of one digit", () => {
    const rows = ["North | 88 % | +3", "South | 79 % | -6", "East | 91 % | +6"];
    const answer = (last: string): string =>
      `${table("Satisfied | Gap", ...rows, `West | 72 % | ${last}`)}\n\nSource: [1]`;
    expect(findings(answer("-13"), evidence).filter((one) => one.includes(":"))).toEqual([]);
    expect(findings(answer("-31"), evidence)).toContain("figure: 31");
  });
});

describe("figures computed from rows and passages", () => {
  const evidence = evidenceOf({
    citations: [
      {
        id: "1",
        text:
          "## Patients\nThe network treated 412,300 patients in 2025 and 340,000 in 2022. It runs 12 sites. Nurses: 1,840.\n" +
          "Maintenance costs EUR 11.50 per pump and month. There are 50 pumps. Our grant of EUR 180,000 is 15 % of the investment.\n" +
          "A set of tubes costs EUR 0.70. The target is 85 %.",
      },
      {
        id: "2",
        text: "| Site | Answers | Satisfied |\n|---|---|---|\n| North | 640 | 88 % |\n| South | 400 | 72 % |\n| East | 550 | 91 % |",
      },
    ],
    results: [
      {
        id: "q1",
        columns: ["site", "staff_keur", "material_keur", "patients"],
        rows: [
          ["North", 8420, 2110, 61_200],
          ["South", 5080, 1420, 33_900],
          ["East", 7310, 1990, 52_800],
        ],
      },
    ],
  });

  test.each([
    ["Patients grew by 6.6 % a year over three years [1].", "7.6 %"],
    ["There are 224 patients per nurse [1].", "242"],
    ["Maintenance is EUR 575 a month [1].", "EUR 557"],
    ["The investment is EUR 1.2 million [1].", "EUR 1.7 million"],
    ["A thousand sets cost EUR 700 at 70 cents each [1].", "EUR 900"],
    ["In numbers, 563 of 640 were satisfied in the North [2].", "536"],
    ["A patient costs EUR 172 in the North.", "EUR 127"],
    ["The North has 40.0 % of the cost.", "44.0 %"],
  ])("%s", (answer, wrong) => {
    expect(findings(answer, evidence)).toEqual(["derived"]);
    const pattern = new RegExp(wrong.replace(/[\d.]+/, "[\\d.]+").replaceAll(/([€%])/g, "\\$1"));
    expect(findings(answer.replace(pattern, wrong), evidence)[0]).toMatch(/^figure/);
  });
});

describe("figures of things that the sentence names", () => {
  const evidence = evidenceOf({
    citations: [
      {
        id: "1",
        text: "The museum welcomed 238,400 visitors in 2025. School groups accounted for 41,900 of them. It runs 14 shops.\nA shop has 5.5 full-time jobs. Tickets brought EUR 18.4 million.",
      },
      { id: "2", text: "| Forfait | Adulte |\n|---|---|\n| Journée | 46 € |\n| 6 jours | 248 € |" },
    ],
    results: [
      {
        id: "q1",
        title: "Sales, SEK thousand",
        columns: ["product", "sales_2025_ksek", "sales_2026_ksek"],
        rows: [
          ["Rolls", 6875, 6510],
          ["Cakes", 3340, 4008],
        ],
      },
    ],
  });

  test.each([
    ["School groups made up 41,900 of the visitors [1], about 18 % of them.", "derived", "21 %"],
    ["All shops together have about 77 full-time jobs [1].", "derived", "97"],
    ["A visitor paid EUR 77 on average [1].", "derived", "EUR 97"],
    ["Le forfait de six jours coûte 248 € pour un adulte, plus que la journée [2].", "verified", "284 €"],
    ["Rolls lost SEK 365,000.", "derived", "SEK 356,000"],
  ])("%s", (answer, status, wrong) => {
    expect(findings(answer, evidence)).toEqual([status]);
    const pattern =
      /(?:EUR |SEK )?\d[\d,]*(?: %| €)?(?=(?: of them| full| on average| pour|)\.?$| of them| full| on average| pour)/;
    expect(findings(answer.replace(pattern, wrong), evidence)[0]).toMatch(/^figure/);
  });
});

describe("changes in percent", () => {
  const evidence = evidenceOf({
    citations: [{ id: "1", text: "The average payment rose from CHF 1,120 to CHF 1,260." }],
    results: [
      {
        id: "r1",
        title: "Fen records by year",
        columns: ["year", "records"],
        rows: [
          [2020, 131],
          [2025, 146],
        ],
      },
    ],
  });

  test.each([
    ["The average payment rose by 12.5% to CHF 1,260 [1].", "derived"],
    ["The average payment rose by 11.1% to CHF 1,260 [1].", "figure: 11.1%"],
    ["Records from the fen rose by 11.5% between 2020 and 2025, from 131 to 146.", "derived"],
    [
      "Records from the fen rose by 10.3% between 2020 and 2025, from 131 to 146.",
      "figure-in-no-result: 10.3%",
    ],
    ["L'affluence a progressé de 15 %, de 1 600 à 1 840 spectateurs [2].", "derived"],
    ["L'affluence a progressé de 13 %, de 1 600 à 1 840 spectateurs [2].", "figure: 13 %"],
  ])("are of the earlier value: %s", (answer, expected) => {
    const more = passages("Payments.", "Average attendance rose from 1,600 to 1,840 per match day.");
    const citations = [...evidence.citations, ...more.citations.slice(1)];
    expect(findings(answer, { ...evidence, citations })).toEqual([expected]);
  });
});

describe("operands with a count of the sentence", () => {
  const evidence = passages(
    "A day ticket costs CHF 75.60 and six days CHF 362.00. 58 % of the guests are Swiss. The laboratory tested 186 lots; eleven were refused.",
    "The night hours brought 21,957 visits from 27 April to 31 May 2026. It closes at 15:45, on Friday at 13:15.",
  );

  test.each([
    ["Six day tickets for CHF 453.60 cost # more [1].", "CHF 91.60", "CHF 96.10", ["75.60", "362.00"]],
    ["Guests from abroad are # of the total [1].", "42 %", "47 %", ["58 %"]],
    ["Of 186 lots eleven were refused, # [1].", "5.9 %", "6.4 %", ["186"]],
    ["They brought 21,957 visits, about # a night [2].", "627", "672", ["21,957", "27 April", "31 May 2026"]],
    ["On Friday it closes at 13:15, # earlier [2].", "2 h 30 min", "3 h 30 min", ["15:45", "13:15"]],
  ])("%s %s", (answer, right, wrong, operands) => {
    const check = (figure: string): readonly string[] =>
      findings(answer.replace("#", figure), evidence, { derived: [{ figure, operands }] });
    expect(check(right)[0]).toMatch(/^(?:derived|verified)$/);
    expect(check(wrong)[0]).toMatch(/^(?:figure|date): /);
  });
});

test("a total of a result is an operand", () => {
  const evidence = evidenceOf({
    citations: [],
    results: [
      {
        id: "r1",
        title: "Income",
        columns: ["segment", "amount"],
        rows: [
          ["Tickets", 900],
          ["Parking", 350],
        ],
      },
      { id: "r2", title: "Guests", columns: ["guests"], rows: [[412]] },
    ],
  });
  const derived = [{ figure: "3.03", operands: ["1,250", "412"] }];
  expect(findings("Income per guest was 3.03.", evidence, { derived })).toEqual(["derived"]);
});

test("months of a result are those with a year where its title has one without", () => {
  const months = ["2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08"];
  const evidence = evidenceOf({
    results: [
      {
        id: "q1",
        title: "Since March",
        columns: ["month", "visits"],
        rows: months.map((one, at) => [one, at * 37 + 911]),
      },
    ],
  });
  expect(findings("The table covers six months [q1].", evidence)).toEqual(["derived"]);
  expect(findings("The table covers 16 months [q1].", evidence)).toEqual(["figure: 16 months"]);
});

describe("a column that is named after a year", () => {
  const sales = evidenceOf({
    results: [
      {
        id: "r",
        columns: ["year", "revenue_eur_million", "growth_since_2023_percent"],
        rows: [
          [2023, 61.21, 0],
          [2024, 72.46, 18.4],
          [2025, 84.81, 38.6],
        ],
      },
    ],
  });

  test("is about the row of that year too, and about no other", () => {
    expect(findings("Since 2023 revenue has grown by 38.6 %.", sales)).toEqual(["verified"]);
    expect(findings("In 2024 revenue grew by 38.6 %.", sales)).toEqual(["figure-in-no-result: 38.6 %"]);
  });
});
