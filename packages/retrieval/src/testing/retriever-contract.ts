import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Retriever } from "../retriever.ts";

/** A document to start from: Markdown, by file name. */
export type ContractDocuments = { readonly [fileName: string]: string };

export interface RetrieverContractOptions {
  /** Name of the implementation, for the test report. */
  readonly name: string;
  /** A fresh retriever that holds these documents in the given collections; two are open at a time. */
  readonly open: (collections: { readonly [collection: string]: ContractDocuments }) => Promise<Retriever>;
}

const DOCUMENTS: { readonly [collection: string]: ContractDocuments } = {
  handbook: {
    "travel-2023.md":
      "---\ntitle: Travel policy\nversion: 1\ndate: 2023-02-01\n---\n# Travel policy\n\n## Hotels\n\nA night in a hotel is paid up to 120 euros.",
    "travel-2025.md":
      "---\ntitle: Travel policy\nversion: 2\ndate: 2025-02-01\n---\n# Travel policy\n\n## Hotels\n\nA night in a hotel is paid up to 140 euros.",
    "canteen.md": "# Canteen\n\nSoup is served at noon. Allergens are listed at the counter.",
  },
  manuals: {
    "kitchen.md": [
      `# Kitchen manual\n\n${"Read this first. ".repeat(20)}`,
      ...["oven", "kettle", "fridge", "toaster"].map(
        (thing, at) => `## Part ${at + 1}\n\n${`The ${thing} is cleaned every week. `.repeat(10)}`,
      ),
    ].join("\n\n"),
  },
  lab: { "probes.md": "# Probes\n\nEvery probe is rinsed with distilled water after a measurement." },
};

