import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answerCheck } from "@troupe/checks";
import type { Tool, ToolOutput } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import { sampleCitation } from "@troupe/deck/testing";
import type { JsonObject } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { filePresentationStore } from "../adapters/file-presentation-store.ts";
import { callTool } from "../testing/call-tool.ts";
import { powerpointTools } from "./tools.ts";

let dir: string;
let tools: readonly Tool[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "ppt-mcp-"));
  const store = filePresentationStore({
    dir,
    clock: { now: () => 1_000 },
    newId: () => crypto.randomUUID(),
  });
  const artifacts = memoryArtifactStore();
  tools = powerpointTools({ storeOf: () => store, artifacts, check: answerCheck });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const call = (name: string, args: JsonObject): Promise<ToolOutput> => callTool(tools, name, args);

async function create(): Promise<string> {
  const { data } = await call("powerpoint_create_presentation", { title: "AI strategy" });
  return (data as { presentation_id: string }).presentation_id;
}

describe("a chart of columns and rows that the model wrote", () => {
  const passage =
    "| Item | 2026 | 2027 |\n|---|---|---|\n| Models | 2.4 | 3.1 |\n| Sensors | 1,900.5 | 2.0 |";
  const cited = { ...sampleCitation("2", 5, "| Item |"), passage };
  const chart = (rows: readonly JsonObject[string][], more: JsonObject = {}): JsonObject => ({
    kind: "chart",
    title: "Models take most",
    chart: { kind: "column", unit: "EUR million" },
    columns: ["Item", "2026", "2027"],
    rows,
    sources: [{ ...cited }],
    ...more,
  });
  const add = async (slide: JsonObject): Promise<{ readonly id: string; readonly text: string }> => {
    const id = await create();
    return { id, text: (await call("powerpoint_add_slide", { presentation_id: id, slide })).text };
  };
  const models = ["Models", 2.4, 3.1];

  test("names the cited table as where its numbers come from", async () => {
    const { id, text } = await add(chart([models, ["Sensors", 1900.5, 2]]));
    expect(text).toBe("Added slide 2 (chart: Models take most).");
    const saved = await call("powerpoint_save_presentation", { presentation_id: id });
    expect(saved.data).toMatchObject({ unverified: [], problems: [] });
  });

  test.each([
    ["no passage has", ["Sensors", 1900.5, 2.7], "2.7"],
    ["the row of another label has", ["Sensors", 2.4, 2], "2.4"],
  ])("is complained about at once where it has a figure that %s", async (_, row, missing) => {
    const { id, text } = await add(chart([models, row]));
    expect(text).toMatch(/^Added slide 2 .*\nNot found in the sources:\n- slide 2, row 2: /);
    expect(text).toContain(missing);
    const saved = await call("powerpoint_save_presentation", { presentation_id: id });
    expect(saved.data).toMatchObject({ unverified: [{ slide: 2, place: "row 2" }] });
  });

  test.each<[string, JsonObject, RegExp]>([
    [
      "text for a number",
      chart([["Models", "EUR 2.4 million", 3]]),
      /row 1 has "EUR 2.4 million" under "2026"/,
    ],
    ["a row that is too short", chart([["Models", 2.4]]), /row 1 has 2 cells, and there are 3 columns/],
    ["no source", chart([models], { sources: [] }), /sources: name the citation or query result/],
    ["no rows", chart([]), /rows: give the figures/],
  ])("is refused with %s", async (_, slide, message) => {
    await expect(add(slide)).rejects.toThrow(message);
  });
});

test("a slide that does not fit says so when it is added, with the room there is", async () => {
  const id = await create();
  const point = "A long statement about how the sensors of the stations are cleaned in each of the quarters";
  const slide = {
    kind: "bullets",
    title: "Full",
    points: Array.from({ length: 20 }, (_, i) => `${point} ${i}`),
  };
  const { text } = await call("powerpoint_add_slide", { presentation_id: id, slide });
  expect(text).toMatch(/^Added slide 2 \(bullets: Full\)\.\nIt does not fit: .*Needs \d+ slides/);
  expect((await call("powerpoint_list_slides", { presentation_id: id })).text).toMatch(
    /Slide 2 \(bullets\) takes \d+ slides/,
  );
});

test("a slide is read as it was given, with its sources by id, and can be put back", async () => {
  const id = await create();
  const cited = sampleCitation("1", 4, "Margin was 62 %.");
  const slides: readonly JsonObject[] = [
    {
      kind: "bullets",
      title: "Margin",
      points: ["Plain", { text: "62 %", figure: "62 %", sources: [{ ...cited }] }],
      sources: [{ ...cited }],
      notes: "Speak up.",
    },
    {
      kind: "chart",
      title: "Margin",
      chart: { kind: "bar", unit: "%" },
      columns: ["Year", "Margin"],
      rows: [["Margin", 62]],
      sources: [{ ...cited }],
    },
  ];
  for (const slide of slides) await call("powerpoint_add_slide", { presentation_id: id, slide });
  const read = async (slide_number: number): Promise<ToolOutput> =>
    call("powerpoint_get_slide", { presentation_id: id, slide_number });
  const first = await read(2);
  expect(first.citations).toEqual([{ ...cited, id: "source-1" }]);
  expect(JSON.parse(first.text)).toEqual({
    ...slides[0],
    points: ["Plain", { text: "62 %", figure: "62 %", sources: ["[source-1]"] }],
    sources: ["[source-1]"],
  });
  expect(JSON.parse((await read(3)).text)).toEqual({
    ...slides[1],
    chart: { kind: "bar", title: "Margin", unit: "%" },
    sources: ["[source-1]"],
  });
});

