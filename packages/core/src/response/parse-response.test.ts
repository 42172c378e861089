import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { agentResponseSchema } from "../schemas/response.ts";
import { parseResponse, type ParsedResponse } from "./parse-response.ts";

const object = (content: string, fields = {}): string =>
  JSON.stringify({ is_task_complete: true, require_user_input: false, content, ...fields });
const done = object("Done.");

type Expected = readonly [ParsedResponse["source"], ParsedResponse["outcome"], string];

const CASES: readonly (readonly [string, unknown, Expected])[] = [
  ["an object", JSON.parse(done), ["object", "completed", "Done."]],
  ["JSON", done, ["object", "completed", "Done."]],
  ["JSON with white space before it", ` \n ${done}`, ["object", "completed", "Done."]],
  ["JSON in a fence", `\`\`\`json\n${done}\n\`\`\``, ["object", "completed", "Done."]],
  ["text before JSON", `Here is what I found.\n${done}`, ["object", "completed", "Done."]],
  ["text behind JSON", `${done} Hope this helps!`, ["object", "completed", "Done."]],
  ["braces and quotes in the text", `A {b} "c {" d: ${done} }"{`, ["object", "completed", "Done."]],
  ["the last of two", `${object("Draft.")}\n\n${done}`, ["object", "completed", "Done."]],
  ["the one that is a response", `${done} {"a":1}`, ["object", "completed", "Done."]],
  ["a list around it", `[${done}]`, ["object", "completed", "Done."]],
  [
    "an outer object with one nested",
    object("Done.", { data: JSON.parse(object("no")) }),
    ["object", "completed", "Done."],
  ],
  [
    "an outer object with one escaped",
    object(`outer ${object("inner")}`),
    ["object", "completed", `outer ${object("inner")}`],
  ],
  ["one that is nested in no response", `{"a":${done}}`, ["text", "partial", `{"a":${done}}`]],
  [
    "a string that swallowed the next object",
    `{"content":"never closed\n${done}`,
    ["object", "completed", "Done."],
  ],
  ["a broken object, then a whole one", `{"content": x}\n${done}`, ["object", "completed", "Done."]],
  ["an object that breaks off", '{"content":"Half an \\u00e9', ["broken-object", "partial", "Half an é"]],
  ["one that breaks off in a fence", '```json\n{"content":"Half', ["broken-object", "partial", "Half"]],
  [
    "one that breaks off behind its content",
    '{"content":"All","data":{"content":"no"}',
    ["broken-object", "partial", "All"],
  ],
  ["text with a marker", "Thinking [FINAL ANSWER] Yes", ["marker", "completed", "Yes"]],
  [
    "a body that prose is about",
    'Send {"content":"hello","to":"x"} as the body.',
    ["text", "partial", 'Send {"content":"hello","to":"x"} as the body.'],
  ],
  ["plain text", "Just text", ["text", "partial", "Just text"]],
  ["the word null", "null", ["text", "partial", "null"]],
  ["nothing", "", ["nothing", "partial", ""]],
  ["blanks", " \n", ["nothing", "partial", ""]],
  ["null", null, ["nothing", "partial", ""]],
  ["a list", [], ["nothing", "partial", ""]],
  ["an empty object", {}, ["object", "partial", ""]],
  ["no content", { is_task_complete: true }, ["object", "completed", ""]],
  [
    "words for booleans",
    { is_task_complete: "true", require_user_input: "no", content: "x" },
    ["object", "completed", "x"],
  ],
  ["another word", { is_task_complete: "perhaps", content: "x" }, ["object", "partial", "x"]],
  ["a missing flag", { content: "x" }, ["object", "partial", "x"]],
  [
    "null in all places",
    { is_task_complete: true, content: "x", metadata: null, data: null, citations: null },
    ["object", "completed", "x"],
  ],
  ["a content of the wrong type", { is_task_complete: true, content: 7 }, ["object", "partial", ""]],
  ...["x", 7, ["x"]].map((metadata): readonly [string, unknown, Expected] => [
    `metadata that is ${JSON.stringify(metadata)}`,
    { is_task_complete: true, content: "x", metadata },
    ["object", "partial", "x"],
  ]),
  ["a wrong citation", { is_task_complete: true, content: "x", citations: [{}] }, ["object", "partial", "x"]],
  [
    "what did not succeed",
    { is_task_complete: true, content: "x", was_task_successful: false },
    ["object", "failed", "x"],
  ],
  ["a question", { require_user_input: true, content: "Which?" }, ["object", "input-required", "Which?"]],
  [
    "a question without content",
    '{"require_user_input":"yes","metadata":{"user_input":"Which?"}}',
    ["object", "input-required", ""],
  ],
];

