import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ProgressNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { silentLog } from "@troupe/core";
import { tinyDocx, tinyPdf } from "@troupe/retrieval/testing";
import type { Citation } from "@troupe/stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { start } from "./start.ts";

let folder: string;
let home: string;
let docs: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rag-mcp-"));
  home = join(folder, "home");
  docs = join(folder, "docs");
  mkdirSync(docs);
  writeFileSync(
    join(docs, "ai-policy-2023.md"),
    "# AI Policy 2023\n\nVersion 1\n\nModels are reviewed every 24 months [1].",
  );
  writeFileSync(
    join(docs, "ai-policy-2025.pdf"),
    tinyPdf(
      [
        [{ text: "AI Policy 2025", y: 760, size: 22 }],
        [
          { text: "3 Reviews", y: 760, size: 16 },
          { text: "Models are reviewed every 12 months by the AI board.", y: 700 },
        ],
      ],
      {
        labels: [
          { page: 1, style: "r", first: 1 },
          { page: 2, style: "D", first: 1 },
        ],
      },
    ),
  );
  writeFileSync(
    join(docs, "budget.docx"),
    tinyDocx([{ text: "Budget", style: "Heading1" }, { text: "We spend 4 million." }]),
  );
  writeFileSync(join(docs, "broken.pdf"), "%PDF-1.7 and nothing more");
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Reply {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: {
    readonly citations?: readonly Citation[];
    readonly data?: { readonly [key: string]: unknown };
  };
}

async function call(client: Client, name: string, args: object): Promise<Reply> {
  // Somebody who listens has the server tell its progress.
  const onprogress = () => undefined;
  const result = await client.callTool({ name, arguments: { ...args } }, undefined, { onprogress });
  const [first] = result.content as readonly { readonly type: string; readonly text?: string }[];
  return {
    text: first?.text ?? "",
    isError: result.isError === true,
    structured: result.structuredContent ?? {},
  };
}

/** @param check `told` grows by the words of each progress that comes */
async function overStdio(check: (client: Client, told: readonly string[]) => Promise<void>): Promise<void> {
  const client = new Client({ name: "test", version: "1" });
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  // Every one that comes: the client's own handler tells nobody of those that arrive together with the result.
  const told: string[] = [];
  client.setNotificationHandler(
    ProgressNotificationSchema,
    ({ params }) => void told.push(params.message ?? ""),
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--conditions=troupe-source", main, "--stdio", "--home", home, "--log-level", "silent"],
      stderr: "inherit",
    }),
  );
  try {
    await check(client, told);
  } finally {
    await client.close();
  }
}

/** Arguments of tools that may be as long as a request. */
const withoutLimit = (tools: readonly { readonly inputSchema: object }[]): readonly string[] =>
  tools
    .flatMap(({ inputSchema }) => JSON.stringify(inputSchema).match(/\{[^{}]*"type":"string"[^{}]*\}/g) ?? [])
    .filter((argument) => !/"(?:maxLength|enum|const)"/.test(argument));

