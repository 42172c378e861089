import { acceptReferences, defineTool, silentLog, type Tool, type ToolContext } from "@troupe/core";
import { fakeToolSource } from "@troupe/core/testing";
import { NO_USAGE, type Json, type JsonObject } from "@troupe/stream";
import { expect, it } from "vitest";
import { z } from "zod";

import { compactTools, withSlideSchema } from "./compact-tools.ts";

const citation = z.object({ id: z.string(), quote: z.string() }).meta({
  id: "citation",
  "x-troupe-ref": "citation",
});
const point = z.union([
  z.string(),
  z.strictObject({ text: z.string(), sources: z.array(citation).optional() }),
]);
const chart = z
  .object({ id: z.string(), provenance: z.object({ resultId: z.string() }) })
  .meta({ id: "chart", "x-troupe-ref": "chart" });
const slide = z.strictObject({
  kind: z.string(),
  points: z.array(point).optional(),
  more: z.array(point).optional(),
  chart: z.union([chart, z.strictObject({ kind: z.string() })]).optional(),
  sources: z.array(citation).optional(),
  data: z.array(z.looseObject({}).meta({ id: "result", "x-troupe-ref": "result" })).optional(),
});

/** The tools as the agent has them; `called` has the arguments that reached the server. */
async function tools() {
  const called: JsonObject[] = [];
  let createdCount = 0;
  const tool = (name: string, input: z.ZodObject): Tool =>
    defineTool({
      name,
      description: name,
      input,
      execute: (args) => {
        called.push(args as JsonObject);
        return Promise.resolve({ text: "Done." });
      },
    });
  const source = fakeToolSource("ppt-mcp", [
    tool("powerpoint_add_slide", z.strictObject({ presentation_id: z.string(), slide })),
    tool(
      "powerpoint_replace_slide",
      z.strictObject({ presentation_id: z.string(), slide_number: z.number(), slide: z.looseObject({}) }),
    ),
    tool("powerpoint_list_slides", z.strictObject({ presentation_id: z.string() })),
    defineTool({
      name: "powerpoint_create_presentation",
      description: "Starts.",
      input: z.strictObject({}),
      execute: () =>
        Promise.resolve({ text: "Started.", data: { presentation_id: `new-${++createdCount}` } }),
    }),
  ]);
  const list = await compactTools(acceptReferences(withSlideSchema(source))).list({
    signal: new AbortController().signal,
  });
  const call = async (name: string, args: Json): Promise<string> => {
    const found = list.find(({ definition }) => definition.name === name);
    const parsed = found?.parse(args);
    if (parsed?.ok !== true) return parsed?.issues.join("; ") ?? "no tool";
    return (await found?.execute(parsed.value, context))?.text ?? "";
  };
  return { list, call, called };
}

const cited = { document: "d", source: "s", collection: "c", chunkId: "k", start: 0, end: 1 };
const step = (stepId: string, found: object) => ({
  stepId,
  agent: "a",
  outcome: "completed" as const,
  answer: "",
  data: null,
  citations: [],
  artifacts: [],
  usage: NO_USAGE,
  provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  ...found,
});
const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "ppt-agent",
  signal: new AbortController().signal,
  log: silentLog,
  shared: {
    v: 1,
    results: {
      research: step("research", { citations: [{ id: "1", quote: "q", ...cited }] }),
      data: step("data", { data: { tables: [{ id: "result-1", columns: ["n"], rows: [[7]] }] } }),
      "turn1.deck": step("turn1.deck", {
        data: {
          powerpoint_create_presentation: { presentation_id: "old" },
          powerpoint_save_presentation: { presentation_id: "deck-7" },
        },
      }),
    },
  },
};

it("shows the model each schema once: the slide beside one tool, sources as names, no chart in full", async () => {
  const { list } = await tools();
  const [add, replace] = list.map(({ definition }) => JSON.stringify(definition.inputSchema));
  expect(replace).toContain('"slide":{"type":"object","description":"As in powerpoint_add_slide"}');
  expect(add).not.toMatch(/provenance|"data"|\$ref|quote/);
  expect(add?.match(/citation of a step/g)).toHaveLength(1);
});

it("passes a query result among the sources of a statement as data of the slide", async () => {
  const { call, called } = await tools();
  const slideOf = (sources: Json) => ({ kind: "bullets", points: [{ text: "Seven", sources }] });
  for (const [name, more] of [
    ["powerpoint_add_slide", {}],
    ["powerpoint_replace_slide", { slide_number: 1 }],
  ] as const) {
    const args = { presentation_id: "p", slide: slideOf(["research/1", "data/result-1"]), ...more };
    expect(await call(name, args)).toBe("Done.");
    expect(called.at(-1)).toMatchObject({
      slide: {
        points: [{ text: "Seven", sources: [{ id: "1", quote: "q" }] }],
        data: [{ id: "result-1", rows: [[7]], provenance: { resultId: "result-1" } }],
      },
    });
  }
  await call("powerpoint_add_slide", { presentation_id: "p", slide: slideOf(["data/result-1"]) });
  expect(called.at(-1)).toMatchObject({ slide: { points: [{ text: "Seven" }] } });
});

it("names the part of a slide that is wrong", async () => {
  const { call } = await tools();
  const slideOf = (sources: Json) => ({ kind: "bullets", points: ["One", { text: "Two", sources }] });
  expect(
    await call("powerpoint_add_slide", { presentation_id: "p", slide: slideOf(["research/9"]) }),
  ).toContain(
    '- slide.points.1.sources.0: there is no citation "9" in the result of step "research". There is "research/1"',
  );
  expect(await call("powerpoint_add_slide", { presentation_id: "p", slide: slideOf([7]) })).toContain(
    "slide.points.1.sources.0: Invalid input: expected object, received number",
  );
});

it("reads the name of a step as the presentation that it made last", async () => {
  const { call, called } = await tools();
  await call("powerpoint_list_slides", { presentation_id: "turn1.deck" });
  await call("powerpoint_list_slides", { presentation_id: "research" });
  expect(called).toEqual([{ presentation_id: "deck-7" }, { presentation_id: "research" }]);
});

it("takes the only presentation of the run where the model names none, and asks for it where there are two", async () => {
  const { call, called } = await tools();
  await call("powerpoint_list_slides", {});
  expect(called.at(-1)).toEqual({ presentation_id: "deck-7" });
  await call("powerpoint_create_presentation", {});
  await call("powerpoint_add_slide", { slide: { kind: "bullets" } });
  expect(called.at(-1)).toEqual({ presentation_id: "new-1", slide: { kind: "bullets" } });
  await call("powerpoint_create_presentation", {});
  expect(await call("powerpoint_list_slides", {})).toContain("This run has new-1, new-2.");
  expect(called).toHaveLength(2);
});
