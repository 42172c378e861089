import type { ToolOutput } from "@troupe/core";
import { outline, type OutlinePart, type Retriever } from "@troupe/retrieval";

import { count, inline } from "../present.ts";
import { bodyText, citationsOf, plain, withheldNote, type Within } from "./lines.ts";

/** What the documents about a subject say, under their own headings. */
export async function chapters(
  index: Retriever,
  subject: string,
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const parts = await outline(index, subject, { ...within, perPart: max });
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
    citations: [...told, ...parts.flatMap(({ withheld }) => withheld)],
  };
}

const partText = ({ heading, statements, table, withheld }: OutlinePart): string =>
  [`## ${plain(heading)}\n${bodyText(statements, table)}`, ...withheldNote(withheld)].join("\n\n");
