import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { defineTool, isTroupeError, silentLog, type Tool } from "@troupe/core";
import { mcpSettings, startMcp } from "@troupe/service/mcp";
import JSZip from "jszip";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { settings } from "../../server/settings.ts";
import { start } from "../../server/start.ts";
import { testContext } from "../../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import type { CliContext } from "../context.ts";
import { recordServers } from "../server-record.ts";
import { check, type CheckOptions } from "./check.ts";

afterEach(cleanUp);

const QUOTE = "Trains are booked in second class. A hotel may cost EUR 140 a night in Bremen.";
const ofFirm = z.object({ collection: z.literal("firm"), query: z.string(), limit: z.number() });

/** A server with one document and one table. */
const tools: readonly Tool[] = [
  defineTool({
    name: "list",
    description: "Lists.",
    input: z.object({}),
    execute: () => Promise.resolve({ text: "", data: { collections: ["firm"] } }),
  }),
  defineTool({
    name: "contents",
    description: "Describes.",
    input: z.object({ collection: z.string() }),
    execute: () => {
      const tables = [{ name: "sales", source: "sales.csv", rows: 2, columns: 2 }];
      return Promise.resolve({ text: "", data: { tables } });
    },
  }),
  defineTool({
    name: "search",
    description: "Searches.",
    input: ofFirm,
    execute: () => {
      const place = {
        source: "travel.md",
        page: 2,
        collection: "firm",
        chunkId: "k",
        start: 0,
        end: QUOTE.length,
      };
      return Promise.resolve({
        text: "",
        citations: [{ id: "1", document: "Travel policy", quote: QUOTE, ...place }],
      });
    },
  }),
  defineTool({
    name: "query",
    description: "Queries.",
    input: z.object({ sql: z.string(), collection: z.literal("firm") }),
    execute: ({ sql }) => {
      if (!sql.startsWith('SELECT * FROM "sales" LIMIT'))
        return Promise.resolve({ text: "No such thing.", isError: true });
      const columns = [
        { name: "region", type: "VARCHAR", role: "category" },
        { name: "revenue", type: "BIGINT", role: "measure" },
      ];
      const rows = [
        ["Nordics", 240],
        ["Alps", 160],
      ];
      return Promise.resolve({ text: "", data: { columns, rows, total: 2 } });
    },
  }),
];

const TRUE = "A hotel may cost EUR 140 a night in Bremen [7]. The Nordics have a revenue of 240.";
const FALSE = "A hotel may cost EUR 190 a night in Bremen.";

/** Runs `check` on files of a folder; gives its exit code and what it prints, or what it says is wrong. */
async function checking(
  files: { readonly [name: string]: string | Uint8Array },
  options: Partial<CheckOptions> = {},
  own: Partial<CliContext> = {},
): Promise<readonly [number | string, string]> {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const appsRoot = temporaryFolder();
  mkdirSync(join(appsRoot, "firm-mcp"));
  const ingest = {
    tool: "take",
    extensions: [],
    list: "list",
    contents: "contents",
    search: "search",
    query: "query",
  };
  const troupe = { kind: "mcp", port: 4001, ingest };
  writeFileSync(join(appsRoot, "firm-mcp", "package.json"), JSON.stringify({ name: "firm-mcp", troupe }));
  const orchestrator = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
  onTestFinished(() => orchestrator.close());
  const definition = {
    name: "firm-mcp",
    version: "1.0.0",
    instructions: "",
    open: () => Promise.resolve({ tools, close: () => Promise.resolve() }),
  };
  const served = await startMcp(definition, mcpSettings(4001).parse({ home, port: 0 }), { log: silentLog });
  onTestFinished(() => served.close());
  recordServers(home, orchestrator.url, [{ name: "firm-mcp", kind: "mcp", url: new URL(served.url).origin }]);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  let written = "";
  const context = testContext(home, { appsRoot, out: (text) => void (written += text), ...own });
  const asked = { files: Object.keys(files), collection: "firm", verbose: false, json: false, ...options };
  const code = await check(context, asked).catch((error: unknown) => {
    if (!isTroupeError(error)) throw error;
    written = error.message;
    return error.code;
  });
  return [code, written];
}

it("ends with 0 where every claim is found in documents or tables, and says where when asked", async () => {
  expect(await checking({ "a.md": TRUE })).toEqual([0, "2 claims: all found in sources or data\n"]);
  expect(await checking({ "a.md": TRUE }, { verbose: true })).toEqual([
    0,
    [
      "2 claims: all found in sources or data",
      "      line 1: A hotel may cost EUR 140 a night in Bremen.",
      "        Travel policy, p. 2",
      "      line 1: The Nordics have a revenue of 240.",
      "        table sales (sales.csv)\n",
    ].join("\n"),
  ]);
});

