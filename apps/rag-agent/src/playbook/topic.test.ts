import { withSubject } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { readTask } from "./topic.ts";

describe("readTask", () => {
  it.each([
    [
      "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures",
      "Norrvik's AI strategy",
    ],
    ["Summarise the travel policy", "the travel policy"],
    ["please give me a short overview of the data platform roadmap.", "the data platform roadmap"],
    ["Could you make a deck on our hiring plan?", "our hiring plan"],
    ["What are the main findings of the pilot report?", "the pilot report"],
    ["Tell me about Kompass", "Kompass"],
    ["travel expenses", "travel expenses"],
    ["Find what the documents say about: the data platform roadmap.", "the data platform roadmap"],
    [
      withSubject('It is for this request: "Make a deck"', { kind: "overview", subject: "AI and our sales" }),
      "AI and our sales",
    ],
  ])("%j wants a subject from all sides", (request, subject) => {
    expect(readTask(request)).toEqual({ kind: "subject", subject });
  });

  it.each([
    ["How many days of leave do I get?", "How many days of leave do I get?"],
    ["What do our documents say about false alarms?", "false alarms"],
    [
      withSubject("Find it.", { kind: "question", subject: "How many days of holiday are there?" }),
      "How many days of holiday are there?",
    ],
    ["Who reports to the group about our strategy?", "Who reports to the group about our strategy?"],
  ])("%j is a question", (request, question) => {
    expect(readTask(request)).toEqual({ kind: "question", question });
  });

  it.each(["hi", "Hello!", "hey there", "Thank you", "What can you do?", "help"])(
    "%j is a greeting",
    (request) => {
      expect(readTask(request)).toEqual({ kind: "greeting" });
    },
  );

  it.each(["Which documents are there?", "list the documents", "What files do you have?"])(
    "%j asks for the documents",
    (request) => {
      expect(readTask(request)).toEqual({ kind: "documents" });
    },
  );

  it("is not held up by a long request", () => {
    for (const filler of [" ", ".", "and its ", "what "])
      expect(readTask(`a${filler.repeat(200_000)}b`).kind).toMatch(/./);
  });
});
