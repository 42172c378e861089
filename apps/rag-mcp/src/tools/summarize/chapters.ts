import type { ToolOutput } from "@troupe/core";
import { fileNamedIn, outline, type OutlinePart, type Retriever } from "@troupe/retrieval";

import { count, inline } from "../present.ts";
import { bodyText, citationsOf, plain, withheldCitations, withheldNote, type Within } from "./lines.ts";

/** What the documents about a subject say, or the one whose file it names, under their own headings. */
export async function chapters(
  index: Retriever,
  subject: string,
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const named = fileNamedIn(subject, await index.documents(within.collection))?.document;
  const parts =
    named === undefined
      ? await outline(index, subject, { ...within, perPart: max })
      : await outline(index, named.title, { ...within, perPart: max, documentId: named.documentId });
  if (parts.length === 0) {
    return {
      text: `No document or chapter is about "${inline(subject)}" by its heading. Ask for it as a question, without chapters.`,
      summary: "no document about that",
    };
  }
  const told = parts.flatMap(({ statements, table }) => citationsOf(statements, table));
  const documents = new Set(told.map(({ source }) => source)).size;
  return {
    text: parts.map(partText).join("\n\n"),
    summary: `${count(parts.length, "chapter")} of ${count(documents, "document")}`,
    citations: [...told, ...parts.flatMap(({ withheld }) => withheldCitations(withheld))],
  };
}

const partText = ({ heading, statements, table, withheld }: OutlinePart): string =>
  [`## ${plain(heading)}\n${bodyText(statements, table)}`, ...withheldNote(withheld)].join("\n\n");
