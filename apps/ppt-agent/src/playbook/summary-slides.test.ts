import { describe, expect, it } from "vitest";

import { outline } from "./outline.ts";
import { readBriefing } from "./read-briefing.ts";

const NOW = Date.UTC(2026, 10, 21);
const parts = [
  "## Summary\n- **We own our pumps.** The company owns its pumps from 2027. [1]\n- **One owner.** Ida Berg owns the plan. [1]",
  "## Goals\n- Leaks will fall by 30 percent by 2028. [2]",
  "## Budget\n- The plan costs EUR 5 million: EUR 2 million in 2026 and the rest later. [3]\n- The board releases it. [3]",
  "## People\n- Everyone is trained. [4]",
];
const plan =
  "## Timeline\n- The plan has three steps. [5]\n\n| Date | Step | Owner |\n| --- | --- | --- |\n| 1 May 2026 | Pumps are bought | Ida Berg |\n| 31 March 2027 | Pumps run in the north | Nils Holm |\n| June 2027 | Pumps run everywhere | Ida Berg |\n\nTable from [5]";
const data =
  "\n\n## Result of step sales (data-agent, completed; charts chart-1)\n## Sales by year [chart-1]\n- Sales rose 12 % in 2025.";
const slidesOf = (research: readonly string[], now = NOW, figures = data) =>
  outline(
    readBriefing(
      `The goal of the whole run: Make a deck about our water plan\n\nYour task: x\n\n## Result of step docs (rag-agent, completed; citations 1)\n${research.join("\n")}${figures}`,
    ),
    now,
  ).slides;
const texts = (list: unknown): readonly string[] =>
  ((list ?? []) as readonly { readonly text: string }[]).map(({ text }) => text);

describe("the deck in short", () => {
  const slides = slidesOf([...parts, plan]);

  it("has what the parts say with figures, the data too, and the summary's own words in its notes", () => {
    expect(slides[1]).toMatchObject({
      title: "Summary",
      data: [{ step: "sales", id: "chart-1" }],
    });
    expect(texts(slides[1]?.["points"])).toEqual([
      "Leaks will fall by 30 percent by 2028",
      "The plan costs EUR 5 million",
      "Sales rose 12 % in 2025",
    ]);
    expect(texts(slides[1]?.["more"])).toContain("Ida Berg owns the plan.");
  });

  it("begins with the documents' own short forms and what is announced before them, then has figures by time", () => {
    const own = [
      "## Summary",
      "- Our plan has one ambition: water for all. [1]",
      "- **We own our pumps.** The company owns its pumps from 2027. [1]",
      "- **One owner.** Ida Berg owns the plan. [1]",
      "- **Pumps move north.** They run in the north from 2028. [1]",
    ].join("\n");
    const goals = "## Goals\n- **Sales grow to EUR 9 million.** Sales will reach EUR 9 million in 2028. [2]";
    const results = "## Results\n- Sales rose to EUR 4 million in 2025. [3]";
    const all = `${data}\n| Year | Sales |\n| --- | --- |\n| 2025 | 4 |\n\nTable from a.csv: 9 rows.`;
    const [, first, second] = slidesOf([own, goals, results, ...parts.slice(2)], NOW, all);
    expect(first).toMatchObject({ title: "Summary" });
    expect(texts(first?.["points"])).toEqual([
      "One ambition: water for all",
      "We own our pumps",
      "One owner",
      "Pumps move north",
    ]);
    expect(second).toMatchObject({ title: "In figures" });
    expect(texts(second?.["points"])).toEqual([
      "Sales rose to EUR 4 million in 2025",
      "Target 2028: Sales grow to EUR 9 million",
      "The plan costs EUR 5 million",
      "Total sales rose 12 % in 2025",
    ]);
  });

  it("stands before the agenda, which lists the parts and the data", () => {
    expect(slides[2]).toMatchObject({
      kind: "agenda",
      items: ["Goals", "Budget", "People", "Timeline", "Sales figures"],
    });
  });

  it("is the documents' own summary where too little has a figure", () => {
    const [, , summary] = slidesOf([
      parts[0] ?? "",
      "## A\n- One. [1]",
      "## B\n- Two. [1]",
      "## C\n- Three. [1]",
    ]);
    expect(texts(summary?.["points"])).toEqual([
      "The company owns its pumps from 2027.",
      "Ida Berg owns the plan.",
    ]);
  });
});