describe("the number of a slide", () => {
  const bullets = (title: string, points: readonly string[] = ["One", "Two"]): JsonObject => ({
    kind: "bullets",
    title,
    points: [...points],
  });
  const add = (id: string, slide: JsonObject) => call("powerpoint_add_slide", { presentation_id: id, slide });
  const list = async (id: string): Promise<string> =>
    (await call("powerpoint_list_slides", { presentation_id: id })).text;

  test("counts the generated title slide", async () => {
    const id = await create();
    expect((await add(id, bullets("First"))).text).toBe("Added slide 2 (bullets: First).");
    const second = await add(id, bullets("Second"));
    expect(second).toMatchObject({ text: "Added slide 3 (bullets: Second).", data: { slides: 3 } });
    expect(await list(id)).toContain("1. title: AI strategy\n2. bullets: First\n3. bullets: Second\n");
    const read = await call("powerpoint_get_slide", { presentation_id: id, slide_number: 3 });
    expect(read.text).toContain('"title":"Second"');
    const saved = await call("powerpoint_save_presentation", { presentation_id: id });
    expect(saved.data).toMatchObject({
      slides: 3,
      outline: [
        { slide: 1, kind: "title", title: "AI strategy" },
        { slide: 2, title: "First" },
        { slide: 3, title: "Second" },
      ],
    });
  });

  test("stays the same when a title slide replaces the generated one", async () => {
    const id = await create();
    await add(id, bullets("First"));
    const cover = await call("powerpoint_get_slide", { presentation_id: id, slide_number: 1 });
    expect(JSON.parse(cover.text)).toEqual({ kind: "title", title: "AI strategy" });
    const replace = (slide: JsonObject) =>
      call("powerpoint_replace_slide", { presentation_id: id, slide_number: 1, slide });
    await expect(replace(bullets("Not a title"))).rejects.toThrow(/replace it with a slide of kind title/);
    const removal = call("powerpoint_delete_slide", { presentation_id: id, slide_number: 1 });
    await expect(removal).rejects.toThrow(/stays first/);
    const own = { kind: "title", title: "AI strategy", subtitle: "For the board" };
    expect((await replace(own)).text).toContain("Replaced slide 1");
    expect(await list(id)).toContain("1. title: AI strategy\n2. bullets: First\n2 slides in the file.");
    const other = await create();
    await add(other, bullets("First"));
    expect((await add(other, own)).text).toContain("Added slide 1 (title");
  });

  test("is given as in the file as well if an earlier slide takes several", async () => {
    const id = await create();
    const long = "A long statement about how the sensors of the stations are cleaned in each of the quarters";
    await add(
      id,
      bullets(
        "Full",
        Array.from({ length: 20 }, () => long),
      ),
    );
    const cited = sampleCitation("1", 4, "Margin was 62 %.");
    const wrong = { ...bullets("Margin", ["Margin was 71 %"]), sources: [{ ...cited }] };
    const { text } = await add(id, wrong);
    expect(text).toContain("- slide 3, point 1");
    expect(await list(id)).toContain("3. bullets: Margin (slide 4 of the file)");
    const saved = await call("powerpoint_save_presentation", { presentation_id: id });
    expect(saved.text).toContain("- slide 4 of the file (slide_number 3), point 1");
    expect(saved.data).toMatchObject({ unverified: [{ slide: 4, place: "point 1" }] });
  });
});

test("the list of sources can be left out when the presentation is saved, and brought back", async () => {
  const id = await create();
  const cited = sampleCitation("1", 4, "Margin was 62 %.");
  const slide = { kind: "bullets", title: "Margin", points: ["Margin was 62 %"], sources: [{ ...cited }] };
  await call("powerpoint_add_slide", { presentation_id: id, slide });
  const save = async (more: JsonObject = {}): Promise<unknown> =>
    (await call("powerpoint_save_presentation", { presentation_id: id, ...more })).data;
  expect(await save()).toMatchObject({ slides: 3 });
  expect(await save({ sources_slide: false })).toMatchObject({ slides: 2 });
  expect(await save()).toMatchObject({ slides: 2 });
  expect(await save({ sources_slide: true })).toMatchObject({ slides: 3 });
});

test("figures of a query result are found where the slide names it", async () => {
  const id = await create();
  const query =
    "SELECT year, sum(eur) AS revenue, (sum(eur) / lag(sum(eur)) OVER (ORDER BY year) - 1) * 100 AS growth FROM s GROUP BY year";
  const result = {
    id: "result-1",
    columns: ["year", "revenue", "growth"],
    rows: [
      ["2024", 100, null],
      ["2025", 131, 22.7],
    ],
    query,
    provenance: { resultId: "result-1", query, source: "sales.csv" },
  };
  const add = async (text: string): Promise<string> => {
    const slide = { kind: "bullets", title: "Revenue", points: [text], data: [result] };
    return (await call("powerpoint_add_slide", { presentation_id: id, slide })).text;
  };
  expect(await add("Revenue grew 22.7 %")).not.toContain("Not found");
  expect(await add("Revenue grew 29.3 %")).toContain("29.3 % was not found");
});

test("a slide that is there already is not added again", async () => {
  const id = await create();
  const slide = { kind: "bullets", title: "Where we stand", points: ["The pilot runs"] };
  const add = (given: JsonObject) => call("powerpoint_add_slide", { presentation_id: id, slide: given });
  expect((await add(slide)).text).toContain("Added slide 2");
  for (const _ of [1, 2]) {
    const { text, data } = await add(slide);
    expect(text).toContain("Slide 2 is the same as this; nothing was added.");
    expect(data).toMatchObject({ slides: 2 });
  }
  expect((await add({ ...slide, title: "Where we go" })).text).toContain("Added slide 3");
});
