import { describe, expect, it } from "vitest";

import { tableWords } from "./in-brief.ts";
import { outline } from "./outline.ts";
import { readBriefing } from "./read-briefing.ts";

const NOW = Date.UTC(2026, 10, 21);
const slidesOf = (answer: string) =>
  outline(
    readBriefing(
      `Your task: Make a deck about leave\n\n## Result of step docs (rag-agent, completed; citations 1)\n${answer}`,
    ),
    NOW,
  ).slides;
const texts = (list: unknown): readonly string[] =>
  ((list ?? []) as readonly { readonly text: string }[]).map(({ text }) => text);

describe("a small briefing", () => {
  it("makes a small deck: one statement is title, statement and sources", () => {
    const slides = slidesOf("- Employees have 30 days of leave. [1]");
    expect(slides.map((slide) => slide["kind"])).toEqual(["title", "bullets", "sources"]);
    expect(slides[1]?.["title"]).toBe("Leave");
  });

  it("divides four statements that do not fit evenly, leaving no slide with a crumb", () => {
    const four = ["one", "two", "three", "four"].map(
      (n) => `- Statement ${n} says what the others do not say. [1]`,
    );
    const long = [
      ...four.slice(0, 3),
      "- Statement four says what the others do not say and a good deal more of it. [1]",
    ];
    expect(slidesOf(four.join("\n")).map((slide) => texts(slide["points"]).length)).toEqual([0, 4, 0]);
    const [, first, second] = slidesOf(long.join("\n"));
    expect([first, second].map((slide) => [slide?.["title"], texts(slide?.["points"]).length])).toEqual([
      ["Leave (1/2)", 2],
      ["Leave (2/2)", 2],
    ]);
  });
});

describe("what a step left out of what was asked", () => {
  const of = (...lines: readonly string[]) =>
    outline(
      readBriefing(
        `Your task: x\n\n## Result of step data (data-agent, partial; charts chart-1)\n${lines.join("\n")}`,
      ),
      NOW,
    );
  const lines = ['Not used: filter "bolivia": no column has that value.', 'Not used: no rule reads "tall".'];

  it("is told, and stands in the notes of the first slide of the step", () => {
    const { remarks, slides } = of(
      ...lines,
      "",
      "## Revenue by region [chart-1]",
      "- Nordics leads with 37 %.",
      "## Revenue by year",
      "- Revenue was EUR 2 million.",
    );
    expect(remarks).toEqual(lines.map((line) => line.replace(/\.$/, "")));
    expect(slides.map((slide) => slide["notes"])).toEqual([
      undefined,
      lines.join("\n"),
      undefined,
      undefined,
    ]);
  });

  it("is no finding that begins alike", () => {
    const { remarks, slides } = of("## Revenue [chart-1]", "- Not all regions grew: DACH fell.");
    expect(remarks).toEqual([]);
    expect(texts(slides[1]?.["more"])).toEqual(["Not all regions grew: DACH fell."]);
  });
});

describe("a large briefing", () => {
  it("keeps in the notes what no slide has room for", () => {
    const sixty = Array.from(
      { length: 60 },
      (_, i) => `- Statement ${i} says that it costs EUR ${i} million. [1]`,
    );
    const slides = slidesOf(sixty.join("\n")).filter((slide) => slide["kind"] === "bullets");
    expect(slides).toHaveLength(4);
    const shown = slides.flatMap((slide) => texts(slide["points"]));
    const noted = slides.flatMap((slide) => texts(slide["more"]));
    expect(new Set([...shown, ...noted]).size).toBe(60);
  });
});

it("shows every one of a set of short forms, over two slides where it must", () => {
  const answer = (count: number) =>
    slidesOf(
      Array.from({ length: count }, (_, n) => `- **Line ${n} of our pumps opens to all.** Said. [1]`).join(
        "\n",
      ),
    )
      .filter((slide) => slide["kind"] === "bullets")
      .map((slide) => texts(slide["points"]).length);
  expect(answer(4)).toEqual([4]);
  expect(answer(8)).toEqual([4, 4]);
});

it("gives a short form in the closing the year of its figure", () => {
  const section = (heading: string, line: string) => `## ${heading}\n- ${line} [1]`;
  const slides = slidesOf(
    [
      section(
        "Goals",
        "**Sales grow into a EUR 24 million business.** Sales reach EUR 15.0 million in 2026 and EUR 24.0 million in 2028.",
      ),
      section("Costs", "Costs stay at EUR 4 million in 2026."),
      section("People", "We hire 12 people in 2026."),
    ].join("\n"),
  );
  const closing = slides.find((slide) => slide["kind"] === "closing");
  expect(texts(closing?.["points"])[0]).toBe("Sales grow into a EUR 24 million business in 2028");
});

it("puts statements with dates in their order, the dates first", () => {
  const slides = slidesOf(
    [
      "- Fjord Edge runs inside the station from October 2027. [1]",
      "- Managers complete the course first, by 30 June 2026. [2]",
      "- Kompass opens to all employees by 30 September 2026. [3]",
    ].join("\n"),
  );
  expect(texts(slides[1]?.["points"])).toEqual([
    "By 30 June 2026: Managers complete the course first",
    "By 30 September 2026: Kompass opens to all employees",
    "From October 2027: Fjord Edge runs inside the station",
  ]);
});

