import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answerCheck } from "@troupe/checks";
import { memoryArtifactStore } from "@troupe/core/testing";
import { sampleCitation } from "@troupe/deck/testing";
import type { JsonObject } from "@troupe/stream";
import { afterEach, beforeEach, expect, test } from "vitest";

import { filePresentationStore } from "../adapters/file-presentation-store.ts";
import { callTool } from "../testing/call-tool.ts";
import { powerpointTools } from "./tools.ts";

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), "ppt-mcp-"))));
afterEach(() => rm(dir, { recursive: true, force: true }));

const sources = [
  { ...sampleCitation("1", 4, "Software margin was 62 % in 2025. The pilot was not extended.") },
];
const slides: readonly JsonObject[] = [
  {
    kind: "bullets",
    title: "The pilot was extended",
    points: [{ text: "Margin was 62 % in 2025", sources }],
  },
  { kind: "bullets", title: "Margin", points: [{ text: "Margin was 71 % in 2025", sources }] },
  { kind: "closing", title: "Thank you" },
];

async function deckOf(slides: readonly JsonObject[]) {
  const store = filePresentationStore({
    dir,
    clock: { now: () => 1_000 },
    newId: () => crypto.randomUUID(),
    max: 5,
  });
  const tools = powerpointTools({
    storeOf: () => store,
    artifacts: memoryArtifactStore(),
    check: answerCheck,
  });
  const created = await callTool(tools, "powerpoint_create_presentation", { title: "Pilot" });
  const { presentation_id } = created.data as { presentation_id: string };
  for (const slide of slides) await callTool(tools, "powerpoint_add_slide", { presentation_id, slide });
  return { tools, presentation_id };
}

test("statements of a slide with a chart are listed with the chart, and not with what another statement cites", async () => {
  const chart = {
    v: 1,
    id: "chart-1",
    kind: "column",
    title: "Revenue by region",
    x: { field: "region", label: "Region", type: "category" },
    series: [{ field: "r", label: "Revenue", type: "number", unit: "EUR" }],
    rows: Array.from({ length: 120 }, (_, at) => ({ region: `Region ${at} ${"x".repeat(300)}`, r: at })),
    provenance: { resultId: "r", query: "SELECT", source: "sales.csv" },
  };
  const { tools, presentation_id } = await deckOf([
    {
      kind: "chart",
      title: "Probes are the smallest family",
      chart,
      takeaways: ["It grew fastest"],
      more: [{ text: "The pilot was not extended", sources }],
    },
    { kind: "bullets", title: "Sales fell", points: ["They fell everywhere"], data: [chart] },
  ]);
  const { data } = await callTool(tools, "powerpoint_list_statements", { presentation_id });
  const listed = data as { statements: readonly JsonObject[]; charts: readonly { rows: unknown[][] }[] };
  expect(
    listed.statements.map(({ slide, place, passages, charts }) => [slide, place, passages, charts]),
  ).toEqual([
    [2, "title", [], [0]],
    [2, "takeaway 1", [], [0]],
    [2, "statement in more 1", [0], []],
    [3, "title", [], [0]],
    [3, "point 1", [], [0]],
  ]);
  expect(listed.charts).toMatchObject([{ title: "Revenue by region", columns: ["Region", "Revenue (EUR)"] }]);
  expect(listed.charts[0]?.rows).toHaveLength(100);
  expect(listed.charts[0]?.rows[0]?.[0]).toHaveLength(200);
});

test("what the tools say of a slide proves nothing that the slide states", async () => {
  const { tools, presentation_id } = await deckOf(slides);
  const slide = slides[1] as JsonObject;
  const outputs = await Promise.all([
    callTool(tools, "powerpoint_add_slide", { presentation_id, slide }),
    callTool(tools, "powerpoint_list_slides", { presentation_id }),
    callTool(tools, "powerpoint_get_slide", { presentation_id, slide_number: 2 }),
    callTool(tools, "powerpoint_save_presentation", { presentation_id, file_name: "margin-71.pptx" }),
    callTool(tools, "powerpoint_replace_slide", { presentation_id, slide_number: 3, slide }),
  ]);
  const given = outputs.map((output) => output.given);
  expect(given.join()).not.toMatch(/71|[Mm]argin|pilot/);
  expect(given.every((one) => one !== undefined && one !== "")).toBe(true);
});

test("statements that cite passages and hold are listed, and what a review found of them is saved", async () => {
  const { tools, presentation_id } = await deckOf(slides);
  const { data } = await callTool(tools, "powerpoint_list_statements", { presentation_id });
  expect(data).toMatchObject({
    statements: [
      { slide: 2, place: "title", text: "The pilot was extended", passages: [0] },
      { slide: 2, place: "point 1", passages: [0] },
      { slide: 3, place: "title", passages: [0] },
    ],
    passages: [{ text: expect.stringContaining("not extended") as string }],
  });

  const finding = { place: "title", kind: "contradicted", words: "was not extended" };
  const reviewed = [
    { ...finding, slide: 2 },
    { ...finding, slide: 9 },
    { ...finding, slide: 3, place: "point 1" },
  ];
  const saved = await callTool(tools, "powerpoint_save_presentation", {
    presentation_id,
    file_name: "pilot.pptx",
    reviewed,
  });
  const problem = 'the source says otherwise: "was not extended"';
  expect(saved.text).toContain(`slide 2, title: "The pilot was extended": ${problem}`);
  expect(saved.data).toMatchObject({
    unverified: [
      { slide: 2, place: "title", problem },
      { slide: 3, place: "point 1", problem: "71 % was not found" },
    ],
  });
});
