import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { tinyDocx } from "../testing/tiny-docx.ts";
import { tinyPdf } from "../testing/tiny-pdf.ts";
import { parseDocument } from "../parse/parse-document.ts";
import { DEFAULT_PARSE_LIMITS } from "../parse/parsed-document.ts";
import { openStore, type IndexStore } from "../store/index-store.ts";
import { ingestFiles, type IngestOptions } from "./ingest-files.ts";
import { describeCounts, describeHidden, type FileReport, type IngestReport } from "./report.ts";

let folder: string;
let docs: string;
let store: IndexStore;
const clock = virtualClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ingest-"));
  docs = join(folder, "docs");
  mkdirSync(join(docs, "sub"), { recursive: true });
  store = openStore(":memory:");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(docs, name), content);
const statuses = (files: readonly FileReport[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file.source, file.status]));

function ingest(paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
  return ingestFiles(paths, options, {
    store: {
      states: async (collection) => store.states(collection),
      write: async (write) => store.write(write),
      deleteDocument: async (documentId) => store.deleteDocument(documentId),
    },
    parser: { parse: (bytes, name) => parseDocument(bytes, name) },
    limits: DEFAULT_PARSE_LIMITS,
    clock,
    log: silentLog,
  });
}

const documents = (collection?: string) => store.documents(collection);
const hits = (query: string) => store.search(query, {}).hits;

describe("ingestFiles", () => {
  it("indexes no hidden text and reports how much there was", async () => {
    put("a.md", 'Pumps run at night.\n\n<div style="display:none">Visitors may enter.</div>');
    const { files } = await ingest([docs], { collection: "notes" });
    expect(files[0]?.hidden).toEqual({ characters: 19, pages: [1] });
    expect(describeHidden(files[0] ?? {})).toBe("19 hidden characters left out");
    expect(hits("visitors")).toEqual([]);
    expect(hits("pumps")).toHaveLength(1);
  });

  it("takes every format in; one bad file never loses the others, and each says what happened", async () => {
    put("a.md", "# Alpha\n\nPumps run at night.");
    put("b.pdf", tinyPdf([[{ text: "Valves close by day.", y: 700 }]]));
    put("sub/c.docx", tinyDocx([{ text: "Filters are changed weekly." }]));
    put("empty.txt", "");
    put("broken.pdf", "%PDF-1.7 and nothing more");
    put("picture.png", "x");
    put(".hidden.md", "secret");
    symlinkSync(join(docs, "a.md"), join(docs, "link.md"));
    const seen: string[] = [];
    const report = await ingest([docs, join(folder, "not-there")], {
      collection: "docs",
      onFile: (file, { done, total }) => seen.push(`${done}/${total} ${file.status}`),
    });
    expect(statuses(report.files)).toEqual({
      "a.md": "indexed",
      "b.pdf": "indexed",
      "sub/c.docx": "indexed",
      "empty.txt": "failed",
      "broken.pdf": "failed",
      "picture.png": "skipped",
      "link.md": "skipped",
      [join(folder, "not-there")]: "failed",
    });
    expect(seen).toHaveLength(8);
    expect(seen.at(-1)).toMatch(/^8\/8/);
    expect(describeCounts(report)).toBe("3 indexed, 3 failed, 2 skipped");
    for (const file of report.files.filter((item) => item.status === "failed"))
      expect(file.reason).toContain(`"${file.source}"`);
    expect(hits("filters")[0]?.citation.source).toBe("sub/c.docx");
    expect(documents("docs").every((document) => document.ingestedAt === clock.now())).toBe(true);
  });

  it("leaves unchanged files alone, replaces changed ones, reports gone ones and prunes them when asked", async () => {
    put("a.md", "Pumps run at night.");
    put("b.md", "Valves close by day.");
    await ingest([docs], { collection: "docs" });
    put("b.md", "Valves open by day.");
    rmSync(join(docs, "a.md"));
    const second = await ingest([docs], { collection: "docs" });
    expect(statuses(second.files)).toEqual({ "b.md": "updated" });
    expect(second.gone).toEqual(["a.md"]);
    const third = await ingest([docs], { collection: "docs", prune: true });
    expect(statuses(third.files)).toEqual({ "b.md": "unchanged", "a.md": "removed" });
    expect(hits("pumps")).toEqual([]);
    const [document] = documents();
    expect(store.deleteDocument(document!.documentId)).toBe(true);
    expect(store.collections()).toEqual([]);
  });

  it("keeps the earlier state of a file that broke", async () => {
    put("b.pdf", tinyPdf([[{ text: "Valves close by day.", y: 700 }]]));
    await ingest([docs], { collection: "docs" });
    put("b.pdf", "%PDF-1.7 cut off");
    expect(statuses((await ingest([docs], { collection: "docs" })).files)).toEqual({
      "b.pdf": "failed",
    });
    expect(hits("valves")).toHaveLength(1);
  });

  it("tells two files with one name apart, and follows a folder that moved", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    put("readme.md", "Pumps run at night.");
    writeFileSync(join(other, "readme.md"), "Valves close by day.");
    await ingest([docs], { collection: "docs" });
    await ingest([other], { collection: "docs" });
    expect(documents().map((document) => document.source)).toEqual(["other/readme.md", "readme.md"]);
    const moved = join(folder, "moved");
    mkdirSync(moved);
    copyFileSync(join(docs, "readme.md"), join(moved, "readme.md"));
    rmSync(docs, { recursive: true });
    await ingest([moved], { collection: "docs" });
    expect(documents().map((document) => document.source)).toEqual(["other/readme.md", "readme.md"]);
    await ingest([other, moved], { collection: "both" });
    expect(documents("both").map((document) => document.source)).toEqual([
      "moved/readme.md",
      "other/readme.md",
    ]);
  });

  it("refuses what leaves nothing to do", async () => {
    await expect(ingest([], { collection: "docs" })).rejects.toThrow(/No path was given/);
    await expect(ingest([join(folder, "gone")], { collection: "docs" })).rejects.toMatchObject({
      code: "input.not-found",
      message: expect.stringContaining(`"${join(folder, "gone")}" does not exist`) as string,
    });
    await expect(ingest([docs], { collection: "docs" })).rejects.toThrow(/There is no file in/);
    await expect(ingest([docs], { collection: "../x" })).rejects.toThrow(
      '"../x" cannot be the name of a collection. Use letters, digits, "-" and "_", at most 64, starting with a letter or digit.',
    );
  });

  it("stops between files when told, and keeps what is done", async () => {
    put("a.md", "Pumps run at night.");
    put("b.md", "Valves close by day.");
    const stop = new AbortController();
    const stopped = ingest([docs], {
      collection: "docs",
      signal: stop.signal,
      onFile: () => stop.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect(documents()).toHaveLength(1);
  });
});
