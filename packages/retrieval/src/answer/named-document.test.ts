import { describe, expect, it } from "vitest";

import type { DocumentInfo } from "../retriever.ts";
import { documentCalled, fileNamedIn } from "./named-document.ts";

const document = (title: string, source: string, more: Partial<DocumentInfo> = {}): DocumentInfo => ({
  documentId: source,
  title,
  source,
  collection: "c",
  mediaType: "text/markdown",
  pages: 1,
  paged: false,
  bytes: 1,
  passages: 1,
  sha256: "",
  ingestedAt: 0,
  withdrawn: false,
  ...more,
});
const policy = document("Travel rules", "hr/travel-policy.md");
const plain = document("Observations", "notes.pdf");
const faq = document("Security: questions customers ask", "security-faq.md");
const current = document("AI Strategy 2026", "ai-strategy-2026.pdf");
const old = document("AI Strategy 2024", "ai-strategy-2024.pdf", { newerVersion: current });
const all = [policy, plain, faq, current, old];

describe("fileNamedIn", () => {
  it.each([
    ["Summarize travel-policy.md", policy, "Summarize"],
    ["In Travel-Policy.md, what may a hotel cost?", policy, "what may a hotel cost?"],
    ["what does ai-strategy-2026 say about trains", current, "what does say about trains"],
    ["what is in notes.pdf?", plain, "what is ?"],
  ])("%j names a file", (text, found, rest) => {
    expect(fileNamedIn(text, all)).toEqual({ document: found, rest });
  });

  it("takes a plain word for a word, and knows no other files", () => {
    expect(fileNamedIn("who takes notes?", all)).toBeUndefined();
    expect(fileNamedIn("Summarize other-policy.md", all)).toBeUndefined();
  });

  it.each(["What was revenue in 2025?", "What is the long-term goal?", "What was sold in Q3?"])(
    "takes %j for what it says, whatever files are called",
    (text) => {
      const files = ["2025.pdf", "long-term.md", "q3.pdf"].map((source) => document(source, source));
      expect(fileNamedIn(text, files)).toBeUndefined();
    },
  );

  it("chooses none of two files of one name", () => {
    const files = [document("A", "hr/rules-2026.md"), document("B", "it/rules-2026.md")];
    expect(fileNamedIn("Summarize rules-2026.md", files)).toBeUndefined();
    expect(fileNamedIn("Summarize rules-2026.md", files.slice(1))).toEqual({
      document: files[1],
      rest: "Summarize",
    });
    const kinds = [document("A", "plan-v2.md"), document("B", "plan-v2.pdf")];
    expect(fileNamedIn("Summarize plan-v2", kinds)).toBeUndefined();
    expect(fileNamedIn("Summarize plan-v2.pdf", kinds)?.document).toBe(kinds[1]);
  });
});

describe("documentCalled", () => {
  it("finds the one document by words of its title and file", () => {
    expect(documentCalled("the travel policy", all)).toBe(policy);
    expect(documentCalled("the security FAQ", all)).toBe(faq);
    expect(documentCalled("our handbook", all)).toBeUndefined();
  });

  it("takes the edition in force, unless the year of another is named", () => {
    expect(documentCalled("the AI strategy", all)).toBe(current);
    expect(documentCalled("the AI strategy of 2024", all)).toBe(old);
  });
});