describe("the closing slide", () => {
  const closing = (now: number) =>
    slidesOf([...parts, plan], now).find((slide) => slide["kind"] === "closing");

  it("has the goal, the money and the next date", () => {
    expect(closing(NOW)).toMatchObject({
      title: "What to remember",
      points: [
        { text: "Leaks will fall by 30 percent by 2028" },
        { text: "The plan costs EUR 5 million" },
        { text: "Planned for 31 March 2027: Pumps run in the north", sources: [{ step: "docs", id: "5" }] },
      ],
    });
  });

  it("has what is due next where no summary has a goal", () => {
    const slides = slidesOf([plan, "## A\n- One. [1]", "## B\n- Two. [1]"]);
    expect(slides.find((slide) => slide["kind"] === "closing")).toEqual({
      kind: "closing",
      title: "What comes next",
      points: [
        { text: "31 March 2027: Pumps run in the north", sources: [{ step: "docs", id: "5" }] },
        { text: "June 2027: Pumps run everywhere", sources: [{ step: "docs", id: "5" }] },
      ],
    });
  });

  it("repeats no short form that is the heading of one statement alone", () => {
    const lone =
      "## Posts\n- **If a post stays open.** A post goes back after 120 days. [6]\n- It is filled in May. [6]";
    const slides = slidesOf([lone, "## A\n- One is 14 percent. [1]", "## B\n- Two. [1]"]);
    const end = slides.find((slide) => slide["kind"] === "closing");
    expect(texts(end?.["points"])).toEqual(["A post goes back after 120 days", "One is 14 percent"]);
  });

  it("begins with what the first part says first", () => {
    const slides = slidesOf([
      "## Result\n- Our own pumps beat the rented ones. [1]",
      "## A\n- One is 14 percent. [2]",
      "## B\n- Two are people. [3]",
      "## C\n- Three cost EUR 5 million. [4]",
    ]);
    const end = slides.find((slide) => slide["kind"] === "closing");
    expect(texts(end?.["points"])).toEqual([
      "Our own pumps beat the rented ones",
      "One is 14 percent",
      "Three cost EUR 5 million",
    ]);
  });

  it("repeats no message of the summary when nothing is due any more", () => {
    const { title, points } = closing(Date.UTC(2030, 0, 1)) ?? {};
    expect(title).toBe("What to remember");
    expect(texts(points)).not.toContain("The plan costs EUR 5 million");
  });
});

it("says of when a plan is whose document has a date", () => {
  const slides = slidesOf([...parts, `${plan}, published 2026-01-22`]);
  expect(slides.find((slide) => slide["kind"] === "table")?.["title"]).toBe(
    "Timeline: The plan has three steps (plan of January 2026, status unknown)",
  );
});

it("says of when results so far are, where they fit beside it", () => {
  const table =
    "| What | Before | Now |\n| --- | --- | --- |\n| Leaks | 9 | 4 |\n| Visits | 8 | 5 |\nTable from [6], published 2026-01-22";
  const so = `## Results so far\n- We cut leaks by 12 percent in a year. [6]\n- We sold 40 percent more pumps. [6]\n\n${table}`;
  const titles = slidesOf([so, "## A\n- One. [1]"]).map((slide) => slide["title"]);
  expect(titles).toContain("Results so far (January 2026)");
});

it("dates the cover", () => {
  expect(slidesOf([...parts, plan])[0]).toMatchObject({ date: "21 November 2026" });
});