describe("parseResponse", () => {
  it.each(CASES)("reads %s", (_, input, [source, outcome, content]) => {
    const parsed = parseResponse(input);
    expect([parsed.source, parsed.outcome, parsed.response.content]).toEqual([source, outcome, content]);
    expect(parsed.response.is_task_complete).toBe(outcome === "completed");
    expect(parsed.response.require_user_input).toBe(outcome === "input-required");
    expect(agentResponseSchema.parse(parsed.response)).toEqual(parsed.response);
  });

  it("takes plain text as the answer where the mode says so", () => {
    expect(parseResponse("Just text", { plainText: "answer" })).toMatchObject({
      outcome: "completed",
      response: { is_task_complete: true, content: "Just text" },
    });
    expect(parseResponse(" ", { plainText: "answer" }).outcome).toBe("partial");
  });

  it("takes an object without the flag as complete where the caller says so", () => {
    expect(parseResponse('{"content":"x"}', { unflagged: "complete" }).outcome).toBe("completed");
    const said = { content: "x", is_task_complete: false };
    expect(parseResponse(said, { unflagged: "complete" }).outcome).toBe("partial");
    expect(parseResponse('{"content":"x', { unflagged: "complete" }).outcome).toBe("partial");
  });

  it("sends nothing on that is not known, and keeps what is", () => {
    const { response } = parseResponse({ ...JSON.parse(done), confidence: 0.4, data: { rows: [1] } });
    expect(response).toEqual({
      is_task_complete: true,
      require_user_input: false,
      content: "Done.",
      metadata: { user_input: false, question: "", input_fields: [] },
      citations: [],
      data: { rows: [1] },
    });
  });

  it("fills in what a form leaves out", () => {
    const { response } = parseResponse({
      require_user_input: true,
      content: "Need details",
      metadata: {
        user_input: true,
        input_fields: [
          { field_name: "repo", field_description: "Repository", field_values: ["a", 2] },
          { field_name: "note", field_label: "Note", required: "no", field_values: null },
        ],
      },
    });
    const none = { default_value: null, placeholder: "" };
    expect(response.metadata).toEqual({
      user_input: true,
      question: "",
      input_fields: [
        {
          field_name: "repo",
          field_label: "repo",
          field_description: "Repository",
          field_type: "select",
          field_values: ["a", "2"],
          required: true,
          ...none,
        },
        {
          field_name: "note",
          field_label: "Note",
          field_description: "",
          field_type: "text",
          field_values: [],
          required: false,
          ...none,
        },
      ],
    });
  });

  it("asks with a type it knows where a form names one of its own", () => {
    const field = { field_name: "repo", field_type: "dropdown", field_values: ["a", "b"] };
    const parsed = parseResponse({ require_user_input: true, content: "Which?", input_fields: [field] });
    expect(parsed.outcome).toBe("input-required");
    expect(parsed.said.inputFields).toMatchObject([{ field_type: "select", field_values: ["a", "b"] }]);
  });

  it("names what is wrong in a form and leaves out only that", () => {
    const field = {
      field_name: "a",
      field_type: "colour",
      field_values: [{}],
      default_value: {},
      required: 7,
      placeholder: 7,
    };
    const { said } = parseResponse({ content: "x", input_fields: [{}, "b", field] });
    expect(said.inputFields).toMatchObject([{ field_name: "a", field_type: "text", required: true }]);
    expect(said.issues).toHaveLength(6);
    expect(parseResponse({ content: "x", input_fields: "a" }).said.issues).toHaveLength(1);
  });

  it("never throws, and what it gives keeps to the schema", () => {
    const wild = fc.oneof(
      fc.dictionary(
        fc.constantFrom("content", "is_task_complete", "metadata", "data", "input_fields"),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      fc.anything(),
      fc
        .array(fc.constantFrom("{", "}", '"', "\\", '{"content":', '"a"', ",", "[FINAL ANSWER]", done, "```"))
        .map((bits) => bits.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(wild, fc.boolean(), (input, asText) => {
        const { response } = parseResponse(asText ? (JSON.stringify(input) ?? "") : input);
        expect(agentResponseSchema.parse(response)).toEqual(response);
        expect(response.content.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("finds the object behind any text that begins no other", () => {
    const text = fc.string({ unit: "grapheme" }).map((said) => said.replaceAll(/["{}]/g, "."));
    fc.assert(
      fc.property(text, text, fc.string({ unit: "grapheme" }), (before, behind, content) => {
        const { response } = parseResponse(`${before}${object(content)}${behind}`);
        expect(response.content).toBe(content.toWellFormed());
      }),
    );
  });

  it.each([
    "{",
    '{"',
    '{"a":',
    '{"content":"',
    "[",
    '{"content":"\\"',
    '{"content":"x"}',
    "{ }",
    "```",
    "[FINAL",
  ])("reads half a megabyte of %j, which only linear work allows", (unit) => {
    expect(() => parseResponse(unit.repeat(500_000 / unit.length))).not.toThrow();
  });

  it("reads an object nested beyond all bounds", () => {
    const deep = `${'{"data":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    expect(parseResponse(`{"content":"x","is_task_complete":true,"data":${deep}}`)).toMatchObject({
      outcome: "partial",
      response: { content: "x", data: null },
    });
  });
});
