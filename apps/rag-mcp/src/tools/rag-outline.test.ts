import type { Retriever } from "@troupe/retrieval";
import { memoryIndex } from "@troupe/retrieval/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { call } from "../fixtures/call-tool.ts";
import { collectionOverview } from "./collection-overview.ts";
import { ragGetPage } from "./rag-get-page.ts";
import { ragOutline } from "./rag-outline.ts";

const text = (about: string, times = 8): string =>
  `The ${about} is checked every week by two people. `.repeat(times).trim();
const MANUAL = `# Plant manual

Published 2024-06

## Boiler

${text("boiler")}

### Cleaning of the boiler

${text("boiler drum")}

## Turbine [1]

${text("turbine", 300)}

## Contacts

${text("list of contacts")}
`;
const MANY = `# Handbook\n\n${Array.from({ length: 30 }, (_, chapter) => `## Chapter ${chapter}\n\n${Array.from({ length: 9 }, (__, at) => `### Rule ${chapter}.${at}\n\nIt holds.`).join("\n\n")}`).join("\n\n")}`;

let index: Retriever;
let manual: string;
let handbook: string;
beforeAll(async () => {
  index = await memoryIndex({ plant: { "manual.md": MANUAL, "handbook.md": MANY } });
  const documents = await index.documents();
  const idOf = (source: string): string => documents.find((one) => one.source === source)?.documentId ?? "";
  [manual, handbook] = [idOf("manual.md"), idOf("handbook.md")];
});
afterAll(() => index.close());

const indexOf = () => Promise.resolve(index);

describe("rag_outline", () => {
  it("lists the headings of a document with their place and number of passages", async () => {
    const { text: shown, citations } = await call(ragOutline(indexOf), { document_id: manual });
    const outline = shown.replace(`[${citations?.[0]?.id}] `, "");
    expect(citations).toMatchObject([{ quote: "Plant manual", passage: outline }]);
    expect(outline.split("\n").map((line) => line.replace(/offset \d+/, "offset N"))).toEqual([
      expect.stringMatching(
        /^"Plant manual" \(manual\.md, published 2024-06\): \d+ passages\. Headings are quotes/,
      ),
      "- Plant manual (offset N, 0 passages)",
      "  - Boiler (offset N, 1 passage)",
      "    - Cleaning of the boiler (offset N, 1 passage)",
      expect.stringMatching(/^ {2}- Turbine \(1\) \(offset N, 1\d passages\)$/),
      "  - Contacts (offset N, 1 passage)",
    ]);
  });

  it("leaves out the deepest headings where there are too many, and counts them", async () => {
    const { text: outline } = await call(ragOutline(indexOf), { document_id: handbook });
    expect(outline.match(/^ {2}- Chapter/gm)).toHaveLength(30);
    expect(outline).not.toContain("Rule 1.1");
    expect(outline).toMatch(/\n270 deeper headings left out\.$/);
  });

  it.each(["manual.md", "MANUAL.MD", "plant manual"])("takes a file name or title: %s", async (name) => {
    const byName = await call(ragOutline(indexOf), { document_id: name });
    expect(byName).toEqual(await call(ragOutline(indexOf), { document_id: manual }));
    const page = await call(ragGetPage(indexOf), { document_id: name });
    expect(page).toEqual(await call(ragGetPage(indexOf), { document_id: manual }));
  });

  it("suggests similar names if no document has the name", async () => {
    await expect(call(ragOutline(indexOf), { document_id: "manul.md" })).rejects.toThrow(
      'document_id: there is no document "manul.md". Nearest: "Plant manual" (manual.md, published 2024-06).',
    );
  });

  it("asks for the id if several documents have the name, unless one is in the collection of the request", async () => {
    const two = await memoryIndex({ a: { "rules.md": "One." }, b: { "rules.md": "Two." } });
    const tool = ragGetPage(() => Promise.resolve(two));
    await expect(call(tool, { document_id: "rules.md" })).rejects.toThrow(
      /2 documents are called "rules\.md"\. Give the id: "rules" \(rules\.md\), document_id [0-9a-f]{16}; "rules"/,
    );
    const { text: shown } = await call(tool, { document_id: "rules.md" }, { collectionId: "b" });
    expect(shown).toContain("> Two.");
    await two.close();
  });
});

