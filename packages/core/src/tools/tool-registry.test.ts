import { describe, expect, it } from "vitest";
import { z } from "zod";

import { defineTool } from "./define-tool.ts";
import { echoTool } from "../testing/tools.ts";
import { checkCall, ToolRegistry, type PreparedCall } from "./tool-registry.ts";

const own = { from: "the agent itself", tools: [echoTool("rag_search"), echoTool("summarize")] };
const call = (name: string, args: string) => ({ callId: "c", name, arguments: args });

/** As the loop does where nothing fills in the arguments. */
function prepare(registry: ToolRegistry, name: string, args: string): PreparedCall {
  const found = registry.find(call(name, args));
  return found.ok ? checkCall(found.tool, found.args) : found;
}

function refusal(registry: ToolRegistry, name: string, args: string): string {
  const prepared = prepare(registry, name, args);
  return prepared.ok ? "" : prepared.text;
}

describe("ToolRegistry", () => {
  it("joins tools of all owners", () => {
    const registry = new ToolRegistry([own, { from: "notes", tools: [echoTool("note")] }]);
    expect(registry.names).toEqual(["rag_search", "summarize", "note"]);
    expect(registry.definitions.map(({ name }) => name)).toEqual(registry.names);
  });

  it("names both owners of a name that is given twice, and keeps finish for the loop", () => {
    const twin = { from: "notes", tools: [echoTool("summarize")] };
    expect(() => new ToolRegistry([own, twin])).toThrow(
      expect.objectContaining({
        code: "tool.duplicate",
        message: expect.stringMatching(/"summarize".*the agent itself.*notes/),
      }),
    );
    expect(() => new ToolRegistry([{ from: "notes", tools: [echoTool("finish")] }])).toThrow(
      /the loop.*notes/,
    );
  });

  it("prepares a call with checked arguments, and none at all where none are needed", () => {
    const registry = new ToolRegistry([own]);
    expect(prepare(registry, "summarize", '{"text":"x"}')).toMatchObject({
      ok: true,
      args: { text: "x" },
    });
    expect(refusal(registry, "summarize", "")).toContain("text: ");
  });

  it.each([
    ["rag_serch", "{}", ['no tool "rag_serch"', 'mean "rag_search"']],
    ["xyzzy_qqqqq", "{}", ["Known: rag_search, summarize, finish"]],
    ["summarize", "{text: 1}", ["not valid JSON", "You wrote: {text: 1}", 'Valid: {"text":"..."}']],
    ["summarize", `{"text":${"[".repeat(9_000)}${"]".repeat(9_000)}}`, ["nested more than 100 levels deep"]],
    ["summarize", '{"text":{"a":1},"more":2}', ["text: Invalid input", 'Valid for text: "..."']],
    ["summarize", "[]", ["arguments: Invalid input"]],
  ])("tells the model what was wrong with %s %.40s", (name, args, parts) => {
    const text = refusal(new ToolRegistry([own]), name, args);
    for (const part of parts) expect(text).toContain(part);
    // What a person is shown of the call can be sent on.
    expect(() => JSON.stringify(prepare(new ToolRegistry([own]), name, args).args)).not.toThrow();
  });

  it.each([
    ["rag_search", "rag_search"],
    ["functions.rag_search", "rag_search"],
    ["rag-search", "rag_search"],
    ["Rag_Search", "rag_search"],
    ["tools:summarize", "summarize"],
    ["Finish", "finish"],
    ["rag_serch", undefined],
    ["search", undefined],
  ])("knows %s as %s", (written, name) => {
    expect(new ToolRegistry([own]).nameOf(written)).toBe(name);
  });

  it("knows no tool by a name that two have but for case", () => {
    const registry = new ToolRegistry([{ from: "x", tools: [echoTool("note"), echoTool("Note")] }]);
    expect(registry.nameOf("NOTE")).toBeUndefined();
    expect(registry.nameOf("Note")).toBe("Note");
  });

  it("shows an example with the choice and the optional properties that were meant", () => {
    const chart = defineTool({
      name: "chart",
      description: "Draws.",
      input: z.strictObject({
        kind: z.enum(["bar", "line"]),
        title: z.string(),
        rows: z.array(z.number()).optional(),
      }),
      execute: () => Promise.resolve({ text: "" }),
    });
    const registry = new ToolRegistry([{ from: "x", tools: [chart] }]);
    expect(refusal(registry, "chart", '{"kind":"line","rows":[1]}')).toContain(
      'Valid: {"kind":"line","title":"...","rows":[1]}',
    );
  });

  it("says what is wrong with a large schema in a few hundred characters", () => {
    const slide = z.strictObject({
      title: z.string(),
      kind: z.enum(["bar", "line"]),
      notes: z.string().optional(),
    });
    const shape = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`option_${n}`, z.string().optional()]),
    );
    const deck = defineTool({
      name: "deck",
      description: "Makes slides.",
      input: z.strictObject({ slides: z.array(slide), ...shape }),
      execute: () => Promise.resolve({ text: "" }),
    });
    const registry = new ToolRegistry([{ from: "x", tools: [deck] }]);
    const wrong = refusal(registry, "deck", '{"slides":[{"title":"A","kind":"pie"}]}');
    expect(wrong).toContain("slides.0.kind: Invalid option");
    expect(wrong).toContain('Valid for slides.0.kind: "bar"');
    expect(refusal(registry, "deck", "{}")).toContain('Valid: {"slides":[{"title":"...","kind":"bar"}]}');
    const many = JSON.stringify({ slides: Array.from({ length: 50 }, () => ({ title: {} })) });
    for (const text of [wrong, refusal(registry, "deck", many)]) expect(text.length).toBeLessThan(700);
    expect(refusal(registry, "deck", many)).toContain("and 95 more");
  });

  it("names the keys that a tool takes where the example does not show them", () => {
    const tool = (name: string, input: z.ZodObject) =>
      defineTool({ name, description: "", input, execute: () => Promise.resolve({ text: "" }) });
    const optional = z.strictObject({ sql: z.string().optional(), limit: z.number().optional() });
    const registry = new ToolRegistry([
      {
        from: "x",
        tools: [
          tool("query_db", optional),
          tool("search", z.strictObject({ query: z.string(), filter: optional.optional() })),
          tool("now", z.strictObject({})),
        ],
      },
    ]);
    const lines = (name: string, args: string) => refusal(registry, name, args).split("\n").slice(1);
    expect(lines("query_db", '{"sqll":"x"}')).toEqual([
      '- arguments: Unrecognized key: "sqll"',
      "It takes: sql, limit.",
    ]);
    expect(lines("search", "{}").slice(1)).toEqual(['Valid: {"query":"..."}', "It takes: query, filter."]);
    expect(lines("search", '{"query":"a","filter":{"sqll":"x"}}')).toEqual([
      '- filter: Unrecognized key: "sqll"',
      "filter takes: sql, limit.",
    ]);
    expect(lines("now", "[]").at(-1)).toBe("Valid: {}");
  });

  it("offers only what is allowed, and says which sources are missing", () => {
    const unavailable = [{ source: "notes", reason: "it is down." }];
    const registry = new ToolRegistry([own], { allowed: ["summarize"], unavailable });
    expect(registry.names).toEqual(["summarize"]);
    expect(refusal(registry, "note_add", "{}")).toContain("tools of notes are unavailable: it is down.");
    expect(prepare(registry, "rag_search", '{"text":"x"}').ok).toBe(false);
  });

  it("survives a tool whose check breaks", () => {
    const broken = {
      ...echoTool("broken"),
      parse: () => {
        throw new Error("secret");
      },
    };
    expect(refusal(new ToolRegistry([{ from: "x", tools: [broken] }]), "broken", "{}")).toContain(
      "could not be checked",
    );
  });
});
