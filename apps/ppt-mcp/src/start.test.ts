import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answerCheck } from "@troupe/checks";
import { acceptReferences, silentLog, type SharedContext, type StepResult } from "@troupe/core";
import { lintDeck, PPTX_MEDIA_TYPE } from "@troupe/deck";
import { sampleChart, sampleCitation } from "@troupe/deck/testing";
import { memoryArtifactStore } from "@troupe/core/testing";
import type { JsonObject } from "@troupe/stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, test } from "vitest";

import { filePresentationStore } from "./adapters/file-presentation-store.ts";
import { settings, start } from "./start.ts";
import { powerpointTools } from "./tools/tools.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "ppt-mcp-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("any MCP client makes a deck over HTTP and reads the file", async () => {
  const running = await start(settings.parse({ home, port: 0, log_level: "silent" }), { log: silentLog });
  const client = new Client({ name: "test", version: "1" });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
    // From here on the client checks every result against the tool's output schema.
    await client.listTools();
    const call = async (name: string, args: JsonObject): Promise<CallToolResult> =>
      (await client.callTool({ name, arguments: args })) as CallToolResult;

    const early = await call("powerpoint_save_presentation", {
      presentation_id: "not-yet-there",
      file_name: "x",
    });
    expect(early).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("powerpoint_create_presentation first") as unknown }],
    });

    const created = await call("powerpoint_create_presentation", { title: "Sales" });
    const { presentation_id } = (created.structuredContent as { data: { presentation_id: string } }).data;
    await call("powerpoint_add_slide", {
      presentation_id,
      slide: {
        kind: "chart",
        title: "Sales grow",
        chart: JSON.parse(JSON.stringify(sampleChart("column"))) as JsonObject,
      },
    });
    const slide = { kind: "bullets", title: "Why", points: [{ text: "More orders" }] };
    for (const [name, args, data] of [
      ["add_slide", { slide }, { slides: 3, unsaved: false }],
      ["replace_slide", { slide_number: 3, slide: { ...slide, title: "Reasons" } }, { slides: 3 }],
      ["get_slide", { slide_number: 2 }, { presentation_id }],
      ["move_slide", { slide_number: 3, to: 2 }, { slides: 3, unsaved: false }],
      ["delete_slide", { slide_number: 2 }, { slides: 2, unsaved: false }],
      [
        "list_slides",
        {},
        {
          slides: 3,
          problems: [],
          outline: [
            { slide: 1, kind: "title" },
            { slide: 2, kind: "chart" },
          ],
        },
      ],
    ] as const) {
      const done = await call(`powerpoint_${name}`, { presentation_id, ...args });
      expect({ name, ...done }).toMatchObject({ name, structuredContent: { data } });
    }
    const saved = await call("powerpoint_save_presentation", { presentation_id, file_name: "sales" });
    const link = saved.content.find((part) => part.type === "resource_link");
    expect(link).toMatchObject({ name: "sales.pptx", mimeType: PPTX_MEDIA_TYPE });
    const { contents } = await client.readResource({ uri: link?.uri ?? "" });
    const blob = (contents[0] as { blob: string }).blob;
    expect(await lintDeck(Buffer.from(blob, "base64"))).toEqual([]);
  } finally {
    await client.close();
    await running.close();
  }
});

test("inside an agent, charts and citations are named by step/id and arrive whole", async () => {
  const artifacts = memoryArtifactStore();
  const store = filePresentationStore({
    dir: home,
    clock: { now: () => 0 },
    newId: () => crypto.randomUUID(),
  });
  const source = acceptReferences({
    name: "ppt-mcp",
    list: () => Promise.resolve(powerpointTools({ storeOf: () => store, artifacts, check: answerCheck })),
    close: () => Promise.resolve(),
  });
  const { id } = await store.create({ title: "Deck", theme: "clear", slides: [] });
  const chart = { ...sampleChart("column"), id: "chart-1" };
  const citation = sampleCitation("1", 4, "Visits fell.");
  const table = { ...sampleCitation("2", 5, "| Month |"), passage: "| Month | Visits |\n| May | 412 |" };
  const result = (stepId: string, found: Pick<StepResult, "citations" | "data">): StepResult => ({
    stepId,
    agent: `${stepId}-agent`,
    outcome: "completed",
    answer: "",
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
    ...found,
  });
  const shared: SharedContext = {
    v: 1,
    results: {
      data: result("data", { citations: [], data: { charts: [chart] } }),
      rag: result("rag", { citations: [citation, table], data: null }),
    },
  };
  const add = (await source.list({ signal: new AbortController().signal })).find(
    (tool) => tool.definition.name === "powerpoint_add_slide",
  );
  const args = {
    presentation_id: id,
    slide: {
      kind: "chart",
      title: "Sales",
      chart: "data/chart-1",
      takeaways: [{ text: "Visits fell", sources: [{ step: "rag", id: "1" }] }],
      sources: ["rag/1"],
    },
  };
  const parsed = add?.parse(args);
  const context = {
    runId: "r",
    callId: "c",
    agent: "a",
    signal: new AbortController().signal,
    shared,
    log: silentLog,
  };
  const output = await add?.execute(parsed?.ok === true ? parsed.value : null, context);
  expect(output).toMatchObject({ text: "Added slide 2 (chart: Sales)." });
  expect((await store.read(id)).slides[0]?.slide).toMatchObject({
    chart,
    sources: [citation],
    takeaways: [{ text: "Visits fell", sources: [citation] }],
  });

  const addChart = (resultId: string, visits: number) => {
    const own = {
      v: 1,
      id: "visits",
      kind: "bar",
      title: "Visits",
      x: { field: "x", label: "Month", type: "category" },
      series: [{ field: "y", label: "Visits", type: "number" }],
      rows: [{ x: "May", y: visits }],
      provenance: { resultId, query: "SELECT 1", source: "invented.csv" },
    };
    const slide = { kind: "chart", title: "Visits fell", chart: own };
    const read = add?.parse({ presentation_id: id, slide });
    return add?.execute(read?.ok === true ? read.value : null, context);
  };
  for (const [resultId, visits] of [
    ["r9", 412],
    ["rag/2", 413],
  ] as const)
    expect(await addChart(resultId, visits)).toMatchObject({ isError: true });
  expect((await store.read(id)).slides).toHaveLength(1);
  expect(await addChart("rag/2", 412)).toMatchObject({ text: "Added slide 3 (chart: Visits fell)." });
  expect((await store.read(id)).slides[1]?.slide).toMatchObject({
    chart: { provenance: { resultId: "rag/2", query: "", source: "AI Strategy 2026" } },
  });
});