it("ends with 1 and shows, file by file, each sentence with something that was not found", async () => {
  const files = { "a.md": TRUE, "b.txt": FALSE, "c.md": "Water is wet." };
  const shown = (mark: string): string =>
    [
      "a.md\n2 claims: all found in sources or data\n",
      "b.txt\n1 claim: 1 not found",
      `  ${mark} line 1: A hotel may cost EUR 190 a night in Bremen.`,
      "        190 is not in the best passages and tables",
      '        closest: Travel policy, p. 2: "A hotel may cost EUR 140 a night in Bremen."\n',
      "c.md\nno claims to check; 1 sentence states nothing that can be compared\n",
      "3 files, 3 claims: 2 found in sources or data, 1 not found; 1 sentence states nothing that can be compared\n",
    ].join("\n");
  expect(await checking(files)).toEqual([1, shown("(!)")]);
  const screen = () => ({ columns: 200, color: true });
  expect(await checking(files, {}, { screen })).toEqual([1, shown("\u001b[33m(!)\u001b[39m")]);
});

it("names the line of a claim in a text file, also behind marks, sources and empty lines", async () => {
  const text = `# Travel [1]\r\n\r\n\r\nWater is wet.\r\nA hotel may cost [1] EUR 190 a night.\r\n${TRUE}\r\n\r\n[1] Policy\r\n\r\n- ${FALSE}\r\n`;
  const [, written] = await checking({ "a.md": text }, { json: true });
  const claims = written
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { line?: number }]));
  expect(claims.map(({ line }) => line)).toEqual([5, 6, 6, 10, undefined]);
  const screen = () => ({ columns: 80, color: false });
  expect((await checking({ "a.md": text }, {}, { screen }))[1]).toContain(
    "(!) line 10: A hotel may cost EUR 190",
  );
});

it("checks the other files where one is missing, and says that a file is empty", async () => {
  const errors: string[] = [];
  const err = (text: string): void => void errors.push(text);
  const names = ["no.md", "a.md", "empty.md"];
  expect(await checking({ "a.md": TRUE, "empty.md": " \n" }, { files: names }, { err })).toEqual([
    2,
    [
      "a.md\n2 claims: all found in sources or data\n",
      "empty.md\nis empty\n",
      "2 files, 2 claims: all found in sources or data\n",
    ].join("\n"),
  ]);
  expect(errors).toEqual(['"no.md" cannot be read: there is no such file. Check the path.\n']);
  const [code, written] = await checking({ "a.md": TRUE }, { files: ["a.md", "no.md"], json: true }, { err });
  expect(code).toBe(2);
  expect(written).toContain('{"type":"error","file":"no.md","code":"input.not-found","message":');
  expect(await checking({ "empty.md": "" })).toEqual([0, '"empty.md" is empty\n']);
});

it("checks slides and their notes, and prints a claim a line as JSON", async () => {
  const zip = new JSZip();
  const relation = (type: string, target: string): string =>
    `<Relationships><Relationship Id="a" Type="x/${type}" Target="${target}"/></Relationships>`;
  const slide = (text: string): string =>
    `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
  zip.file(
    "ppt/presentation.xml",
    '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldId r:id="a"/></p:presentation>',
  );
  zip.file("ppt/_rels/presentation.xml.rels", relation("slide", "slides/slide1.xml"));
  zip.file("ppt/slides/slide1.xml", slide(FALSE));
  zip.file("ppt/slides/_rels/slide1.xml.rels", relation("notesSlide", "../notesSlides/n.xml"));
  zip.file("ppt/notesSlides/n.xml", slide("A hotel may cost EUR 140 a night."));
  const deck = await zip.generateAsync({ type: "uint8array" });
  const [code, written] = await checking({ "deck.pptx": deck }, { json: true });
  const travel = { document: "Travel policy", source: "travel.md", page: 2, quote: QUOTE };
  const claim = { type: "claim", file: "deck.pptx" };
  const finding = { kind: "figure", detail: "190" };
  const sentence = "A hotel may cost EUR 140 a night.";
  expect(
    written
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { ...claim, place: "slide 1", sentence: FALSE, status: "finding", finding, closest: [travel] },
    { ...claim, place: "notes of slide 1", sentence, status: "verified", found: [travel] },
    { type: "result", v: 1, claims: 2, verified: 1, derived: 0, findings: 1, unchecked: 0 },
  ]);
  expect(code).toBe(1);
  expect(await checking({ "deck.pptx": deck })).toEqual([
    1,
    expect.stringContaining("\n  (!) slide 1: A hotel may cost EUR 190 a night in Bremen.\n") as unknown,
  ]);
});

it("says of a file that is missing or of another kind, and of an unknown collection, what is wrong", async () => {
  const none = "cannot be read: there is no such file. Check the path.";
  expect(await checking({}, { files: ["no.md"] })).toEqual(["input.not-found", `"no.md" ${none}`]);
  expect(await checking({}, { files: ["no.pptx"] })).toEqual(["input.not-found", `"no.pptx" ${none}`]);
  expect(await checking({ "page.html": TRUE })).toEqual([
    "input.unsupported",
    '"page.html" is of a kind that cannot be checked. Known kinds: .md, .markdown, .txt, .docx, .pdf, .pptx.',
  ]);
  expect(await checking({ "a.md": TRUE }, { collection: "frim" })).toEqual([
    "input.not-found",
    expect.stringContaining('There is no collection "frim". Known collections: "firm".') as unknown,
  ]);
});