describe("rag_get_page by heading", () => {
  it("shows the text under it and its subheadings, citable by section", async () => {
    const { text: shown, citations = [] } = await call(ragGetPage(indexOf), {
      document_id: manual,
      heading: "boiler",
    });
    expect(citations.map(({ section }) => section)).toEqual(["Boiler"]);
    expect(citations[0]?.quote).toMatch(/^Boiler\n[^]*Cleaning of the boiler[^]*two people\.$/);
    expect(shown).not.toContain("turbine");
  });

  it("shows up to 20,000 characters in pieces with ids of their own, and where to read on", async () => {
    const tool = ragGetPage(indexOf);
    const { text: shown, citations = [] } = await call(tool, { document_id: manual, heading: "Turbine" });
    const page = await index.page(manual, 1);
    expect(citations).toHaveLength(3);
    for (const { quote, start, end } of citations) {
      expect(page?.text.slice(start, end)).toBe(quote);
      expect(quote.length).toBeLessThanOrEqual(6_000);
    }
    expect(shown).toContain(`[${citations[1]?.id}] The same page goes on.`);
    const whole = await call(tool, { document_id: handbook, page: 1 });
    const length = (await index.page(handbook, 1))?.text.length ?? 0;
    expect(length).toBeLessThan(20_000);
    expect(whole.text).not.toContain("more characters");
  });

  it("takes the heading as rag_outline shows it, and as the document has it", async () => {
    for (const heading of ["Turbine (1)", "Turbine [1]"]) {
      const { citations } = await call(ragGetPage(indexOf), { document_id: manual, heading });
      expect(citations?.[0]?.section).toBe("Turbine [1]");
    }
  });

  it("lists headings that exist", async () => {
    expect(await call(ragGetPage(indexOf), { document_id: manual, heading: "Contakts" })).toMatchObject({
      isError: true,
      text: 'heading: "Plant manual" has no heading "Contakts". There is "Contacts"; see rag_outline.',
    });
  });
});

describe("several pages", () => {
  const pageText = (page: number): string => `Page ${page} begins here. ${text(`pump ${page}`, 250)}`;
  const book: Pick<Retriever, "page" | "documents"> = {
    page: async (documentId, page) =>
      page > 4
        ? undefined
        : {
            document: { documentId, title: "Book", source: "book.pdf" },
            collection: "docs",
            page,
            pages: 4,
            paged: true,
            text: page === 3 ? "" : pageText(page),
          },
    documents: async () => [],
  };
  const tool = ragGetPage(() => Promise.resolve(book as Retriever));

  it("come in one call, and those that did not fit are named", async () => {
    const { text: shown, citations = [] } = await call(tool, {
      document_id: "00000000000000b0",
      pages: [1, 3, 2, 4],
    });
    expect(citations.map(({ page }) => page)).toEqual([1, 1, 1, 2, 2]);
    expect(shown).toContain('"Book" (book.pdf), page 3 of 4. It has no text.');
    expect(shown).toMatch(
      /\d+ more characters: call again with page 2 and offset \d+\.\nNot shown for want of room: page 4\.$/,
    );
    const all = citations.reduce((sum, { quote }) => sum + quote.length, 0);
    expect(all).toBeGreaterThan(19_000);
    expect(all).toBeLessThanOrEqual(20_000);
  });
});

it("describes a collection by its documents, the newest first, within 2,000 characters", async () => {
  const documents = await index.documents("plant");
  expect(collectionOverview("plant", documents)).toMatch(
    /^plant: 2 documents, \d+ passages\n- "Plant manual" \(manual\.md, published 2024-06\), \d+ passages\n- "Handbook"/,
  );
  const [one] = documents;
  const many = Array.from({ length: 300 }, () => one).filter((document) => document !== undefined);
  const overview = collectionOverview("plant", many);
  expect(overview.length).toBeLessThanOrEqual(2_000);
  expect(overview).toMatch(/- and \d+ more documents$/);
});
