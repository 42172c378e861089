import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answerCheck } from "@troupe/checks";
import { createAgent, silentLog, type Log, type Tool, type ToolOutput } from "@troupe/core";
import { finishCall, memoryArtifactStore, runAgent, scriptedModel, testConfig } from "@troupe/core/testing";
import { lintDeck } from "@troupe/deck";
import { sampleCitation } from "@troupe/deck/testing";
import type { JsonObject } from "@troupe/stream";
import JSZip from "jszip";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { callTool } from "../testing/call-tool.ts";
import { filePresentationStore } from "../adapters/file-presentation-store.ts";
import { pptxName } from "./save-presentation.ts";
import { powerpointTools } from "./tools.ts";

let dir: string;
let tools: readonly Tool[];
let now = 1_000;
const artifacts = memoryArtifactStore();
let write: ((path: string, text: string) => Promise<void>) | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "ppt-mcp-"));
  write = undefined;
  tools = open();
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function open(): readonly Tool[] {
  const store = filePresentationStore({
    dir,
    clock: { now: () => (now += 1_000) },
    newId: () => crypto.randomUUID(),
    max: 5,
    ...(write === undefined ? {} : { write }),
  });
  return powerpointTools({ storeOf: () => store, artifacts, check: answerCheck });
}

const call = (name: string, args: JsonObject, log: Log = silentLog): Promise<ToolOutput> =>
  callTool(tools, name, args, log);

async function create(): Promise<string> {
  const { data } = await call("powerpoint_create_presentation", { title: "AI strategy" });
  return (data as { presentation_id: string }).presentation_id;
}

const bullets = (title: string): JsonObject => ({
  kind: "bullets",
  title,
  points: ["One thing", "Another thing"],
});

const titles = async (id: string): Promise<readonly string[]> =>
  (await call("powerpoint_list_slides", { presentation_id: id })).text
    .split("\n")
    .filter((line) => /^\d+\. (?!title)/.test(line))
    .map((line) => line.split(": ")[1] ?? "");

describe("a presentation from first call to last", () => {
  test("is created, filled and saved as a pptx that passes the lint", async () => {
    const id = await create();
    await call("powerpoint_add_slide", { presentation_id: id, slide: bullets("First") });
    await call("powerpoint_add_slide", {
      presentation_id: id,
      slide: {
        kind: "chart",
        title: "Sales",
        chart: {
          v: 1,
          id: "chart-1",
          kind: "column",
          title: "Sales",
          x: { field: "q", label: "Quarter", type: "category" },
          series: [{ field: "v", label: "Revenue", type: "number", unit: "EUR" }],
          rows: [
            { q: "Q1", v: 10.5 },
            { q: "Q2", v: 12 },
          ],
          provenance: { resultId: "r", query: "SELECT 1", source: "sales.csv" },
        },
      },
    });
    await call("powerpoint_replace_slide", {
      presentation_id: id,
      slide_number: 2,
      slide: bullets("Renamed"),
    });
    expect(await titles(id)).toEqual(["Renamed", "Sales"]);
    const saved = await call("powerpoint_save_presentation", {
      presentation_id: id,
      file_name: "AI strategy",
    });
    expect(saved.text).toContain('Saved "AI strategy.pptx" with 4 slides');
    const [{ of, artifact: ref } = {}] = saved.revisions ?? [];
    expect([of, ref?.name]).toEqual([id, "AI strategy.pptx"]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await artifacts.get(ref?.id ?? "", ""))?.read() ?? []) chunks.push(chunk);
    expect(await lintDeck(Buffer.concat(chunks))).toEqual([]);
    const again = await call("powerpoint_save_presentation", {
      presentation_id: id,
      file_name: "AI strategy",
    });
    expect(again.revisions).toMatchObject([{ of: id, artifact: { sha256: ref?.sha256 } }]);
  });

  test("survives a restart of the server", async () => {
    const id = await create();
    await call("powerpoint_add_slide", { presentation_id: id, slide: bullets("Kept") });
    tools = open();
    expect(await titles(id)).toEqual(["Kept"]);
  });

  test("keeps every slide of a round of parallel calls, each at its position whatever comes first", async () => {
    const id = await create();
    const order = [5, 3, 6, 2, 4];
    await Promise.all(
      order.map((position) =>
        call("powerpoint_add_slide", { presentation_id: id, slide: bullets(`S${position}`), position }),
      ),
    );
    expect(await titles(id)).toEqual(["S2", "S3", "S4", "S5", "S6"]);
    await call("powerpoint_add_slide", { presentation_id: id, slide: bullets("New"), position: 3 });
    expect(await titles(id)).toEqual(["S2", "New", "S3", "S4", "S5", "S6"]);
    await call("powerpoint_move_slide", { presentation_id: id, slide_number: 3, to: 7 });
    await call("powerpoint_delete_slide", { presentation_id: id, slide_number: 2 });
    expect(await titles(id)).toEqual(["S3", "S4", "S5", "S6", "New"]);
  });

  test("is read as the calls before in the same round left it", async () => {
    const id = await create();
    const add = (title: string) => ({
      name: "powerpoint_add_slide",
      arguments: { presentation_id: id, slide: bullets(title) },
    });
    const read = (name: string) => ({ name, arguments: { presentation_id: id } });
    const model = scriptedModel([
      {
        calls: [add("First"), add("Second"), read("powerpoint_list_slides"), add("Third")],
      },
      { calls: [finishCall("Done.")] },
    ]);
    await runAgent(createAgent(testConfig, { model, tools }));
    const results = model.requests[1]?.messages.at(-1);
    const [, , list] = results?.role === "tool" ? results.results : [];
    expect(list?.text).toContain("3 slides in the file, with a title slide added.");
    expect(list?.text).toContain("3. bullets: Second");
    expect(list?.text).not.toContain("Third");
  });
});

