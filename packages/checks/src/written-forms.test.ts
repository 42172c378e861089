import { describe, expect, test } from "vitest";

import { passages } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";

const ANNUAL = passages(
  "Revenue was EUR 12.4 million in 2025, up from EUR 11.1 million in 2024. The software margin was 71.2 %. " +
    "The company employs 342 people in Oslo and Bergen. Anna Lindholm is chief executive.",
);
const INVENTED = "Revenue was EUR 18.7 million in 2025 [1].";
const TRUE = "Revenue was EUR 12.4 million in 2025 [1].";

describe("what is in a fence", () => {
  test.each([
    ["```markdown", "```"],
    ["```text", "```"],
    ["```", "```"],
    ["~~~", "~~~"],
    ["```python", "```"],
  ])("is compared where it is prose: %s", (open, close) => {
    expect(findings(`${open}\n${INVENTED}\n${close}`, ANNUAL)).toEqual(["figure: 18.7 million"]);
    expect(findings(`${TRUE}\n\n${open}\n${INVENTED}\n${close}`, ANNUAL)).toEqual([
      "verified",
      "figure: 18.7 million",
    ]);
    expect(findings(`${open}\n${TRUE}\n${close}`, ANNUAL)).toEqual(["verified"]);
  });

  test.each(["```python\nretries = 99\n```", "```\nrun --retries 99\n```"])("is not as code: %j", (block) => {
    expect(findings(`${TRUE}\n${block}`, ANNUAL)).toEqual(["verified"]);
  });
});

describe("figures in brackets", () => {
  const trial = passages(
    "The hazard ratio for death was 0.71 (95 % CI 0.55 to 0.93). See x[3] and 5 of [12].",
  );

  test.each([
    ["The hazard ratio was 0.71, 95 % CI [0.12, 3.93] [1].", ["figure: 0.12, 3.93"]],
    ["The hazard ratio was 0.71, 95 % CI [0.55, 0.93] [1].", ["verified"]],
    ["The hazard ratio was 0.71 [0.12; 3.93] [1].", ["figure: 0.12, 3.93"]],
    ["The hazard ratio was [0.71] [1].", ["verified"]],
    ["The hazard ratio was [0.17] [1].", ["figure: 0.17"]],
    ["The hazard ratio was 0.71 [0, 44] [1].", ["figure: 44"]],
    ["Then x[3] and 5 of [12] [1].", ["verified"]],
    ["Then x[4] [1].", ["figure: 4"]],
    ["The ratio was 0.71[44].", ["uncited: 0.71, 44"]],
    ["- [x] The hazard ratio was 0.71 [1].", ["verified"]],
  ])("are compared: %s", (answer, expected) => {
    expect(findings(answer, trial)).toEqual(expected);
  });

  test.each([
    ["Revenue was [18.7] million [1].", ["figure: 18.7 million"]],
    ["Revenue was [12.4] million [1].", ["verified"]],
    ["Revenue was [EUR 12.4 million] in 2025 [1].", ["verified"]],
    ["Revenue was [EUR 18.7 million] in 2025 [1].", ["figure: 18.7 million"]],
  ])("with a unit are compared: %s", (answer, expected) => {
    expect(findings(answer, ANNUAL)).toEqual(expected);
  });
});

test.each([
  "[99†source]",
  "[Source 99]",
  "[doc 99]",
  "[#99]",
  "[ref99]",
  "[99, p. 4]",
  "[99a]",
  "[^99]",
  "[**99**]",
  "［99］",
  "【99†L1】",
  "[1-99]",
])("a mark that no source has is unknown: %s", (mark) => {
  expect(findings(`Revenue was EUR 12.4 million ${mark}.`, ANNUAL)).toEqual(["unknown: [99]"]);
});

test.each(["[1†source]", "[Source 1]", "[doc 1]", "[#1]", "[ref1]", "[1, p. 99]", "[1a]", "[^1]", "[**1**]"])(
  "a known mark is a citation: %s",
  (mark) => {
    expect(findings(`Revenue was EUR 12.4 million ${mark}.`, ANNUAL)).toEqual(["verified"]);
    expect(findings(`Revenue was EUR 18.7 million ${mark}.`, ANNUAL)).toEqual(["figure: 18.7 million"]);
  },
);

