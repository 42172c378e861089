import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { parseDocument } from "../parse/parse-document.ts";
import { tinyPdf } from "../testing/tiny-pdf.ts";
import { openStore, type IndexStore } from "./index-store.ts";

let store: IndexStore;
beforeEach(() => {
  store = openStore(":memory:");
});
afterEach(() => store.close());

async function add(source: string, content: string | Uint8Array, collection = "docs"): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const document = await parseDocument(bytes, source);
  const hash = `${bytes.length}`;
  return store.write({
    collection,
    source,
    origin: source,
    sha256: hash,
    bytes: bytes.length,
    ingestedAt: 7,
    document,
  }).documentId;
}

describe("search", () => {
  it("finds by any word, in any form, and cites the place", async () => {
    await add(
      "travel.md",
      "# Travel policy\n\n## Hotels\n\nNights in hotels are paid up to 140 euros. Breakfast is extra.",
    );
    await add("food.md", "# Canteen\n\nSoup is served at noon.");
    const { hits, searched, unknownWords } = store.search("How much may a hotel night cost in zlotys?", {});
    expect(hits).toHaveLength(1);
    const [hit] = hits;
    expect(hit?.citation).toMatchObject({
      document: "Travel policy",
      source: "travel.md",
      section: "Hotels",
      collection: "docs",
    });
    expect(hit?.citation.quote).toContain("Nights in hotels are paid up to 140 euros.");
    expect(hit?.citation).not.toHaveProperty("page");
    expect(searched).toEqual({ collections: ["docs"], documents: 2, passages: 2 });
    expect(unknownWords).toContain("zlotys");
    expect(hit?.coverage).toBeGreaterThan(0.5);
  });

  it("names the first and last section of a passage that spans several short ones", async () => {
    const sections = [
      "1. Purpose\n\nThese are rules.",
      "2. Trains\n\nBook early.",
      "3. Hotels\n\nPay 185 euros.",
    ];
    await add("rules.md", `# Rules\n\n${sections.map((one) => `## ${one}`).join("\n\n")}`);
    const { hits } = store.search("rules for trains", {});
    expect(hits.map(({ citation }) => citation.section)).toEqual(["1. Purpose – 3. Hotels"]);
  });

  it("has true offsets: the quote is the slice of the stored page, with its physical and printed page", async () => {
    const id = await add(
      "manual.pdf",
      tinyPdf(
        [[{ text: "Cover", y: 700 }], [{ text: "The membrane is replaced every 24 months.", y: 700 }]],
        {
          labels: [
            { page: 1, style: "r", first: 1 },
            { page: 2, style: "D", first: 1 },
          ],
          title: "Manual",
        },
      ),
    );
    const { citation } = store.search("membrane replacement interval", {}).hits[0]!;
    expect(citation).toMatchObject({ page: 2, pageLabel: "1", document: "Manual" });
    const page = store.page(id, 2);
    expect(page).toMatchObject({ pages: 2, label: "1" });
    expect(page?.text.slice(citation.start, citation.end)).toBe(citation.quote);
    expect(store.page(id, 3)).toBeUndefined();
  });

  it("says what was searched when nothing matches, and names the collections when one is unknown", async () => {
    await add("a.md", "Something about pumps.");
    await add("b.md", "Something about pipes.", "other");
    expect(store.search("quantum", {})).toEqual({
      hits: [],
      terms: [{ word: "quantum", passages: 0 }],
      searched: { collections: ["docs", "other"], documents: 2, passages: 2 },
      unknownWords: ["quantum"],
      corrections: [],
    });
    expect(store.search("pipes", { collection: "docs" }).unknownWords).toEqual(["pipes"]);
    expect(store.search("pipes", { collection: "docs" }).hits).toEqual([]);
    expect(() => store.search("x", { collection: "dogs" })).toThrow(/no collection "dogs".*"docs", "other"/);
    expect(() => store.search("x", { limit: 0 })).toThrow(/limit is 0/);
  });

  it("is not confused by operators, quotes or very long queries", async () => {
    await add("a.md", "Pumps run at night. Valves close by day.");
    for (const query of ['" OR 1', "NEAR(pumps valves)", "pumps*", "-pumps ^valves", "title:pumps", "🙂", ""])
      expect(() => store.search(query, {})).not.toThrow();
    const long = `${Array.from({ length: 5_000 }, (_, at) => `word${at}`).join(" ")} pumps`;
    expect(() => store.search(long, {})).not.toThrow();
    const essay = `${"pumps and valves at night ".repeat(40)} ${"abcdefghijklmnopqrstuvwxyz"
      .split("")
      .map((c) => c + c + c)
      .join(" ")}`;
    expect(store.search(essay, {}).hits).toHaveLength(1);
  });

  it("tells that a newer version exists, and puts it first", async () => {
    await add(
      "ai-policy-2023.md",
      "# AI Policy 2023\n\nVersion 1, effective 1 March 2023\n\nModels are reviewed every 24 months.",
    );
    await add(
      "ai-policy-2025.md",
      "# AI Policy 2025\n\nVersion 2, effective 1 May 2025\n\nModels are reviewed every 12 months.",
    );
    const { hits } = store.search("How often are models reviewed under the AI policy?", {});
    expect(hits.map((hit) => [hit.published, hit.version, hit.newerVersion?.title])).toEqual([
      ["2025-05-01", "2", undefined],
      ["2023-03-01", "1", "AI Policy 2025"],
    ]);
    expect(store.documents("docs").map((document) => document.newerVersion?.published)).toEqual([
      "2025-05-01",
      undefined,
    ]);
  });

  it("does not take documents with the same placeholder title for editions, in older indexes too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "index-"));
    const path = join(folder, "index.db");
    try {
      store = openStore(path);
      await add("energy-audit.md", "Version 1, effective 1 March 2023\n\nOvens take 58 % of the gas.");
      await add("flour-contract.md", "Version 2, effective 1 May 2025\n\nThe mill delivers flour and gas.");
      store.close();
      const db = new DatabaseSync(path);
      db.exec("UPDATE documents SET title = '(anonymous)', family = 'anonymous'");
      db.close();
      store = openStore(path);
      expect(store.search("gas", {}).hits.map(({ newerVersion }) => newerVersion)).toEqual([
        undefined,
        undefined,
      ]);
      expect(store.documents("docs").map(({ newerVersion }) => newerVersion)).toEqual([undefined, undefined]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("collapses the same passage in two documents, but never two with different figures", async () => {
    const text =
      "Every probe is rinsed with distilled water before it goes back to the rack after a measurement of";
    await add("a.md", `# North lab\n\n${text} 10 minutes.`);
    await add("b.md", `# South lab\n\n${text} 10 minutes.`.replace("# South lab\n\n", ""));
    await add("c.md", `${text} 15 minutes.`);
    const { hits } = store.search("probe rinsed distilled water", {});
    expect(hits).toHaveLength(2);
    expect(hits.flatMap((hit) => hit.alsoIn)).toHaveLength(1);
  });
});

describe("documents", () => {
  it("replaces a document that changed and forgets one that was deleted", async () => {
    const id = await add("a.md", "Pumps run at night.");
    expect(await add("a.md", "Valves close by day.")).toBe(id);
    expect(store.search("pumps", {}).hits).toEqual([]);
    expect(store.documents(undefined)).toHaveLength(1);
    expect(store.deleteDocument(id)).toBe(true);
    expect(store.deleteDocument(id)).toBe(false);
    expect(store.search("valves", {}).hits).toEqual([]);
    expect(store.collections()).toEqual([]);
  });
});

describe("openStore", () => {
  it("keeps what was written, lets a second one read while open, and refuses what it cannot use", async () => {
    const folder = mkdtempSync(join(tmpdir(), "retrieval-"));
    try {
      const path = join(folder, "deep", "index.db");
      store.close();
      store = openStore(path);
      await add("a.md", "Pumps run at night.");
      const second = openStore(path);
      expect(second.search("pump", {}).hits).toHaveLength(1);
      second.close();
      const raw = new DatabaseSync(path);
      raw.exec("PRAGMA user_version = 99");
      raw.close();
      expect(() => openStore(path)).toThrow(expect.objectContaining({ code: "store.corrupt" }));
      const empty = join(folder, "empty.db");
      writeFileSync(empty, "");
      expect(() => openStore(empty)).toThrow(/empty\.db" is empty \(0 bytes\).*delete it to start anew/);
      const broken = join(folder, "broken.db");
      writeFileSync(broken, "this is not a database, it only looks like a file of some length".repeat(40));
      expect(() => openStore(broken)).toThrow(/not a usable index file/);
      expect(() => openStore(join(broken, "below.db"))).toThrow(
        expect.objectContaining({ code: "store.io" }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