describe("calls out of order say what to call first", () => {
  const at = (name: string): JsonObject => (name.endsWith("get_slide") ? { slide_number: 1 } : {});
  test.each(["powerpoint_list_slides", "powerpoint_get_slide"])("%s without a presentation", async (name) => {
    await expect(call(name, { presentation_id: "../../../etc/passwd", ...at(name) })).rejects.toThrow(
      /powerpoint_create_presentation first/,
    );
  });

  test("save without slides", async () => {
    const id = await create();
    await expect(
      call("powerpoint_save_presentation", { presentation_id: id, file_name: "x" }),
    ).rejects.toThrow(/powerpoint_add_slide first/);
  });

  test("another slide in place of one that is not there", async () => {
    const id = await create();
    const replace = (slide_number: number): Promise<ToolOutput> =>
      call("powerpoint_replace_slide", { presentation_id: id, slide_number, slide: bullets("x") });
    await expect(replace(2)).rejects.toThrow(/no slides yet/);
    await call("powerpoint_add_slide", { presentation_id: id, slide: bullets("One") });
    await expect(replace(7)).rejects.toThrow(/slides 1 to 2/);
  });

  test("a field that the kind does not show", async () => {
    const id = await create();
    await expect(
      call("powerpoint_add_slide", { presentation_id: id, slide: { ...bullets("One"), quote: "Q" } }),
    ).rejects.toThrow(/quote: a slide of kind "bullets" does not show it/);
    await expect(
      call("powerpoint_add_slide", { presentation_id: id, slide: { kind: "chart", title: "No chart" } }),
    ).rejects.toThrow(/chart: /);
  });
});

describe("a slide that cannot be shown as it is meant is refused with what to mend", () => {
  const add = async (slide: JsonObject): Promise<ToolOutput> =>
    call("powerpoint_add_slide", { presentation_id: await create(), slide });

  test.each<[string, JsonObject, RegExp]>([
    [
      "a row of another length",
      {
        kind: "table",
        title: "T",
        columns: ["a", "b"],
        rows: [
          ["1", "2"],
          ["1", "2", "3"],
        ],
      },
      /row 2 has 3 cells, and there are 2 columns/,
    ],
    [
      "a statement whose source lacks its page and quote",
      { kind: "bullets", title: "T", points: ["a", { text: "b", sources: [{ document: "d" }] }] },
      /slide\.points\.1\.sources\.0\.id: /,
    ],
    [
      "a chart of words",
      {
        kind: "chart",
        title: "T",
        chart: {
          v: 1,
          id: "c",
          kind: "bar",
          title: "C",
          x: { field: "q", label: "Q", type: "category" },
          series: [{ field: "v", label: "V", type: "number" }],
          rows: [{ q: "a", v: "many" }],
          provenance: { resultId: "r", query: "q", source: "s.csv" },
        },
      },
      /no row has a number in "v"/,
    ],
  ])("%s", async (_, slide, message) => {
    await expect(add(slide)).rejects.toThrow(message);
  });

  test("a call without an id says where it comes from", async () => {
    await expect(call("powerpoint_add_slide", { slide: bullets("T") })).rejects.toThrow(
      /presentation_id: call powerpoint_create_presentation first/,
    );
  });
});

test("a change after saving says that the file does not have it", async () => {
  const id = await create();
  const change = async (title: string) =>
    (await call("powerpoint_add_slide", { presentation_id: id, slide: bullets(title) })).text;
  const save = () => call("powerpoint_save_presentation", { presentation_id: id, file_name: "x" });
  expect(await change("First")).not.toContain("saved file");
  await save();
  expect(await change("Second")).toContain("call powerpoint_save_presentation again");
  const other = { presentation_id: id, slide_number: 2, slide: bullets("More") };
  expect((await call("powerpoint_replace_slide", other)).text).toContain("saved file");
  expect((await save()).text).toContain("3 slides");
});

