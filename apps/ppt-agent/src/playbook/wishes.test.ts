import { withChange } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { outline } from "./outline.ts";
import { readBriefing } from "./read-briefing.ts";
import { readWishes } from "./wishes.ts";

const research = ["Goals", "Risks", "Budget", "Staff"]
  .map((heading, i) => `## ${heading}\n- ${heading} take EUR ${i + 2} million a year. [${i + 1}]`)
  .join("\n");
const prompt = (answers: string, asked = "Make a deck about AI") =>
  `The goal of the whole run: ${asked}\n\nYour task: x\n\n## Result of step research (rag-agent, completed; citations 1)\n${research}${answers}`;
const form = (...lines: string[]) => `\n\n## Result of step form (, completed)\n${lines.join("\n")}`;
const deck = (answers: string, asked?: string) =>
  outline(readBriefing(prompt(answers, asked)), Date.UTC(2026, 10, 21));

describe("what is asked of a deck since it was made", () => {
  const again = (first: string, ...changes: readonly string[]) => {
    const instruction = changes.reduce(
      withChange,
      `Create what was asked for: "${first}"\nUse the findings.`,
    );
    const asked = prompt("", changes.at(-1) ?? first).replace("Your task: x", `Your task: ${instruction}`);
    return outline(readBriefing(asked), Date.UTC(2026, 10, 21));
  };
  const all = again("Make a deck about AI").slides.length;

  it("counts, the latest over those before and over the first request", () => {
    expect(all).toBeGreaterThan(6);
    expect(again("Make 6 slides about AI", "now make it 5 slides").slides).toHaveLength(5);
    expect(again("Make a deck about AI", "only four slides", "in 6 slides, please").slides).toHaveLength(6);
    expect(again("Make a deck about AI", "now make it 5 slides").remarks).toContain(
      "Limited to 5 slides: other slides are left out",
    );
  });

  it("is shorter each time than the one before, down to four", () => {
    expect(again("Make a deck about AI", "shorter").slides).toHaveLength(Math.floor((all * 2) / 3));
    expect(again("Make 6 slides about AI", "make it shorter", "even shorter", "shorter").slides).toHaveLength(
      4,
    );
    expect(again("Make a deck about AI", "shorter", "now make it 6 slides").slides).toHaveLength(6);
  });

  it("leaves room for what is added, and keeps whom it is for", () => {
    expect(again("Make 5 slides about AI for the board", "add the sales figures").slides).toHaveLength(6);
    const { slides, remarks } = again("Make a deck about AI for the board", "now make it 5 slides");
    expect(slides[0]).toMatchObject({ subtitle: "For: the board" });
    expect(again("Make a deck about AI", "for the management").slides[0]).toMatchObject({
      subtitle: "For: the management",
    });
    expect(remarks).toHaveLength(1);
  });

  it("is named where no rule follows it", () => {
    expect(again("Make a deck about AI", "make it blue").remarks).toEqual([
      "Not used: asked since: make it blue",
    ]);
    expect(again("Make a deck about AI", "try again").remarks).toEqual([]);
  });
});

describe("answers of a form", () => {
  it("set title, audience, presenter and date", () => {
    const { title, slides, remarks } = deck(
      form("Who is it for?: Board", "Title: Our plan", "Presenter: Ingrid Solberg", "Date: 3 December 2026"),
    );
    expect(title).toBe("Our plan");
    expect(slides[0]).toMatchObject({
      title: "Our plan",
      subtitle: "For: Board",
      author: "Ingrid Solberg",
      date: "3 December 2026",
    });
    expect(remarks).toEqual([]);
  });

  it("set the audience before the one that the request names", () => {
    const asked = "Make a deck about AI for the board";
    expect(deck("", asked).title).toBe("AI");
    expect(deck("", asked).slides[0]).toMatchObject({ subtitle: "For: the board" });
    expect(deck(form("Audience: Staff"), asked).slides[0]).toMatchObject({ subtitle: "For: Staff" });
  });

  it("bring the part they dwell on to the front", () => {
    const { slides } = deck(form("What should it dwell on?: the risks"));
    expect(slides.map((slide) => slide["title"])).toEqual(expect.arrayContaining(["Risks"]) as unknown);
    expect(slides[2]?.["title"]).toBe("Risks");
  });

  it("say so where no part is about what they dwell on", () => {
    expect(deck(form("Focus: Patents")).remarks).toEqual(['Not used: no part is about "Patents"']);
  });

  it("limit the slides: agenda and closing go before what was found", () => {
    const { slides, remarks } = deck(form("How many slides?: 6"));
    expect(slides.map((slide) => slide["title"])).toEqual([
      "AI",
      "Goals",
      "Risks",
      "Budget",
      "Staff",
      "Sources",
    ]);
    expect(remarks).toEqual(["Limited to 6 slides: other slides are left out"]);
    expect(deck("", "Make a 4-slide deck about AI").slides).toHaveLength(4);
  });

  it("that cannot be followed are said, and none becomes a slide", () => {
    const { slides, remarks } = deck(form("Tone: formal", "Slides: as many as it takes", "Language: "));
    expect(remarks).toEqual(["Not used: Tone: formal", "Not used: Slides: as many as it takes"]);
    expect(JSON.stringify(slides)).not.toContain("formal");
  });

  it("are each used once", () => {
    const answers = [
      { label: "Audience", value: "Board" },
      { label: "Other readers", value: "Staff" },
    ];
    expect(readWishes(answers, "")).toEqual({ audience: "Board", unused: [answers[1]] });
  });
});

describe("a step that came to nothing", () => {
  it("has no slide", () => {
    const failed = "\n\n## Result of step data (data-agent, partial)\nThe data could not be read.";
    const { slides, remarks } = deck(failed);
    expect(JSON.stringify(slides)).not.toContain("could not be read");
    expect(remarks).toEqual(["Not used: step data, which came to no finding"]);
  });
});
