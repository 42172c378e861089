import type { ToolOutput } from "@troupe/core";
import {
  chapterQuery,
  keyStatements,
  keyTable,
  withheldStatements,
  type Retriever,
  type SearchHit,
} from "@troupe/retrieval";

import { count } from "../present.ts";
import { bodyText, citationsOf, withheldCitations, withheldNote, type Within } from "./lines.ts";

/** Passages looked through for statements. */
const POOL = 40;

/** What the chapters on one side of a subject say, and their table. */
export async function oneAspect(
  index: Retriever,
  { subject, aspect }: { readonly subject: string; readonly aspect: string },
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const options = { limit: POOL, ...within };
  const found = await index.search(`${subject} ${aspect}`, options);
  const chapter = chapterQuery(found.hits, subject, aspect);
  const more = chapter === undefined ? [] : (await index.search(chapter, options)).hits;
  const hits = distinct([...found.hits, ...more]);
  const statements = keyStatements(hits, subject, { max, aspect });
  const table = keyTable(hits, subject, aspect);
  const citations = citationsOf(statements, table);
  if (citations.length === 0) {
    return {
      text: "No document about that has a chapter on this side of it. Ask again without the aspect.",
      summary: "no such chapter",
    };
  }
  const withheld = withheldStatements(hits, subject, aspect);
  const documents = new Set(citations.map(({ source }) => source)).size;
  return {
    text: [bodyText(statements, table), ...withheldNote(withheld)].join("\n\n"),
    summary: `${count(statements.length, "statement")}${table === undefined ? "" : " and a table"} from ${count(documents, "document")}`,
    citations: [...citations, ...withheldCitations(withheld)],
  };
}

function distinct(hits: readonly SearchHit[]): readonly SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.citation.chunkId, hit])).values()];
}
