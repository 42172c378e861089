import type { PageText, Retriever } from "@troupe/retrieval";
import { describe, expect, it } from "vitest";

import { context } from "../fixtures/call-tool.ts";
import { ragGetPage } from "./rag-get-page.ts";

function book(text: string): Pick<Retriever, "page" | "documents"> {
  const page: PageText = {
    document: { documentId: "0123456789abcdef", title: "Book", source: "book.md" },
    collection: "docs",
    page: 1,
    pages: 1,
    paged: false,
    text,
  };
  return { page: async () => page, documents: async () => [] };
}

describe("rag_get_page", () => {
  it("shows a long page piece by piece, cut between sentences, every piece citable", async () => {
    const text = Array.from({ length: 900 }, (_, at) => `This is sentence number ${at} of the book.`).join(
      " ",
    );
    const tool = ragGetPage(() => Promise.resolve(book(text) as Retriever));
    const quotes: string[] = [];
    let offset = 0;
    while (offset < text.length) {
      const { citations = [] } = await tool.execute(
        { document_id: "0123456789abcdef", page: 1, offset },
        context,
      );
      const [citation] = citations;
      expect(text.slice(citation?.start, citation?.end)).toBe(citation?.quote);
      expect(citation?.quote).toMatch(/^This .*\.$/s);
      quotes.push(citation?.quote ?? "");
      offset = citation?.end ?? text.length;
    }
    expect(quotes.join(" ")).toBe(text);
    expect(quotes.length).toBeGreaterThan(3);
  });

  it("says when an offset lies behind the end", async () => {
    const tool = ragGetPage(() => Promise.resolve(book("Short.") as Retriever));
    const output = await tool.execute({ document_id: "0123456789abcdef", page: 1, offset: 10 }, context);
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining("6 characters") as string });
  });
});
