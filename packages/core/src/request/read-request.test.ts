import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { withSubject } from "../delegation/subject-line.ts";
import { deedIn } from "./deed.ts";
import { readRequest, saidAbout } from "./read-request.ts";

describe("readRequest", () => {
  it.each([
    [
      "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures",
      "Norrvik's AI strategy",
    ],
    ["Summarise the travel policy", "the travel policy"],
    ["please give me a short overview of the data platform roadmap.", "the data platform roadmap"],
    ["Send me a summary of the roadmap", "the roadmap"],
    ["Could you make a deck on our hiring plan?", "our hiring plan"],
    ["What are the main findings of the pilot report?", "the pilot report"],
    ["What is foresight-pricing-faq.md about?", "foresight-pricing-faq.md"],
    ["Tell me about Kompass", "Kompass"],
    ["travel expenses", "travel expenses"],
    ["Create a presentation: our AI strategy", "our AI strategy"],
    ["Find what the documents say about: the data platform roadmap.", "the data platform roadmap"],
    [
      withSubject('It is for this request: "Make a deck"', { kind: "overview", subject: "AI and our sales" }),
      "AI and our sales",
    ],
  ])("%j wants a subject from all sides", (request, subject) => {
    expect(readRequest(request)).toEqual({ kind: "subject", subject });
  });

  it.each([
    ["How many days of leave do I get?", ["How many days of leave do I get?"]],
    ["What do our documents say about false alarms?", ["false alarms"]],
    [
      withSubject("Find it.", { kind: "question", subject: "How many days of holiday are there?" }),
      ["How many days of holiday are there?"],
    ],
    ["Who reports to the group about our strategy?", ["Who reports to the group about our strategy?"]],
    [
      "Who leads AI and what is the budget, and how did sales in DACH develop?",
      ["Who leads AI?", "what is the budget of AI?", "how did sales in DACH develop?"],
    ],
    [
      "What is the budget of the AI strategy and who owns it?",
      ["What is the budget of the AI strategy?", "who owns the AI strategy?"],
    ],
    [
      "Who leads Service Companion and when does it reach DACH?",
      ["Who leads Service Companion?", "when does Service Companion reach DACH?"],
    ],
    ["What is Kompass? Who may use it?", ["What is Kompass?", "Who may use Kompass?"]],
    ["Can I work from home and do I need an approval?", ["Can I work from home?", "do I need an approval?"]],
    [
      "How many employees and customers does it have?",
      ["How many employees does it have?", "How many customers does it have?"],
    ],
    [
      "How many employees and how many service vehicles does it have?",
      ["How many employees does it have?", "How many service vehicles does it have?"],
    ],
    [
      "How many research and development employees do we have?",
      ["How many research and development employees do we have?"],
    ],
    ["How many sales and marketing people are there?", ["How many sales and marketing people are there?"]],
    ["what is new compared with edition 6?", ["what is new compared with edition 6?"]],
    ["Tell me who audits the accounts", ["who audits the accounts"]],
    ["Number of employees", ["Number of employees"]],
    ["can you stop a release?", ["can you stop a release?"]],
    [
      "Which products sold more than 100 and had a margin over 20?",
      ["Which products sold more than 100 and had a margin over 20?"],
    ],
    [
      "Who approves travel and has the authority to sign?",
      ["Who approves travel and has the authority to sign?"],
    ],
    ["Do we have leave and have we a handbook?", ["Do we have leave?", "have we a handbook?"]],
    [
      "What does the handbook say about overtime and what does it say about travel?",
      ["What does the handbook say about overtime?", "what does the handbook say about travel?"],
    ],
    ["When does our pilot begin and who owns it?", ["When does our pilot begin and who owns it?"]],
    [
      "What parts of the plan are late and who owns it?",
      ["What parts of the plan are late?", "who owns the plan?"],
    ],
    ["Which country sells most and which sells least?", ["Which country sells most and which sells least?"]],
    ["What was revenue in 2024 and how much in 2025?", ["What was revenue in 2024 and how much in 2025?"]],
    [
      "Summarize the roadmap and tell me who owns it and when it ends",
      ["the roadmap", "who owns the roadmap?", "when the roadmap ends?"],
    ],
    // A part that cannot stand alone keeps the whole together.
    ["Who leads AI and when did she join?", ["Who leads AI and when did she join?"]],
    ["Why and how did the alarms start?", ["Why and how did the alarms start?"]],
    [
      "Who approves trips that last long and cost much?",
      ["Who approves trips that last long and cost much?"],
    ],
  ])("%j asks %j", (request, questions) => {
    expect(readRequest(request)).toEqual({ kind: "questions", questions, unasked: [] });
  });

  it.each([
    ["Compare the travel policy with the expense policy", ["the travel policy", "the expense policy"]],
    ["How does the 2024 strategy differ from the 2026 one?", ["the 2024 strategy", "the 2026 strategy"]],
    [
      "what's the difference between Foresight and Foresight Enterprise",
      ["Foresight", "Foresight Enterprise"],
    ],
    ["How do the old and the new plan differ?", ["the old plan", "the new plan"]],
    ["How does Kompass compare to Service Companion?", ["Kompass", "Service Companion"]],
    ["Kompass compared with Service Companion", ["Kompass", "Service Companion"]],
    ["Kompass vs. Service Companion", ["Kompass", "Service Companion"]],
    ["Give me revenue versus target", ["revenue", "target"]],
    ["Create a deck on Kompass versus Service Companion", ["Kompass", "Service Companion"]],
  ])("%j compares", (request, things) => {
    expect(readRequest(request)).toEqual({ kind: "comparison", things });
  });

  it.each([
    ["Compare the AI budget in 2024 and 2026", "the AI budget in", ["2024", "2026"]],
    [
      "Compare the size of the AI team in the 2024 strategy and in the 2026 strategy",
      "the size of the AI team in",
      ["the 2024 strategy", "the 2026 strategy"],
    ],
  ])("%j compares a side of two things", (request, aspect, things) => {
    expect(readRequest(request)).toEqual({ kind: "comparison", aspect, things });
  });

  it.each(["hi", "Hello!", "hey there", "Thank you", "What can you do?", "help"])(
    "%j is a greeting",
    (request) => {
      expect(readRequest(request)).toEqual({ kind: "greeting" });
    },
  );

  it.each(["Which documents are there?", "list the documents", "What files do you have?"])(
    "%j asks for the documents",
    (request) => {
      expect(readRequest(request)).toEqual({ kind: "documents" });
    },
  );

  it("knows where something is looked for", () => {
    expect(saidAbout("What does the handbook say about overtime?")).toEqual({
      where: "the handbook",
      subject: "overtime",
    });
    expect(saidAbout("Who says so?")).toBeUndefined();
  });

  it("reads any text, and says nothing of it that is empty", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readRequest(text);
        const questions = read.kind === "questions" ? read.questions : ["other"];
        expect(questions.length).toBeGreaterThan(0);
        expect(deedIn(`What is ${text}`)).toBeUndefined();
      }),
    );
  });

  it("loses no question", () => {
    const asked = fc.constantFrom("Who owns the plan", "what is a gate", "how many sites were there");
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 4 }), (questions) => {
        const line = `${questions.join(" and ")}?`;
        expect(readRequest(line)).toEqual({
          kind: "questions",
          unasked: [],
          questions: questions.length === 1 ? [line] : questions.map((question) => `${question}?`),
        });
      }),
    );
  });

  it("asks eight questions at most and names those it leaves out", () => {
    const asked = Array.from({ length: 100 }, (_, at) => `what is gate ${at}?`);
    const read = readRequest(asked.join(" "));
    const { questions, unasked } = read.kind === "questions" ? read : { questions: [], unasked: [] };
    expect(questions).toEqual(asked.slice(0, 8));
    expect(unasked).toContain("what is gate 8?");
  });

  it("is not held up by a long request", () => {
    for (const filler of [" ", ".", "and its ", "what ", "compare a with ", "in the ", "and what is "]) {
      const request = `a${filler.repeat(200_000)}b`;
      expect(readRequest(request).kind).toMatch(/./);
      expect(deedIn(request)).toBeUndefined();
    }
  });
});