/** What every `Retriever` holds to. Run it inside a test file of the implementation. */
export function retrieverContract({ name, open }: RetrieverContractOptions): void {
  describe(`Retriever: ${name}`, () => {
    // To fill an index may start processes: the cases that only read share one.
    let retriever: Retriever;
    beforeAll(async () => {
      retriever = await open(DOCUMENTS);
    });
    afterAll(() => retriever.close());

    it("finds a passage by any of its words, in any form", async () => {
      const { hits } = await retriever.search("Who rinses the measuring probes on Mondays?");
      expect(hits[0]?.citation).toMatchObject({ collection: "lab", source: "probes.md" });
      expect(hits[0]?.text).toContain("distilled water");
    });

    it("cites quotes that stand at their offsets in the stored page", async () => {
      const { hits } = await retriever.search("hotel night euros soup allergens probe");
      expect(hits.length).toBeGreaterThanOrEqual(3);
      for (const { citation, documentId, text } of hits) {
        const page = await retriever.page(documentId, citation.page ?? 1);
        expect(page?.text.slice(citation.start, citation.end)).toBe(citation.quote);
        expect(page?.text).toContain(text);
      }
      expect(new Set(hits.map((hit) => hit.citation.id)).size).toBe(hits.length);
    });

    it("gives the same place the same id in every search", async () => {
      const ids = async (): Promise<readonly string[]> =>
        (await retriever.search("soup at noon")).hits.map((hit) => hit.citation.id);
      expect(await ids()).toEqual(await ids());
    });

    it("keeps to the collection and the limit", async () => {
      const all = await retriever.search("probe hotel soup", { limit: 1 });
      expect(all.hits).toHaveLength(1);
      const lab = await retriever.search("probe hotel soup", { collection: "lab" });
      expect(lab.hits.map((hit) => hit.citation.collection)).toEqual(["lab"]);
      expect(lab.searched).toMatchObject({ collections: ["lab"], documents: 1 });
      await expect(retriever.search("x", { collection: "nowhere" })).rejects.toMatchObject({
        code: "input.not-found",
      });
      await expect(retriever.search("x", { limit: 0 })).rejects.toMatchObject({ code: "input.invalid" });
    });

    it("keeps to the documents that are asked for, and to those that the caller may read", async () => {
      const [canteen, travel] = await retriever.documents("handbook");
      const [probes] = await retriever.documents("lab");
      const documents = [canteen, probes].map((one) => one?.documentId ?? "");
      const all = await retriever.search("probe hotel soup", { documents });
      expect(all.hits.map((hit) => hit.citation.source).toSorted()).toEqual(["canteen.md", "probes.md"]);
      expect(all.searched).toMatchObject({ documents: 2, collections: ["handbook", "lab"] });
      const readable = await retriever.search("probe hotel soup", { documents, among: ["lab"] });
      expect(readable.hits.map((hit) => hit.citation.source)).toEqual(["probes.md"]);
      const other = await retriever.search("soup", { documents: [travel?.documentId ?? "", "nowhere"] });
      expect([other.hits, other.unknownWords]).toEqual([[], ["soup"]]);
    });

    it("gives hits page by page without gap or repetition", async () => {
      const query = "probe hotel soup water night counter";
      const ids = async (limit: number, offset: number): Promise<readonly string[]> =>
        (await retriever.search(query, { limit, offset })).hits.map((hit) => hit.citation.id);
      const all = await ids(50, 0);
      expect(all.length).toBeGreaterThan(2);
      const pages = await Promise.all(all.map((_, offset) => ids(1, offset)));
      expect(pages.flat().toSorted()).toEqual(all.toSorted());
      expect((await retriever.search(query, { limit: 1 })).more).toBe(true);
      expect((await retriever.search(query, { limit: 50 })).more).toBeUndefined();
      expect(await ids(5, all.length)).toEqual([]);
      await expect(retriever.search(query, { offset: -1 })).rejects.toMatchObject({ code: "input.invalid" });
    });

    it("gives the passages around a hit in order, each citable", async () => {
      const { hits } = await retriever.search("kettle", { neighbours: 1 });
      const [hit] = hits;
      const texts = [...(hit?.before ?? []), ...hits, ...(hit?.after ?? [])].map(({ text }) => text);
      expect(texts.map((text) => /Part \d/.exec(text)?.[0])).toEqual(["Part 1", "Part 2", "Part 3"]);
      for (const { citation, documentId } of [...(hit?.before ?? []), ...(hit?.after ?? [])]) {
        const page = await retriever.page(documentId, citation.page ?? 1);
        expect(page?.text.slice(citation.start, citation.end)).toBe(citation.quote);
      }
      expect((await retriever.search("kettle")).hits[0]).not.toHaveProperty("before");
    });

    it("outlines a document by its headings, with the passages under each", async () => {
      const manual = (await retriever.documents("manuals"))[0];
      const outline = await retriever.outline(manual?.documentId ?? "");
      expect(outline).toMatchObject({ collection: "manuals", pages: 1, paged: false, passages: 5 });
      expect(outline?.headings.map(({ text, depth, passages }) => [text, depth, passages])).toEqual([
        ["Kitchen manual", 1, 1],
        ["Part 1", 2, 1],
        ["Part 2", 2, 1],
        ["Part 3", 2, 1],
        ["Part 4", 2, 1],
      ]);
      const page = await retriever.page(manual?.documentId ?? "", 1);
      for (const { text, start } of outline?.headings ?? [])
        expect(page?.text.slice(start, start + text.length)).toBe(text);
      expect(await retriever.outline("nowhere")).toBeUndefined();
    });

    it("keeps documents that contradict each other apart and says which is newer", async () => {
      const { hits } = await retriever.search("How much is paid for a hotel night?", {
        collection: "handbook",
      });
      const hotel = hits.filter((hit) => hit.citation.document === "Travel policy");
      expect(hotel.map((hit) => [hit.published, hit.newerVersion?.published])).toEqual([
        ["2025-02-01", undefined],
        ["2023-02-01", "2025-02-01"],
      ]);
    });

    it("finds nothing rather than anything, and names unknown words", async () => {
      const { hits, unknownWords, searched } = await retriever.search("blockchain");
      expect(hits).toEqual([]);
      expect(unknownWords).toEqual(["blockchain"]);
      expect(searched.documents).toBe(5);
    });

    it("hands over the passages of one document in order", async () => {
      const [probes] = await retriever.documents("lab");
      const passages = await retriever.passages(probes?.documentId ?? "");
      expect(passages.length).toBe(probes?.passages);
      for (const { citation, text, start } of passages) {
        const page = await retriever.page(probes?.documentId ?? "", citation.page ?? 1);
        expect(page?.text.slice(start, start + text.length)).toBe(text);
      }
      expect(await retriever.passages("nowhere")).toEqual([]);
    });

    it("tells in how many passages of what was searched each word stands", async () => {
      const { terms } = await retriever.search("probe blockchain", { collection: "lab" });
      expect(terms.find(({ word }) => word === "probe")?.passages).toBeGreaterThan(0);
      expect(terms.find(({ word }) => word === "blockchain")?.passages).toBe(0);
    });

    it("lists what it holds and forgets what is deleted", async () => {
      const own = await open(DOCUMENTS);
      try {
        expect((await own.collections()).map(({ name: held, documents }) => [held, documents])).toEqual([
          ["handbook", 3],
          ["lab", 1],
          ["manuals", 1],
        ]);
        const [probes] = await own.documents("lab");
        expect(probes).toMatchObject({ title: "Probes", source: "probes.md", collection: "lab" });
        const documentId = probes?.documentId ?? "";
        expect(await own.deleteDocument(documentId)).toBe(true);
        expect(await own.deleteDocument(documentId)).toBe(false);
        expect(await own.page(documentId, 1)).toBeUndefined();
        expect((await own.search("probe")).hits).toEqual([]);
      } finally {
        await own.close();
      }
    });
  });
}
