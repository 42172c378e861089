import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { tinyDocx } from "../testing/tiny-docx.ts";
import { tinyPdf } from "../testing/tiny-pdf.ts";
import { openIndex, type RetrievalIndex } from "./open-index.ts";

let folder: string;
let index: RetrievalIndex;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "index-"));
  index = await openIndex({ path: join(folder, "index.db") });
});
afterEach(async () => {
  await index.close();
  rmSync(folder, { recursive: true });
});

describe("openIndex", () => {
  it("ingests through a child process while another opening of the file reads", async () => {
    const docs = join(folder, "docs");
    mkdirSync(docs);
    writeFileSync(join(docs, "a.md"), "Pumps run at night.");
    writeFileSync(join(docs, "b.pdf"), tinyPdf([[{ text: "Valves close by day.", y: 700 }]]));
    writeFileSync(join(docs, "c.docx"), tinyDocx([{ text: "Filters are changed weekly." }]));
    writeFileSync(join(docs, "d.pdf"), "%PDF-1.7 and nothing more");
    const reader = await openIndex({ path: join(folder, "index.db") });
    const { counts } = await index.ingest([docs], { collection: "docs" });
    expect(counts).toMatchObject({ indexed: 3, failed: 1 });
    const { hits } = await reader.search("valve");
    expect(hits[0]?.citation).toMatchObject({ quote: "Valves close by day.", source: "b.pdf", page: 1 });
    expect((await reader.page(hits[0]!.documentId, 1))?.text).toBe("Valves close by day.");
    await reader.close();
    await reader.close();
    await expect(reader.search("x")).rejects.toMatchObject({ code: "store.io" });
    expect(await index.deleteDocument(hits[0]!.documentId)).toBe(true);
    expect(await index.collections()).toEqual([{ name: "docs", documents: 2, passages: 2 }]);
    expect((await index.documents("docs")).map((document) => document.source)).toEqual(["a.md", "c.docx"]);
  });

  it("names its file to whoever opens it, and to nobody who uses it", async () => {
    const file = join(folder, "index.db");
    const docs = join(folder, "docs");
    mkdirSync(docs);
    for (let at = 0; at < 40; at += 1)
      writeFileSync(join(docs, `${at}.md`), `Pump ${at} runs at night. ${"It is loud. ".repeat(200)}`);
    await index.ingest([docs], { collection: "docs" });
    await index.close();
    index = await openIndex({ path: file });
    writeFileSync(file, "no database ".repeat(50_000));
    const refusal = { code: "store.corrupt", message: expect.not.stringContaining(folder) as string };
    await expect(index.search("pump", { collection: "docs" })).rejects.toMatchObject(refusal);
    await expect(index.documents("docs")).rejects.toMatchObject(refusal);
    await expect(openIndex({ path: file })).rejects.toThrow(file);
    await index.close();
    const closed = await index.search("pump").catch((error: unknown) => String(error));
    expect(closed).toMatch(/The index is closed/);
  });

  it("hands the errors of the store over as they are", async () => {
    await expect(index.search("x", { collection: "none" })).rejects.toMatchObject({
      code: "input.not-found",
    });
    writeFileSync(join(folder, "broken.db"), "no database ".repeat(500));
    await expect(openIndex({ path: join(folder, "broken.db") })).rejects.toMatchObject({
      code: "store.corrupt",
    });
  });
});