describe("deedIn", () => {
  it.each([
    ["send an email to Anna", "send an email to Anna"],
    ["Delete the old files.", "delete the old files"],
    ["translate this to German", "translate this to German"],
    ["Please book a room", "book a room"],
    ["Can you email Anna the report?", "email Anna the report"],
    ["Remind Anna Lind to pay", "remind Anna Lind to pay"],
    ["Write a poem about water", "write a poem about water"],
    ["Change the price of Foresight to EUR 2", "change the price of Foresight to EUR 2"],
  ])("%j orders one", (request, deed) => {
    expect(deedIn(request)).toBe(deed);
  });

  it.each([
    "What does the policy say about booking travel?",
    "How do I book a trip?",
    "Can I delete my data?",
    "Who can cancel a release?",
    "Send me a summary of the travel policy",
    "book prices by year",
    "Order the customers by revenue",
    "Order value per customer",
    "Update on the AI strategy",
    "Change of ownership",
    "Write a report on the pilot",
    "Make a deck about the pilot",
    "Call-out rules",
    // Title Case names a subject.
    "Change Management",
    "Share Price in 2025",
    "Order Intake in 2025",
    "Fire Safety rules",
    "Call Center volume by month",
    "Email Security policy",
    "Buy Foresight or Kompass: which is better?",
    "Remind Kompass: what is it?",
  ])("%j orders none", (request) => {
    expect(deedIn(request)).toBeUndefined();
  });
});
