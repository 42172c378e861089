import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Retriever } from "../retriever.ts";
import { memoryIndex } from "../testing/memory-index.ts";

const FILLER = Array.from({ length: 30 }, (_, at) => `filler${at}`);
/** Rarer in the whole index than the words of the document that may be read. */
const SECRETS = Array.from({ length: 30 }, (_, at) => `secret${at}`);

let index: Retriever;
beforeAll(async () => {
  index = await memoryIndex({
    pub: {
      "soup.md": `# Soup\n\nThe canteen serves lentil soup. ${FILLER.join(" ")}`,
      "bread.md": `# Bread\n\nThe canteen serves rye bread. ${FILLER.join(" ")}`,
    },
    payroll: { "salaries.md": `# Salaries\n\nAnn earns 90210 euros. ${SECRETS.join(" ")}` },
  });
});
afterAll(() => index.close());

describe("a search that may read some collections only", () => {
  const bob = { among: ["pub"] } as const;

  it.each([
    ["a short query", ""],
    ["a long query", FILLER.join(" ")],
    [
      "a long query of words that nobody wrote",
      Array.from({ length: 30 }, (_, at) => `nowhere${at}`).join(" "),
    ],
  ])("says the same of a word elsewhere as of a word that is nowhere, in %s", async (_what, more) => {
    const withWord = async (word: string): Promise<string> =>
      JSON.stringify(await index.search(`lentil ${word} ${more}`, bob)).replaceAll(word, "WORD");
    expect(await withWord("90210")).toBe(await withWord("90211"));
    expect(await withWord("salaries")).toBe(await withWord("zebras"));
  });

  it("keeps its own hits when a long query is full of words of other collections", async () => {
    const { hits } = await index.search(`rye ${SECRETS.join(" ")}`, bob);
    expect(hits.map((hit) => hit.citation.source)).toEqual(["bread.md"]);
  });

  it("finds the rarest words of what it reads in a long query", async () => {
    const { hits } = await index.search(`rye ${FILLER.join(" ")} ${SECRETS.join(" ")}`, bob);
    expect(hits[0]?.citation.source).toBe("bread.md");
  });

  it("judges the words of one collection in the same way", async () => {
    const { unknownWords, terms } = await index.search("lentil earns", { collection: "pub" });
    expect(unknownWords).toEqual(["earns"]);
    expect(terms).toEqual([
      { word: "lentil", passages: 1 },
      { word: "earns", passages: 0 },
    ]);
  });
});
