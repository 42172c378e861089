import { withChange, type ModelRequest } from "@troupe/core";
import { answered, ask } from "@troupe/models/testing";
import { describe, expect, it } from "vitest";

import { FACETS } from "./facets.ts";
import { playbook } from "./playbook.ts";

const search = answered("rag_search", ["[1] a passage"]);
const covered = answered("cite_sources", ["Every statement is covered."]);
const callsOf = (request: ModelRequest) => playbook(request).calls ?? [];
const endOf = (request: ModelRequest) => callsOf(request)[0]?.arguments;

describe("the rag playbook", () => {
  it("asks one question once, in the words it was asked", () => {
    expect(
      callsOf(
        ask(
          "The goal of the whole run: x\n\nYour task: How many days of leave?\n\nExpected output: a number",
        ),
      ).map((call) => call.arguments),
    ).toEqual([
      { query: "How many days of leave?", limit: 6 },
      { subject: "How many days of leave?", max_sentences: 5 },
    ]);
  });

  it("answers with the sentences found and their sources, checked", () => {
    const text =
      "- There are 28 days. [2]\n\nNote: editions differ; the replaced one [3] said 25, and [2] is current.";
    const found = [...search, ...answered("summarize", [text])];
    expect(callsOf(ask("How many days?", ...found))).toEqual([
      { name: "cite_sources", arguments: { draft: text } },
    ]);
    expect(endOf(ask("How many days?", ...found, ...covered))).toMatchObject({
      content: text,
      citation_ids: ["2", "3"],
      is_task_complete: true,
    });
  });

  it("drops what the check rejects and has the rest checked again; what still fails makes it partial", () => {
    const found = [
      ...search,
      ...answered("summarize", ["- There are 28 days. [2]\n- There are 30 days. [3]"]),
    ];
    const rejects = answered("cite_sources", ['To mend:\n- figure (line 2): "- There are 30 days. [3]": 30']);
    const request = ask("How many days?", ...found, ...rejects);
    expect(callsOf(request)).toEqual([
      { name: "cite_sources", arguments: { draft: "- There are 28 days. [2]" } },
    ]);
    expect(endOf(ask("How many days?", ...found, ...rejects, ...covered))).toMatchObject({
      is_task_complete: true,
    });
    const again = answered("cite_sources", ["To mend:\n- something else"]);
    expect(endOf(ask("How many days?", ...found, ...rejects, ...again))).toMatchObject({
      content: "- There are 28 days. [2]",
      is_task_complete: false,
    });
    const all = answered("cite_sources", [
      'To mend:\n- uncited (lines 1-2): "There are" states something without a citation.',
    ]);
    expect(endOf(ask("How many days?", ...found, ...all))).toMatchObject({ is_task_complete: false });
  });

  it("says less each time it is asked to be shorter, and names a wish that it does not follow", () => {
    const text = [1, 2, 3, 4, 5].map((n) => `- There are ${n} days. [${n}]`).join("\n");
    const found = [...search, ...answered("summarize", [text])];
    const draftOf = (...changes: readonly string[]) =>
      callsOf(ask(changes.reduce(withChange, "How many days?"), ...found))[0]?.arguments["draft"];
    const lines = (...changes: readonly string[]) => JSON.stringify(draftOf(...changes)).split("\\n").length;
    expect([lines(), lines("shorter"), lines("shorter", "even shorter, please")]).toEqual([5, 2, 1]);
    expect(draftOf("in one sentence")).toBe("There are 1 days. [1]");
    expect(lines("in two sentences")).toBe(2);
    const sources = ask(withChange("How many days?", "and add the sources"), ...found, ...covered);
    expect(endOf(sources)).toMatchObject({ content: text, is_task_complete: true });
    const blue = ask(withChange("How many days?", "make it blue"), ...found, ...covered);
    expect(endOf(blue)).toMatchObject({
      content: `${text}\n\nNot used: make it blue.`,
      is_task_complete: false,
    });
  });

  it("says so where it is to be shorter and has nothing left to leave out, and answers every question still", () => {
    const one = "- There are 30 days. [1]";
    const found = [...search, ...answered("summarize", [one])];
    expect(endOf(ask(withChange("How many days?", "shorter"), ...found, ...covered))).toMatchObject({
      content: expect.stringMatching(
        /^- There are 30 days\. \[1\]\n\nFixed rules can leave out no more of it; /,
      ),
      is_task_complete: false,
    });
    const both = withChange("Who owns the plan and when does it end?", "in one sentence");
    const twice = [...search, ...answered("summarize", ["- Amina. [1]\n- Also Ida. [3]", "- In May. [2]"])];
    expect(callsOf(ask(both, ...twice))[0]?.arguments["draft"]).toBe(
      "## Who owns the plan?\n- Amina. [1]\n\n## When does the plan end?\n- In May. [2]",
    );
  });

  it("says that the documents do not say it, in the words of the tool", () => {
    const text = 'No sentence found that answers: "Who is the king?"\nNearest to it: Handbook [1].';
    expect(endOf(ask("Who is the king?", ...search, ...answered("summarize", [text])))).toMatchObject({
      content: text,
      citation_ids: ["1"],
      is_task_complete: true,
    });
  });

  it("answers several questions each under its own heading, and names what the documents do not say", () => {
    const both = "Who owns the plan and what is the wifi password?";
    expect(callsOf(ask(both)).map((call) => call.arguments["subject"] ?? call.arguments["query"])).toEqual([
      "Who owns the plan? what is the wifi password?",
      "Who owns the plan?",
      "what is the wifi password?",
    ]);
    const silent = 'No sentence found that answers: "what is the wifi password?"';
    const text = `## Who owns the plan?\n- Amina owns it. [2]\n\n## What is the wifi password?\n${silent}`;
    const found = answered("summarize", ["- Amina owns it. [2]", `${silent}\nI searched 3 documents.`]);
    expect(endOf(ask(both, ...search, ...found, ...covered))).toMatchObject({
      content: text,
      is_task_complete: true,
    });
    const none = answered("summarize", [silent, silent]);
    expect(endOf(ask(both, ...search, ...none))).toMatchObject({ content: `${silent}\n\n${silent}` });
  });

  it("names the questions that were too many to ask, and is not complete", () => {
    const asked = Array.from({ length: 10 }, (_, at) => `Who owns house ${at + 1}?`);
    const found = [
      ...search,
      ...answered(
        "summarize",
        Array.from({ length: 8 }, () => "- Ada Lind does. [1]"),
      ),
    ];
    const task = asked.join(" ");
    expect(callsOf(ask(task)).filter(({ name }) => name === "summarize")).toHaveLength(8);
    const end = endOf(ask(task, ...found, ...covered));
    expect(end).toMatchObject({
      content: expect.stringMatching(
        /Not looked up, ask again:\n- Who owns house 9\?\n- Who owns house 10\?$/,
      ),
      is_task_complete: false,
    });
  });

  it("tells both sides of a comparison", () => {
    const request = "Compare the old plan with the new plan";
    expect(callsOf(ask(request))[1]?.arguments).toEqual({
      subject: "the old plan",
      compare_with: "the new plan",
    });
    expect(callsOf(ask("Compare the budget in 2024 and 2026"))[1]?.arguments).toMatchObject({
      subject: "2024",
      compare_with: "2026",
      aspect: "the budget in",
    });
    const sides = `## the old plan\n- Buy. [1]\n\n## the new plan\nNo sentence found that answers: "the new plan"`;
    const found = answered("summarize", [sides]);
    expect(endOf(ask(request, ...search, ...found, ...covered))).toMatchObject({ content: sides });
  });

  it("tells a subject by the headings of the documents about it", () => {
    expect(callsOf(ask("Summarise the travel policy"))[1]?.arguments).toEqual({
      subject: "the travel policy",
      chapters: true,
      max_sentences: 3,
    });
    const text = "## Booking\n- Book early. [1]\n\n## Hotels\n- Sleep well. [2]";
    expect(
      endOf(ask("Summarise the travel policy", ...search, ...answered("summarize", [text]), ...covered)),
    ).toMatchObject({ content: text });
  });

  it("tells a plan by the sides of a plan, where its documents have them", () => {
    const text = ["Goals", "Initiatives", "Budget and people", "Risks"]
      .map((heading) => `## ${heading}\n- ${heading} it is. [1]`)
      .join("\n\n");
    const chapters = answered("summarize", [text]);
    const request = ask("Summarise the AI strategy", ...search, ...chapters);
    expect(callsOf(request).map((call) => call.arguments["aspect"])).toEqual(
      FACETS.map(({ words }) => words),
    );
    const sides = answered("summarize", [
      "No document about that has such a chapter.",
      "- Halve false alarms. [2]",
      "No document about that has such a chapter.",
      "- Foresight works. [3]",
    ]);
    expect(
      endOf(ask("Summarise the AI strategy", ...search, ...chapters, ...sides, ...covered)),
    ).toMatchObject({
      content: "## Goals\n- Halve false alarms. [2]\n\n## Results so far\n- Foresight works. [3]",
    });
  });

  it("looks for sentences where no document is about the subject, and is not complete without any", () => {
    const none = answered("summarize", ["No document or chapter is about that."]);
    const request = ask("Summarise our quantum plans", ...search, ...none);
    expect(callsOf(request)).toEqual([
      { name: "summarize", arguments: { subject: "our quantum plans", max_sentences: 5 } },
    ]);
    const silent = answered("summarize", ['No sentence found that answers: "our quantum plans"']);
    expect(endOf(ask("Summarise our quantum plans", ...search, ...none, ...silent))).toMatchObject({
      is_task_complete: false,
    });
  });

  it("answers a greeting with what can be asked, and names the documents", () => {
    expect(callsOf(ask("hi"))).toEqual([{ name: "rag_list_documents", arguments: {} }]);
    const list = answered("rag_list_documents", [
      '- "Travel policy" (a.md): 1 page\n- "Handbook" (b.pdf): 3 pages',
    ]);
    expect(endOf(ask("hi", ...list))?.["content"]).toBe(
      'Hello. Ask a question about the 2 documents here, such as "Travel policy", "Handbook", or ask for a summary of a subject; every statement comes with its source.',
    );
    expect(endOf(ask("Which documents are there?", ...list))?.["content"]).toBe(
      "There are 2 documents:\n- Travel policy\n- Handbook",
    );
    expect(
      endOf(ask("hi", ...answered("rag_list_documents", ["There are no documents."])))?.["content"],
    ).toContain("no documents yet");
  });

  it("never claims a broken search as an answer", () => {
    const error = 'There is no collection "norvik". There is "norrvik".';
    for (const request of [
      ask("Who is the king?", ...answered("rag_search", [error], true)),
      ask("Who is the king?", ...search, ...answered("summarize", [error], true)),
      ask("hi", ...answered("rag_list_documents", [error], true)),
    ])
      expect(endOf(request)).toMatchObject({
        content: `The documents could not be searched. ${error}`,
        is_task_complete: false,
      });
  });
});