describe("digits of other scripts", () => {
  test.each([
    "Revenue was EUR １８.７ million [1].",
    "Revenue was EUR ١٨٫٧ million [1].",
    "Revenue was EUR ۱۸٫۷ million [1].",
    "Revenue was EUR १८.७ million [1].",
    "Revenue was EUR 𝟏𝟖.𝟕 million [1].",
    "Revenue was EUR ¹⁸.⁷ million [1].",
  ])("are compared: %s", (answer) => {
    expect(findings(answer, ANNUAL)).toEqual(["figure: 18.7 million"]);
  });

  test.each([
    ["The software margin was ９３％ [1].", ["figure: 93%"]],
    ["The software margin was ⁹³ % [1].", ["figure: 93 %"]],
    ["The software margin was ₉₃ % [1].", ["figure: 93 %"]],
    ["The software margin was ７１.２ ％ [1].", ["verified"]],
    ["Revenue was EUR ١٢٫٤ million [1].", ["verified"]],
    ["Revenue² was EUR 12.4 million³ in 2025⁴ [1].", ["verified"]],
    ["Revenue ² was EUR 12.4 million ³ [1].", ["verified"]],
  ])("are compared, and footnotes are not: %s", (answer, expected) => {
    expect(findings(answer, ANNUAL)).toEqual(expected);
  });

  test("are read in sources, and in m² and m³", () => {
    const plant = passages("The hall has ４２ m² and १७ m³ of water.");
    expect(findings("The hall has 42 m² and 17 m³ of water [1].", plant)).toEqual(["verified"]);
    expect(findings("The hall has 42 m³ of water [1].", plant)).toEqual(["unit: 42 m³"]);
  });

  test("are read in JSON", () => {
    expect(findings('{"revenue": "EUR １８.７ million"}', ANNUAL, { format: "json" })).toEqual([
      "uncited: 18.7 million",
    ]);
  });
});

describe("the head of a table", () => {
  test.each([
    ["| Revenue | EUR 18.7 million [1] |", ["figure: 18.7 million", "verified"]],
    ["| Revenue | EUR 12.4 million [1] |", ["verified", "verified"]],
    ["| Revenue | EUR 18.7 million |", ["figure: 18.7 million", "verified"]],
    ["| Margin above 93 % | Siemens |", ["figure: 93 %", "verified"]],
  ])("is compared where it has figures: %s", (head, expected) => {
    expect(findings(`${head}\n|---|---|\n| Margin [1] | 71.2 % |`, ANNUAL)).toEqual(expected);
    expect(
      findings(`# Year\n\nIt was good [1].\n\n${head}\n|---|---|\n| Margin [1] | 71.2 % |`, ANNUAL),
    ).toEqual(["verified", ...expected]);
  });

  test.each([
    "| Metric | 2019 |",
    "| Metric | Q3 2019 |",
    "| Metric | May 2019 |",
    "| Metric | Option 2 |",
    "| Metric | EUR 1,000 |",
    "| Siemens | Change |",
  ])("is not compared with years and numbers of columns: %s", (head) => {
    expect(findings(`${head}\n|---|---|\n| Margin [1] | 71.2 % |`, ANNUAL)).toEqual(["verified"]);
  });
});