test("a file that could not be written is no saved file, and one that was is, noted or not", async () => {
  const id = await create();
  const change = async (title: string) =>
    (await call("powerpoint_add_slide", { presentation_id: id, slide: bullets(title) })).text;
  const save = { presentation_id: id, file_name: "x" };
  await change("First");
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const put = vi.spyOn(artifacts, "put").mockRejectedValueOnce(full);
  await expect(call("powerpoint_save_presentation", save)).rejects.toThrow(full);
  put.mockRestore();
  expect(await change("Second")).not.toContain("saved file");

  write = () => Promise.reject(full);
  tools = open();
  const warn = vi.fn<Log["warn"]>();
  const saved = await call("powerpoint_save_presentation", save, { ...silentLog, warn });
  expect(saved.revisions).toHaveLength(1);
  expect(warn).toHaveBeenCalledOnce();
});

test("a slide with nothing to show is named when it is left out of the file", async () => {
  const id = await create();
  const point = { text: "A claim", sources: [{ ...sampleCitation("1", 3, "So it is") }] };
  const sources = { kind: "sources", title: "Sources" };
  await call("powerpoint_add_slide", { presentation_id: id, slide: sources });
  const save = () => call("powerpoint_save_presentation", { presentation_id: id, file_name: "x" });
  await call("powerpoint_add_slide", { presentation_id: id, slide: bullets("Uncited"), position: 1 });
  expect((await save()).text).toContain("Slide 3 (sources) has nothing to show and is left out.");
  const cited = { kind: "bullets", title: "Cited", points: [point] };
  await call("powerpoint_add_slide", { presentation_id: id, slide: cited, position: 1 });
  expect((await save()).text).not.toContain("left out");
});

test("a presentation of as many slides as there may be is saved, with a cover of its own", async () => {
  const id = await create();
  for (let i = 1; i <= 100; i++)
    await call("powerpoint_add_slide", { presentation_id: id, slide: bullets(`S${i}`) });
  await expect(call("powerpoint_add_slide", { presentation_id: id, slide: bullets("S101") })).rejects.toThrow(
    /powerpoint_delete_slide/,
  );
  const saved = await call("powerpoint_save_presentation", { presentation_id: id, file_name: "../x" });
  expect(saved.text).toContain('Saved "x.pptx" with 101 slides');
});