it("sets statements under another as their title only where they are about the same", () => {
  const part = (n: number, other: string) =>
    `## How all parts of our company did in ${n}\n- Sales of pumps rose to EUR ${n}4 million in the year 2025. [1]\n- Customers renewed 94 percent of their pumps that came up for it. [1]\n- ${other} [1]`;
  const titlesOf = (other: string) =>
    slidesOf([1, 2, 3, 4].map((n) => part(n, other)).join("\n"))
      .filter((one) => one["kind"] === "bullets")
      .map((one) => one["title"]);
  expect(titlesOf("New pumps take 12 percent less current than the ones before.")).toContain(
    "Sales of pumps rose to EUR 14 million in the year 2025",
  );
  expect(titlesOf("Staff stayed 12 percent longer than in any of the years before.")).toContain(
    "How all parts of our company did in 1",
  );
});

it("has the figures of a part on its slide where not all of it has room", () => {
  const part = (n: number) =>
    `## Part ${n}\n- No pump of our company goes out without a test, a paper, a seal and two names on it. [1]\n- The trial ran with 64 pumps at nine sites from April to the end of the year. [1]\n- Leaks of the new pumps fell by 12 percent in the year after. [1]`;
  const slides = slidesOf([1, 2, 3, 4].map(part).join("\n")).filter((one) => one["kind"] === "bullets");
  expect(texts(slides.at(-1)?.["points"])).toEqual([
    "No pump of our company goes out without a test, a paper, a seal and two names on it",
    "Leaks of the new pumps fell by 12 percent in the year after.",
  ]);
});

it("puts what refers to the sentence before it in the notes where that may be missing", () => {
  const part = (n: number) =>
    `## Part ${n}\n- Sales of the whole company rose by ${n}4 percent in 2025. [1]\n- On these results the board decided to go on. [1]\n- In 2025 it cost EUR 3 million. [1]\n- Pumps run in the north. [1]`;
  const slides = slidesOf([1, 2, 3, 4].map(part).join("\n")).filter((one) => one["kind"] === "bullets");
  const first = slides.find((one) => JSON.stringify(one["title"]).startsWith('"Part 1'));
  expect(texts(first?.["points"]).join(" ")).toContain("Pumps run in the north");
  expect(texts(first?.["points"]).join(" ")).not.toMatch(/these results|it cost/);
  expect(texts(first?.["more"])).toEqual(expect.arrayContaining(["In 2025 it cost EUR 3 million."]));
});

it("reads headings and statements of any script", () => {
  const slides = slidesOf("## 水質監視の戦略\n- 監視局は四百か所ある。 [1]");
  expect(slides[1]).toMatchObject({ title: "水質監視の戦略", points: [{ text: "監視局は四百か所ある。" }] });
});

describe("a table", () => {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
    [row(columns), row(columns.map(() => "---")), ...rows.map(row), "Table from [2]"].join("\n");

  it("stands under the statement that says its numbers, which is its title", () => {
    const slides = slidesOf(
      `## Budget\n- We invest EUR 14.4 million in three years: EUR 4.2 million in 2026. [1]\n- The board releases it in tranches. [1]\n\n${table(
        ["Year", "EUR million"],
        [
          ["2026", "4.2"],
          ["Total", "14.4"],
        ],
      )}`,
    );
    expect(slides.map((slide) => slide["title"])).toEqual([
      "Leave",
      "Budget: We invest EUR 14.4 million in three years",
      "Budget in detail",
      "Sources",
    ]);
    expect(texts(slides[1]?.["more"])).toHaveLength(1);
  });

  it("of many dated rows goes over slides with what they span in their titles", () => {
    const rows = ["March", "April", "May", "June", "July", "August"].map((month) => [
      `1 ${month} 2026`,
      "The next line of pumps opens to all",
    ]);
    const slides = slidesOf(`## Plan\n- We open lines. [1]\n\n${table(["Date", "Milestone"], rows)}`);
    expect(slides.filter((slide) => slide["kind"] === "table").map((slide) => slide["title"])).toEqual([
      "Plan: March to May 2026",
      "Plan: June to August 2026",
    ]);
    expect(texts(slides[1]?.["more"])).toEqual(["We open lines."]);
  });

  it("of more rows than three slides take shows the first, and says so", () => {
    const rows = Array.from({ length: 30 }, (_, n) => [`Line ${n} opens to all`, "Our people stand ready"]);
    const titles = slidesOf(`## Plan\n- We open lines. [1]\n\n${table(["What", "How"], rows)}`)
      .filter((slide) => slide["kind"] === "table")
      .map((slide) => [slide["title"], (slide["rows"] as readonly unknown[]).length]);
    expect(titles).toEqual([["Plan: 4 of 30", 4]]);
  });

  it("of twelve columns of numbers is whole; one of many words is cut to slides and whole in their notes", () => {
    const months = ["Region", ...Array.from({ length: 11 }, (_, i) => `M${i}`)];
    const [, wide] = slidesOf(
      `## Months\n- Sales vary. [1]\n\n${table(months, [months.map((_, i) => `${i}.5`)])}`,
    );
    expect(wide?.["columns"]).toHaveLength(12);
    expect(wide).not.toHaveProperty("notes");

    const wordy = Array.from({ length: 15 }, (_, c) => `Long header ${c}`);
    const rows = Array.from({ length: 12 }, (_, r) => wordy.map((_, c) => `cell ${r} ${c} in words`));
    const slides = slidesOf(`## Words\n- Sales vary. [1]\n\n${table(wordy, rows)}`);
    const cut = slides[1];
    const shown = cut?.["rows"] as readonly (readonly string[])[];
    expect(shown.length).toBeGreaterThanOrEqual(3);
    const columns = (cut?.["columns"] ?? []) as readonly string[];
    expect(tableWords([...columns, ...shown.flat()])).toBeLessThanOrEqual(40);
    expect(slides.map((slide) => JSON.stringify(slide["notes"])).join("\n")).toContain("cell 11 14 in words");
  });
});
