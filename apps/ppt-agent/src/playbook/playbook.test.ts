import { withSubject } from "@troupe/core";
import type { ModelMessage, ModelRequest } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { deckTitle } from "./deck-title.ts";
import { outline } from "./outline.ts";
import { playbookAt } from "./playbook.ts";
import { readBriefing } from "./read-briefing.ts";

const NOW = Date.UTC(2026, 10, 21);
const playbook = playbookAt(virtualClock(NOW));

const prompt = `The goal of the whole run: Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures

Your task: Make the deck.

## Result of step documents (rag-agent, completed; citations 1, 2)
## Goals
- Cut false alarms by half by 2027 [1][2].
- Serve 40 utilities.

Some closing prose [2].

## Result of step sales (data-agent, completed; charts chart-1)
## Revenue by quarter [chart-1]
- Revenue grew 17 % in 2025.
- The second quarter was strongest.`;

const ask = (...after: readonly ModelMessage[]): ModelRequest => ({
  system: "",
  messages: [{ role: "user", text: prompt }, ...after],
  tools: [],
});

function answered(name: string, text: string, isError = false): readonly ModelMessage[] {
  return [
    { role: "assistant", text: "", toolCalls: [{ callId: name, name, arguments: "{}" }] },
    { role: "tool", results: [{ callId: name, name, text, isError }] },
  ];
}

const created = answered("powerpoint_create_presentation", "presentation_id: abcdef123456");

describe("readBriefing", () => {
  it("finds headings, statements and references of every step", () => {
    expect(readBriefing(prompt)).toEqual({
      objective:
        "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures",
      instruction: "Make the deck.",
      answers: [],
      without: [],
      unused: [],
      sections: [
        {
          step: "documents",
          heading: "Goals",
          charts: [],
          statements: [
            { text: "Cut false alarms by half by 2027.", citations: ["documents/1", "documents/2"] },
            { text: "Serve 40 utilities.", citations: [] },
            { text: "Some closing prose.", citations: ["documents/2"] },
          ],
        },
        {
          step: "sales",
          heading: "Revenue by quarter",
          charts: ["sales/chart-1"],
          statements: [
            { text: "Revenue grew 17 % in 2025.", citations: [] },
            { text: "The second quarter was strongest.", citations: [] },
          ],
        },
      ],
    });
  });
});

describe("a section whose statements have a short form", () => {
  const briefing = (lines: readonly string[]) =>
    readBriefing(
      `Your task: x\n\n## Result of step documents (rag-agent, completed; citations 1)\n## Goals\n${lines.join("\n")}`,
    );
  const points = (lines: readonly string[]) => {
    const slide = outline(briefing(lines), NOW).slides.find((one) => one["kind"] === "bullets");
    const shown = (slide?.["points"] ?? []) as readonly { readonly text: string }[];
    return shown.map((one) => one.text);
  };

  it("shows the short forms at a glance, each once", () => {
    const lines = ["one", "two", "three", "three"].map(
      (n) => `- **Warnings of type ${n} come early.** A whole sentence about ${n}. [1]`,
    );
    expect(points(lines)).toEqual([
      "Warnings of type one come early",
      "Warnings of type two come early",
      "Warnings of type three come early",
    ]);
  });

  it("shows the sentences when only some have one", () => {
    const lines = [
      "- **Warnings come early.** They come 60 hours ahead. [1]",
      "- Costs stay flat in 2026. [1]",
    ];
    expect(points(lines)).toEqual(["They come 60 hours ahead.", "Costs stay flat in 2026."]);
  });
});

describe("a table in an answer", () => {
  it("becomes a slide of its own, cell by cell, with its source", () => {
    const answer = [
      "## Goals",
      "- Lead time rises to 60 hours. [1]",
      "",
      "| Goal | 2025 | 2028 |",
      "| --- | --- | --- |",
      "| Lead time | 31 | 60 |",
      "",
      "Table from [2]",
      "## Risks",
      "- Alarms may be false. [3]",
    ].join("\n");
    const prompt = `Your task: x\n\n## Result of step documents (rag-agent, completed; citations 1, 2, 3)\n${answer}`;
    const { sections } = readBriefing(prompt);
    expect(sections.map((section) => [section.heading, section.statements.length])).toEqual([
      ["Goals", 1],
      ["Risks", 1],
    ]);
    expect(outline(readBriefing(prompt), NOW).slides.find((slide) => slide["kind"] === "table")).toEqual({
      kind: "table",
      title: "Goals: Lead time rises to 60 hours",
      // The heading names the first column.
      columns: ["", "2025", "2028"],
      rows: [["Lead time", "31", "60"]],
      sources: [
        { step: "documents", id: "1" },
        { step: "documents", id: "2" },
      ],
    });
  });
});