describe("number words", () => {
  const staff = passages(
    "The company employs 342 people, 93 of them in Bergen. It has 520,000 customers, and the margin was 71 %. " +
      "The fund holds 1.2 million euros and pays 1 % a year.",
  );

  test.each([
    ["fr", "La marge était de quatre-vingt-treize pour cent [1].", ["figure: quatre-vingt-treize pour cent"]],
    ["fr", "La marge était de soixante-et-onze pour cent [1].", ["verified"]],
    ["fr", "La marge était de soixante-quinze pour cent [1].", ["figure: soixante-quinze pour cent"]],
    ["fr", "Il y a quatre-vingt-treize personnes à Bergen [1].", ["verified"]],
    ["it", "Il margine era del novantatré per cento [1].", ["figure: novantatré per cento"]],
    ["it", "A Bergen sono novantatré persone [1].", ["verified"]],
    ["it", "A Bergen sono ottantotto persone [1].", ["figure: ottantotto"]],
    ["nl", "De marge was drieënnegentig procent [1].", ["figure: drieënnegentig procent"]],
    ["nl", "Er werken drieënnegentig mensen in Bergen [1].", ["verified"]],
    ["es", "La empresa emplea a novecientas personas [1].", ["figure: novecientas"]],
    ["es", "La empresa emplea a trescientas cuarenta y dos personas [1].", ["verified"]],
    ["es", "El margen fue del ochenta y ocho por ciento [1].", ["figure: ochenta y ocho por ciento"]],
    ["en", "It has half a million customers [1].", ["verified"]],
    ["en", "It has half a billion customers [1].", ["figure: half a billion"]],
    ["en", "The fund holds over a million euros [1].", ["verified"]],
    ["en", "It has a billion customers [1].", ["unit: a billion"]],
    ["en", "It has a thousand people [1].", ["unit: a thousand"]],
    ["en", "It has hundreds of thousands of customers [1].", ["verified"]],
    ["en", "It has tens of thousands of customers [1].", ["figure: tens of thousands"]],
    ["en", "It has hundreds of millions of customers [1].", ["figure: hundreds of millions"]],
    ["en", "The fund pays one percent a year [1].", ["verified"]],
    ["en", "The margin was one percent [1].", ["verified"]],
    ["en", "The company employs three hundred and forty-two people [1].", ["verified"]],
    [
      "en",
      "The company employs nine hundred and forty-two people [1].",
      ["figure: nine hundred and forty-two"],
    ],
    ["en", "The margin was seventy one percent [1].", ["verified"]],
    ["en", "It is between seventy one and three hundred and forty-two [1].", ["verified"]],
    ["en", "It is between ninety-three and three hundred and forty-two [1].", ["verified"]],
    ["en", "It is between twenty and five million [1].", ["figure: twenty, five million"]],
    ["en", "A person or one of the customers has an account [1].", ["verified"]],
    ["de", "Die Firma beschäftigt neunhundert Menschen [1].", ["figure: neunhundert"]],
    ["de", "Es sind eine halbe Million Kunden [1].", ["verified"]],
  ])("are compared in %s: %s", (language, answer, expected) => {
    expect(findings(answer, staff, { language })).toEqual(expected);
  });

  test.each([
    "La società impiega novecento persone a Oslo [1].",
    "La empresa emplea a novecientas personas en Oslo [1].",
    "Het bedrijf heeft negenhonderd medewerkers in Oslo [1].",
    "De marge was drieënnegentig procent [1].",
  ])("are compared where the language is not known: %s", (answer) => {
    expect(findings(answer, staff)).toEqual([expect.stringMatching(/^figure: /)]);
  });

  test("of one percent are not found where the passage has none", () => {
    expect(findings("The margin was one percent [1].", ANNUAL)).toEqual(["figure: one percent"]);
  });
});

describe("a table whose rows have no outer bars, as those of PDF files", () => {
  const budget = passages(
    "Initiative | Owner | Budget 2026-2028, EUR million | Measure\n" +
      "Foresight 2 | Elin Dahl | 4.7 | Lead time\n" +
      "Watershed data platform | Piotr Zielinski | 2.7 | Sources migrated\n" +
      "Total | Amina Rahimi | 14.4 |",
  );

  test.each([
    ["Foresight 2 (Elin Dahl, EUR 4.7 million) is the largest initiative [1].", ["verified"]],
    ["The Watershed data platform has a budget of EUR 2.7 million [1].", ["verified"]],
    ["Foresight 2 has a budget of EUR 4.7 billion [1].", ["unit: 4.7 billion"]],
    ["Foresight 2 has a budget of EUR 5.7 million [1].", ["figure: 5.7 million"]],
  ])("has units in its head and figures of its rows: %s", (sentence, found) => {
    expect(findings(sentence, budget)).toEqual(found);
  });

  test("has no units of the table before it", () => {
    const parcels = passages(
      "Parcel | Weight (kg)\nNorth | 5\nSouth | 8\n\nPostage by office, in EUR.\n\nLund | 35\nMalmö | 61",
    );
    expect(findings("Malmö costs EUR 61 [1].", parcels)).toEqual(["verified"]);
    expect(findings("South weighs 8,000 g [1].", parcels)).toEqual(["verified"]);
  });

  test("is no row where one line has a bar", () => {
    const option = passages("Set mode to fast | slow. The limit is 40 files and 12 GB.");
    expect(findings("The limit is 40 files [1].", option)).toEqual(["verified"]);
  });
});

test.each([
  ["Rent halved to £240, and members tripled to 1,318 [1].", "verified"],
  ["Members tripled from 412 to 1,318 [1].", "verified"],
  ["Members quadrupled from 412 to 1,318 [1].", "figure: quadrupled"],
])("compares a multiple with the figures that it is about: %s", (sentence, found) => {
  const club = passages("Members rose from 412 to 1,318. Rent fell from £500 to £240.");
  expect(findings(sentence, club)).toEqual([found]);
});