describe("rag-mcp", () => {
  it("ingests over stdio, reporting each file as it goes", { timeout: 60_000 }, () =>
    overStdio(async (client, told) => {
      const { tools } = await client.listTools();
      expect(withoutLimit(tools)).toEqual([]);
      const names = tools.map((tool) => tool.name);
      expect(names).toEqual([
        "rag_search",
        "rag_get_page",
        "rag_outline",
        "rag_list_collections",
        "rag_list_documents",
        "rag_delete_document",
        "rag_ingest",
      ]);
      const report = await call(client, "rag_ingest", { paths: [docs], collection: "norrvik" });
      expect(report.isError).toBe(false);
      expect(report.text).toContain('Collection "norrvik": 3 indexed, 1 failed.');
      expect(report.text).toContain('failed: "broken.pdf" cannot be read as a PDF');
      expect(report.structured.data?.["counts"]).toMatchObject({ indexed: 3, failed: 1 });
      expect(told).toHaveLength(4);
      const missing = await call(client, "rag_ingest", {
        paths: [join(folder, "gone")],
        collection: "norrvik",
      });
      expect(missing).toMatchObject({
        isError: true,
        text: expect.stringContaining("does not exist") as string,
      });
    }),
  );

  it(
    "searches over HTTP with citations, newer versions and pages, and cannot read paths there",
    { timeout: 60_000 },
    async () => {
      const running = await start(
        {
          home,
          host: "127.0.0.1",
          port: 0,
          stdio: false,
          legacy_sse: false,
          log_level: "silent",
          auth: "off",
        },
        { log: silentLog },
      );
      const client = new Client({ name: "test", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
      try {
        expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain("rag_ingest");

        const found = await call(client, "rag_search", { query: "How often are models reviewed?" });
        const [newest, old] = found.structured.citations ?? [];
        expect(newest).toMatchObject({
          document: "AI Policy 2025",
          page: 2,
          pageLabel: "1",
          section: "3 Reviews",
        });
        expect(found.text).toContain(
          `[${newest?.id}] AI Policy 2025, p. 1 (PDF page 2), section "3 Reviews", published 2025`,
        );
        expect(found.text).toContain(`[${old?.id}] AI Policy 2023`);
        expect(found.text).toContain('OUTDATED: a newer version is "AI Policy 2025"');
        expect(found.text).toContain("> Models are reviewed every 24 months (1).");
        expect(old?.quote).toContain("[1]");

        const none = await call(client, "rag_search", { query: "blockchain", collection: "norrvik" });
        expect(none.text).toMatch(
          /^Nothing relevant\. Searched 3 documents .* of collection "norrvik".*blockchain/,
        );
        expect(none.structured.citations).toBeUndefined();
        const unknown = await call(client, "rag_search", { query: "x", collection: "norvik" });
        expect(unknown).toMatchObject({
          isError: true,
          text: 'No documents were taken in under "norvik"; documents are in "norrvik".',
        });
        const mistyped = await call(client, "rag_search", { query: "x", colection: "norrvik" });
        expect(mistyped.isError).toBe(true);
        expect(mistyped.text).toContain('"colection" is no argument. Did you mean "collection"?');
        const bad = await call(client, "rag_search", { query: "", limit: 99 });
        expect(bad.isError).toBe(true);

        const overview = (await call(client, "rag_list_collections", {})).text;
        expect(overview).toMatch(/^norrvik: 3 documents, 4 passages\n/);
        expect(overview).toContain('- "AI Policy 2025" (ai-policy-2025.pdf, published 2025), 2 pages');
        const uri = "troupe-document://overview?collection=norrvik";
        expect((await client.listResources()).resources).toContainEqual(expect.objectContaining({ uri }));
        expect((await client.readResource({ uri })).contents).toEqual([
          { uri, mimeType: "text/plain", text: overview },
        ]);
        const list = await call(client, "rag_list_documents", { collection: "norrvik" });
        expect(list.text).toContain('"AI Policy 2023" (ai-policy-2023.md, published 2023, version 1)');
        const documentId = /ai-policy-2025\.pdf.*document_id (\w+)/.exec(list.text)?.[1] ?? "";

        const page = await call(client, "rag_get_page", { document_id: documentId, page: 2 });
        expect(page.text).toContain("page 2 of 2, printed number 1");
        const outline = await call(client, "rag_outline", { document_id: documentId });
        expect(outline.text).toContain("- 3 Reviews (p. 2, 1 passage)");
        const under = await call(client, "rag_get_page", { document_id: documentId, heading: "reviews" });
        expect(under.structured.citations).toEqual([
          { ...page.structured.citations?.[0], section: "3 Reviews" },
        ]);
        expect(page.structured.citations?.[0]?.quote).toBe(
          "3 Reviews\n\nModels are reviewed every 12 months by the AI board.",
        );
        expect(await call(client, "rag_get_page", { document_id: documentId, page: 9 })).toMatchObject({
          isError: true,
          text: '"AI Policy 2025" has no page 9; its pages are 1 to 2.',
        });

        expect((await call(client, "rag_delete_document", { document_id: documentId })).text).toMatch(
          /^Deleted "AI Policy 2025"/,
        );
        expect((await call(client, "rag_delete_document", { document_id: documentId })).isError).toBe(true);
        const after = await call(client, "rag_search", { query: "How often are models reviewed?" });
        expect(after.text).not.toContain("OUTDATED");
      } finally {
        await client.close();
        await running.close();
      }
    },
  );
});