describe("storage", () => {
  test("a full disk is said plainly and loses nothing", async () => {
    const id = await create();
    await call("powerpoint_add_slide", { presentation_id: id, slide: bullets("Kept") });
    const healthy = tools;
    write = () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
    tools = open();
    await expect(
      call("powerpoint_add_slide", { presentation_id: id, slide: bullets("Lost") }),
    ).rejects.toMatchObject({
      code: "store.full",
    });
    tools = healthy;
    expect(await titles(id)).toEqual(["Kept"]);
    expect((await readdir(dir)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("keeps a bounded number of presentations", async () => {
    for (let i = 0; i < 9; i++) await create();
    expect((await readdir(dir)).length).toBeLessThanOrEqual(5);
  });
});

test.each([
  ["../../etc/passwd", "passwd.pptx"],
  ["C:\\temp\\deck.ppt", "deck.pptx"],
  ["  Q3 review.PPTX ", "Q3 review.pptx"],
  ["\u0000\u202e..", "presentation.pptx"],
  ["CON", "presentation.pptx"],
  ["", "presentation.pptx"],
  ["Årsrapport 2026", "Årsrapport 2026.pptx"],
])("the file name %j becomes %j", (wanted, name) => expect(pptxName(wanted)).toBe(name));

describe("what slides state is compared with their sources", () => {
  const margin = sampleCitation("1", 4, "Software margin was 62 % in 2025, after 58 % in 2024.");
  const invented = {
    kind: "bullets",
    title: "Software margin is 71 %",
    points: [{ text: "It was 58 % in 2024", sources: [{ ...margin }] }],
  };
  const save = (id: string) => call("powerpoint_save_presentation", { presentation_id: id, file_name: "x" });
  const savedNotes = async (id: string): Promise<readonly string[]> => {
    const [{ artifact: ref } = {}] = (await save(id)).revisions ?? [];
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await artifacts.get(ref?.id ?? "", ""))?.read() ?? []) chunks.push(chunk);
    const zip = await JSZip.loadAsync(Buffer.concat(chunks));
    const notes = zip.file(/notesSlide\d+\.xml$/);
    return Promise.all(notes.map((one) => one.async("string")));
  };

  test("a slide is added all the same, and the answer names what was not found", async () => {
    const id = await create();
    const { text, summary } = await call("powerpoint_add_slide", { presentation_id: id, slide: invented });
    const [first, head, line, remedy] = text.split("\n");
    expect([first, head]).toEqual([summary, "Not found in the sources:"]);
    expect(line).toBe('- slide 2, title: "Software margin is 71 %": 71 % was not found.');
    expect(remedy).toContain("powerpoint_replace_slide");
    expect(await titles(id)).toEqual(["Software margin is 71 %"]);
  });

  test("what is not corrected is named by the saved file, its notes and its data, until it is corrected", async () => {
    const id = await create();
    await call("powerpoint_add_slide", { presentation_id: id, slide: invented });
    const saved = await save(id);
    expect(saved.text).toMatch(/Not found in the sources.*\n- slide 2, title: .*71 % was not found/);
    const found = [
      { slide: 2, place: "title", statement: "Software margin is 71 %", problem: "71 % was not found" },
    ];
    expect(saved.data).toMatchObject({ unverified: found, compared: true });
    const line = "Not found in the sources: 71 % (Software margin is 71 %)";
    expect((await savedNotes(id)).filter((notes) => notes.includes(line))).toHaveLength(1);

    const { text } = await call("powerpoint_replace_slide", {
      presentation_id: id,
      slide_number: 2,
      slide: { ...invented, title: "Software margin is 62 %" },
    });
    expect(text).not.toContain("Not found");
    expect(await save(id)).toMatchObject({ data: { unverified: [], compared: true } });
    expect((await savedNotes(id)).join("\n")).not.toContain("Not found in the sources");
  });

  test("a slide that takes the place of another is compared too", async () => {
    const id = await create();
    const slide = { ...invented, title: "Margin" };
    await call("powerpoint_add_slide", { presentation_id: id, slide });
    const { text } = await call("powerpoint_replace_slide", {
      presentation_id: id,
      slide_number: 2,
      slide: {
        ...slide,
        points: [...slide.points, { text: "99 hours", sources: [{ ...margin }] }],
        notes: "Ask Anna.\nThe goal is 83 %.",
      },
    });
    expect(text).toContain('slide 2, point 2: "99 hours": 99 hours was not found.');
    expect(text).toContain('slide 2, notes: "The goal is 83 %.": 83 % was not found.');
  });

  test("without sources nothing is compared, and saving counts the statements with figures", async () => {
    const id = await create();
    const slide = { kind: "bullets", title: "Margin is 71 %", points: ["For EUR 40 million"] };
    expect((await call("powerpoint_add_slide", { presentation_id: id, slide })).text).not.toContain(
      "Not found",
    );
    const saved = await save(id);
    expect(saved.text).toContain(
      "Statements without sources were not checked.\n2 statements with figures have no source: slide 2.",
    );
    const problem = "it has no source";
    const unverified = [
      { slide: 2, place: "title", statement: "Margin is 71 %", problem },
      { slide: 2, place: "point 1", statement: "For EUR 40 million", problem },
    ];
    expect(saved.data).toMatchObject({ unverified, compared: false });
    expect((await savedNotes(id)).join("\n")).not.toContain("Not found");
  });

  test("without sources, saving compares with what the run knows and reports in the same way", async () => {
    const id = await create();
    const slide = { kind: "bullets", title: "Margin", points: ["EUR 40 million in 2025", "EUR 91 million"] };
    await call("powerpoint_add_slide", { presentation_id: id, slide });
    const known = { given: ["A slide: the margin was EUR 40 million in 2025."], tables: [] };
    const saved = await call("powerpoint_save_presentation", { presentation_id: id, known });
    expect(saved.text).toMatch(/Not found in the sources.*\n- slide 2, point 2: .*91 million was not found/);
    const statement = { slide: 2, place: "point 2", statement: "EUR 91 million" };
    expect(saved.data).toMatchObject({ unverified: [statement], compared: true });
  });

  test("a title slide may state what later slides prove", async () => {
    const id = await create();
    const add = (slide: JsonObject) => call("powerpoint_add_slide", { presentation_id: id, slide });
    const cover = { kind: "title", title: "Margin", subtitle: "58 % in 2024" };
    expect((await add({ ...invented, title: "Margin" })).text).not.toContain("Not found");
    expect((await add(cover)).text).not.toContain("Not found");
    expect((await add({ kind: "title", title: "Margin", subtitle: "71 %" })).text).not.toContain("Not found");
    expect((await save(id)).data).toMatchObject({ unverified: [{ slide: 3, place: "subtitle" }] });
  });
});

test("a refused slide shows an example of its kind", async () => {
  const presentation_id = await create();
  const slide = { kind: "table", title: "Orders" };
  await expect(call("powerpoint_add_slide", { presentation_id, slide })).rejects.toThrow(
    'Such as: {"kind":"table","title":"...","columns":["...","..."],"rows":[["...",1]]}',
  );
});