describe("the closing slide", () => {
  it("repeats the first cited statement of each section, a long one by its first clause", () => {
    const prompt = [
      "Your task: x",
      "## Result of step documents (rag-agent, completed; citations 1, 2)\n## Goals\n- Revenue will reach EUR 15 million in 2026, EUR 19 million in 2027, EUR 24 million in 2028 and more in each of the years after. [1]\n## Budget\n- AI costs EUR 4 million a year. [2]\n## Growth\n- Sales rose 12 % in 2025.",
    ].join("\n\n");
    const closing = outline(readBriefing(prompt), NOW).slides.find((slide) => slide["kind"] === "closing");
    expect(closing?.["points"]).toEqual([
      { text: "Revenue will reach EUR 15 million in 2026", sources: [{ step: "documents", id: "1" }] },
      { text: "AI costs EUR 4 million a year", sources: [{ step: "documents", id: "2" }] },
    ]);
  });
});

describe("deckTitle", () => {
  it.each([
    [
      "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures",
      "Norrvik's AI strategy",
    ],
    ["make a deck about our AI strategy from our documents, with the sales figures", "Our AI strategy"],
    ["Quarterly review", "Quarterly review"],
    ["Make a presentation of the findings for the audience that was chosen.", "Findings"],
    ["Make a deck about audience research for the board", "Audience research"],
    ["Make a deck about the incident of June 2025 in 5 slides", "The incident of June 2025"],
    ["Make a deck about leave (in 5 slides) for the management team.", "Leave"],
    ["Make a deck about leave for our staff, in at most 5 slides", "Leave"],
    ['Make a presentation "Season review 2026" for the board', "Season review 2026"],
    ["Make a deck about pumps for the north", "Pumps for the north"],
    ["Make a deck about the plan for the board room", "The plan for the board room"],
    ["Make a deck about quality in 5 regions", "Quality in 5 regions"],
    ["Please make me a short presentation", "Please make me a short presentation"],
    ["", "Presentation"],
  ])("makes %j the title %j", (request, title) => {
    expect(deckTitle(request)).toBe(title);
  });

  it.each([
    ["Create a presentation about our AI strategy with the sales figures.", true, "Our AI strategy"],
    [
      "Create a presentation about our AI strategy with the sales figures.",
      false,
      "Our AI strategy with the sales figures",
    ],
    ["Make a deck about quality and our sales process", true, "Quality and our sales process"],
  ])("of %j with charts (%j) is %j", (request, hasCharts, title) => {
    expect(deckTitle(request, "", hasCharts)).toBe(title);
  });

  it("is the subject a planner read, where there is one", () => {
    const instruction = withSubject("Create it.", { kind: "overview", subject: "water quality" });
    expect(deckTitle("A deck for the board on 12 May about water quality", instruction)).toBe(
      "Water quality",
    );
  });
});

it("is not held up by a long request or statement, nor by many", () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `- Statement ${i} costs EUR ${i} million. [1]`);
  expect(
    outline(readBriefing(`Your task: x\n\n## Result of step one (a, completed)\n${many.join("\n")}`), NOW)
      .slides,
  ).toHaveLength(6);
  for (const filler of [" ", ".", "and its "]) {
    const long = `a${filler.repeat(300_000)}b`;
    expect(deckTitle(long).length).toBeLessThanOrEqual(120);
    const { sections } = readBriefing(`Your task: x\n\n## Result of step one (a, completed)\n- ${long}`);
    expect(sections).toHaveLength(1);
  }
});

