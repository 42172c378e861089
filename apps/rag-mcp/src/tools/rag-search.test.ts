import type { ToolOutput } from "@troupe/core";
import type { Retriever } from "@troupe/retrieval";
import { memoryIndex } from "@troupe/retrieval/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { context } from "../fixtures/call-tool.ts";
import { ragSearch } from "./rag-search.ts";

const part = (number: number, about: string): string =>
  `## Part ${number}\n\n${`The ${about} of the plant is checked every week and the result is kept. `.repeat(6)}`;
const parts = ["boiler", "kettle", "turbine", "cooling tower"]
  .map((about, at) => part(at + 1, about))
  .join("\n\n");

let index: Retriever;
beforeAll(async () => {
  index = await memoryIndex({
    plant: {
      "lease-2023.md":
        "# Lease terms 2023\n\nPublished 2023-04-01\n\nThe notice period of the lease is six months.",
      "lease-2025.md":
        "# Lease terms\n\nPublished 2025-04-01\n\nThe notice period of the lease is three months.",
      "fees.md": "# Fees\n\nThe termination fee is EUR 500. The notice period does not change the fee.",
      "manual.md": `# Plant manual\n\nPublished 2024-06\n\n${parts}`,
    },
  });
});
afterAll(() => index.close());

async function search(args: object): Promise<ToolOutput> {
  const tool = ragSearch(() => Promise.resolve(index));
  const parsed = tool.parse({ ...args });
  if (!parsed.ok) return { text: parsed.issues.join("\n"), isError: true };
  return tool.execute(parsed.value, context);
}
const sources = ({ citations = [] }: ToolOutput): readonly string[] => citations.map(({ source }) => source);

describe("several queries", () => {
  it("have a section each, and show a passage once and its id the second time", async () => {
    const found = await search({ queries: ["notice period", "termination fee"] });
    const [first = "", second = ""] = found.text.split("## termination fee");
    expect(first).toMatch(/^## notice period\n\n3 passages found in 4 documents/);
    expect(first.match(/> The termination fee is EUR 500/g)).toHaveLength(1);
    expect(second).toMatch(/\[c\w+\] Fees.*: shown above\./);
    expect(second).not.toContain("> The termination fee");
    expect(new Set(sources(found)).size).toBe(sources(found).length);
    const ids = (found.citations ?? []).map(({ id }) => id);
    const { hits } = found.data as { hits: { query: string; citationId: string }[] };
    expect(hits.map(({ query }) => query)).toContain("termination fee");
    for (const { citationId } of hits) expect(ids).toContain(citationId);
  });

  it("may be one, as query, and must be at least one", async () => {
    expect((await search({ query: "termination fee" })).text).toMatch(/^\d passages? found/);
    expect(await search({ limit: 3 })).toMatchObject({
      isError: true,
      text: 'query: give a query, such as query: "notice period", or several as queries.',
    });
  });
});

it("distinguishes an empty index from filters that no document passes", async () => {
  expect((await search({ query: "fee", from: "2030" })).text).toMatch(
    /^Nothing relevant: no document passes these filters\./,
  );
  const empty = await memoryIndex({});
  const found = await ragSearch(() => Promise.resolve(empty)).execute(
    { query: "fee", neighbours: 0, limit: 6, offset: 0 },
    context,
  );
  expect(found.text).toBe("Nothing relevant: no documents have been ingested yet.");
  await empty.close();
});

describe("filters", () => {
  it("keep to documents by id, by title and by file", async () => {
    const fees = (await index.documents()).find(({ source }) => source === "fees.md");
    const byId = await search({ query: "notice period", documents: [fees?.documentId] });
    expect(sources(byId)).toEqual(["fees.md"]);
    expect(byId.text).toContain("1 passage found in 1 document (1 passage)");
    const byName = await search({ query: "notice period", documents: ["lease terms", "fees.md"] });
    expect(new Set(sources(byName))).toEqual(new Set(["lease-2025.md", "fees.md"]));
  });

  it("take a part of a title for every edition that has it", async () => {
    const found = await search({ query: "notice period", documents: ["Lease"] });
    expect(new Set(sources(found))).toEqual(new Set(["lease-2023.md", "lease-2025.md"]));
  });

  it("name the nearest document where no title matches", async () => {
    await expect(search({ query: "fee", documents: ["Feess"] })).rejects.toThrow(
      'documents: there is no document "Feess". Nearest: "Fees" (fees.md). Give ids, file names or titles of rag_list_documents.',
    );
  });

  it("keep to documents published in a period, and count those without a date", async () => {
    const found = await search({ query: "notice period", from: "2024" });
    expect(sources(found)).toEqual(["lease-2025.md"]);
    expect(found.text).toContain("1 document without a date left out; search without from and to");
    expect(sources(await search({ query: "notice period", to: "2023-12-31" }))).toEqual(["lease-2023.md"]);
    expect((await search({ query: "x", from: "last year" })).text).toContain(
      'from: must be a year, month or day, such as from: "2025-03"',
    );
  });
});

it("shows the passages around a hit, each with an id of its own", async () => {
  const found = await search({ query: "turbine", neighbours: 1 });
  const [before, hit, after] = found.citations ?? [];
  expect(found.citations).toHaveLength(3);
  expect(before?.passage).toContain("Part 2");
  expect(hit?.passage).toContain("Part 3");
  expect(after?.passage).toContain("Part 4");
  expect(found.text).toContain(`[${before?.id}] Plant manual`);
  expect(found.text).toMatch(/before the next passage\n> Part 2/);
  expect(found.text).toMatch(/after the passage before\n> Part 4/);
});

it("reads on with offset until nothing is left", async () => {
  const first = await search({ query: "checked every week", limit: 2 });
  expect(first.text).toContain("More with offset 2.");
  const second = await search({ query: "checked every week", limit: 2, offset: 2 });
  expect(second.text).toMatch(/^2 passages found from number 3 on/);
  const ids = [...(first.citations ?? []), ...(second.citations ?? [])].map(({ chunkId }) => chunkId);
  expect(new Set(ids).size).toBe(4);
  expect((await search({ query: "checked every week", limit: 2, offset: 40 })).text).toBe(
    'No further passage matches "checked every week" from number 41 on.',
  );
});

it("shows at most 60 passages in one result, and says so", async () => {
  const found = await search({ query: "checked every week", limit: 50, neighbours: 3 });
  expect(found.text).not.toContain("limit lowered");
  const many = await search({
    queries: Array.from({ length: 8 }, (_, at) => `checked week part ${at}`),
    limit: 50,
    neighbours: 3,
  });
  expect(many.text).toContain("limit lowered to 1: one result shows at most 60 passages.");
});

it("names the language of the documents where little or nothing matches", async () => {
  const none = await search({ query: "Kündigungsfrist Mietvertrag" });
  expect(none.text).toMatch(/^Nothing relevant\..* The documents are in English\. Try the words/);
  const weak = await search({ query: "Kündigungsfrist Mietvertrag Vertragsstrafe months" });
  expect(weak.text).toMatch(
    /These words of the query occur in no document: .*vertragsstrafe\.\n\nThe documents are in English\.$/,
  );
  expect((await search({ query: "notice period" })).text).not.toContain("The documents are in");
});
