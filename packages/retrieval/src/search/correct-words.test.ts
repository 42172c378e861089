import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Correction, Retriever } from "../retriever.ts";
import { memoryIndex } from "../testing/memory-index.ts";
import { corrected } from "./correct-words.ts";

const NOTES = `# Notes

The probation lasts six months, and employees may borrow a kayak on delivery. Our office is in Ireland. Apply early; the operator applies later.
`;

let index: Retriever;
beforeAll(async () => {
  index = await memoryIndex({ docs: { "notes.md": NOTES } });
});
afterAll(() => index.close());

const read = async (query: string): Promise<readonly Correction[]> => (await index.search(query)).corrections;

describe("a mistyped word", () => {
  it.each([
    ["how long is probaton", "probaton", "probation"],
    ["how many emploees are there", "emploees", "employees"],
    ["can i borow a boat", "borow", "borrow"],
  ])("of %j is searched as it was meant", async (query, typed, meant) => {
    const found = await index.search(query);
    expect(found.corrections).toEqual([{ typed, read: meant }]);
    expect(found.terms.map(({ word }) => word)).toContain(meant);
    expect(found.unknownWords).not.toContain(typed);
    expect(found.hits).toHaveLength(1);
  });

  it.each([
    // Names are not read as other names or words, and words that are there stay.
    "do we have an office in Iceland",
    "do we have an office in iceland",
    "what does Aply do",
    "how long is probation",
    // Another form of a word is not mistyped.
    "who delivers boats",
    "do we have a kanak",
    // Too far off, or too short to tell.
    "a ticket to the opera",
    "how lng is it",
  ])("is not seen in %j", async (query) => {
    expect(await read(query)).toEqual([]);
  });

  it("is put right in its text and nowhere else", () => {
    const text = "Emploees and emploees: emploeeship";
    expect(corrected(text, [{ typed: "emploees", read: "employees" }])).toBe(
      "employees and employees: emploeeship",
    );
  });

  it("is read as a word of the collection that is searched, and of no other", async () => {
    const two = await memoryIndex({
      public: { "a.md": "# Notes\n\nThe proportion of kayaks is high." },
      private: { "b.md": "# Notes\n\nThe probation lasts six months; the proporton was mistyped." },
    });
    const typed = async (query: string, collection?: string): Promise<readonly Correction[]> =>
      (await two.search(query, collection === undefined ? {} : { collection })).corrections;
    const probation = [{ typed: "probaton", read: "probation" }];
    expect(await typed("probaton", "public")).toEqual([]);
    expect(await typed("probaton", "private")).toEqual(probation);
    expect(await typed("probaton")).toEqual(probation);
    // A word of another collection is as unknown here as any.
    expect(await typed("proporton", "public")).toEqual([{ typed: "proporton", read: "proportion" }]);
    expect(await typed("proporton", "private")).toEqual([]);
    await two.close();
  });
});