describe("the ppt playbook", () => {
  it("creates first", () => {
    expect(playbook(ask()).calls?.map((call) => call.name)).toEqual(["powerpoint_create_presentation"]);
  });

  it("adds every slide with the presentation's id and references to what it was handed", () => {
    const calls = playbook(ask(...created)).calls ?? [];
    expect(calls.every((call) => call.arguments["presentation_id"] === "abcdef123456")).toBe(true);
    const slides = calls.map((call) => call.arguments["slide"] as { kind: string });
    expect(slides.map((slide) => slide.kind)).toEqual(["title", "bullets", "chart", "sources"]);
    expect(slides[1]).toMatchObject({
      points: [
        {
          sources: [
            { step: "documents", id: "1" },
            { step: "documents", id: "2" },
          ],
        },
        {},
        {},
      ],
    });
    expect(slides[2]).toMatchObject({
      title: "Sales figures: Revenue grew 17 % in 2025",
      chart: { step: "sales", id: "chart-1" },
    });
  });

  it("saves last and finishes with what it made", () => {
    const added = answered("powerpoint_add_slide", "added");
    const saving = playbook(ask(...created, ...added)).calls?.[0];
    expect(saving).toMatchObject({
      name: "powerpoint_save_presentation",
      arguments: { file_name: "norrvik-s-ai-strategy.pptx" },
    });
    const saved = answered("powerpoint_save_presentation", "saved");
    const finish = playbook(ask(...created, ...added, ...saved)).calls?.[0];
    expect(finish).toMatchObject({ name: "finish", arguments: { is_task_complete: true } });
  });

  it("tells what another step left out of what was asked, and is then done in part", () => {
    const text = prompt.replace("## Revenue by quarter", 'Not used: filter "bolivia": none has it.\n\n$&');
    const request = ask(
      ...created,
      ...answered("powerpoint_add_slide", "added"),
      ...answered("powerpoint_save_presentation", "saved"),
    );
    const finish = playbook({ ...request, messages: [{ role: "user", text }, ...request.messages.slice(1)] });
    expect(finish.calls?.[0]?.arguments).toMatchObject({
      is_task_complete: false,
      content: expect.stringMatching(/\nNot used: filter "bolivia": none has it\.$/) as unknown,
    });
  });

  it("names statements that the saved file does not have from its sources, and is not complete", () => {
    const added = answered("powerpoint_add_slide", "added");
    const saved = answered(
      "powerpoint_save_presentation",
      'Saved "x.pptx" with 2 slides.\nNot found in the sources, as the notes of these slides say:\n' +
        '- slide 1, title: "Margin is 71 %": 71 % was not found. Change it with powerpoint_populate_placeholder (title).\n' +
        "Correct these and save again.",
    );
    const end = playbook(ask(...created, ...added, ...saved)).calls?.[0];
    expect(end).toMatchObject({ name: "finish", arguments: { is_task_complete: false } });
    expect(end?.arguments["content"]).toMatch(
      /\nNot found in the sources:\n- slide 1, title: "Margin is 71 %": 71 % was not found\.$/,
    );
  });

  it("never claims success when a tool failed", () => {
    const failed = answered("powerpoint_create_presentation", "disk full", true);
    expect(playbook(ask(...failed)).calls?.[0]).toMatchObject({
      name: "finish",
      arguments: { is_task_complete: false },
    });
    const halfAdded = answered("powerpoint_add_slide", "bad chart", true);
    const saved = answered("powerpoint_save_presentation", "saved");
    const end = playbook(ask(...created, ...halfAdded, ...saved)).calls?.[0];
    expect(end?.arguments).toMatchObject({ is_task_complete: false });
    expect(end?.arguments["content"]).toContain("1 of 1 slides could not be made");
  });

  it("asks for findings when it is used without the orchestrator", () => {
    const request = { ...ask(), messages: [{ role: "user" as const, text: "Make a deck about tides" }] };
    expect(playbook(request).calls?.[0]?.arguments["content"]).toBe(
      "No presentation was made: no findings came with this request. Ask the orchestrator, which looks up documents and data first and passes on what it finds.",
    );
  });

  it("names the steps that found nothing, what they said, and what to do", () => {
    const text = [
      "Your task: Make a deck about tides",
      "## Result of step documents (rag-agent, completed)\nThe documents do not say.\n\nLooked for: tides.",
      "## Result of step figures (data-agent, failed)\nNo table has that.",
    ].join("\n\n");
    const request = { ...ask(), messages: [{ role: "user" as const, text }] };
    expect(playbook(request).calls?.[0]?.arguments).toMatchObject({
      is_task_complete: false,
      content:
        "No presentation was made: the steps before it found nothing to put on slides.\n\n" +
        "- **documents**: The documents do not say.\n- **figures**: No table has that.\n\n" +
        "Ask about a subject by the words your documents use, or add documents about it with the `ingest` command.",
    });
  });
});
