import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { openStore } from "./index-store.ts";

/** Writes documents of several pages, changing them round after round, until it is killed. */
const writer = (path: string): string => `
import { openStore } from ${JSON.stringify(fileURLToPath(new URL("index-store.ts", import.meta.url)))};
const store = openStore(${JSON.stringify(path)});
for (let round = 0; ; round += 1) {
  const pages = Array.from({ length: 20 }, (_, at) => ({
    number: at + 1, headings: [], text: ("Round " + round + " of page " + at + " about pumps. ").repeat(200),
  }));
  store.write({
    collection: "docs", source: "file-" + (round % 7) + ".md", origin: "x", sha256: String(round), bytes: 1, ingestedAt: round,
    document: { title: "T", mediaType: "text/plain", paged: true, pages, edition: { supersedes: [], withdrawn: false } },
  });
  process.send(round);
}`;

/** Resolves when the writer is dead, killed in the middle of its n-th write or soon after. */
async function killAfter(program: string, writes: number): Promise<void> {
  const child = fork(program, [], {
    execArgv: ["--conditions=troupe-source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let seen = 0;
  await new Promise<void>((resolve) => {
    child.on("message", () => {
      seen += 1;
      if (seen === writes) child.kill("SIGKILL");
    });
    child.once("exit", () => resolve());
  });
}

it(
  "survives kill -9 in the middle of writing: every document is whole or not there",
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "kill-"));
    try {
      const path = join(folder, "index.db");
      const program = join(folder, "writer.mts");
      writeFileSync(program, writer(path));
      for (const writes of [1, 3, 8]) {
        await killAfter(program, writes);
        const store = openStore(path);
        const documents = store.documents("docs");
        expect(documents.length).toBeGreaterThan(0);
        for (const { documentId, pages, passages } of documents) {
          expect(pages).toBe(20);
          expect(passages).toBeGreaterThan(20);
          expect(store.page(documentId, 20)?.text).toContain("pumps");
        }
        expect(store.search("pumps", { limit: 3 }).hits).toHaveLength(3);
        store.close();
        const db = new DatabaseSync(path);
        expect(db.prepare("PRAGMA integrity_check").get()?.["integrity_check"]).toBe("ok");
        db.exec("INSERT INTO chunk_index (chunk_index) VALUES ('integrity-check')");
        const count = (sql: string): number => Number(db.prepare(sql).get()?.["n"]);
        const chunks = count("SELECT count(*) AS n FROM chunks");
        expect(count("SELECT count(*) AS n FROM chunk_index")).toBe(chunks);
        expect(count("SELECT sum(passages) AS n FROM documents")).toBe(chunks);
        db.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
