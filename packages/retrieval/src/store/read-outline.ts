import type { DatabaseSync } from "node:sqlite";

import type { Outline, OutlineHeading } from "../retriever.ts";
import { DOCUMENT_COLUMNS, toDocumentRow, toRef, toSections } from "./rows.ts";

/** The headings of a document in order, with the passages under each. */
export function readOutline(db: DatabaseSync, documentId: string): Outline | undefined {
  const row = db
    .prepare(`SELECT ${DOCUMENT_COLUMNS}, d.pages, d.passages FROM documents d WHERE d.document_id = ?`)
    .get(documentId);
  if (!row) return undefined;
  const document = toDocumentRow(row);
  const headings = readHeadings(db, document.key);
  return {
    document: toRef(document),
    collection: document.collection,
    paged: document.paged,
    pages: Number(row["pages"]),
    passages: Number(row["passages"]),
    headings: countPassages(db, document.key, headings),
  };
}

type Heading = Omit<OutlineHeading, "passages">;

function readHeadings(db: DatabaseSync, document: number): readonly Heading[] {
  const blocks = db
    .prepare("SELECT page, sections FROM page_blocks WHERE document = ? ORDER BY page, start_offset")
    .all(document);
  const headings: Heading[] = [];
  let page = 0;
  let last = -1;
  let open: readonly string[] = [];
  for (const block of blocks) {
    if (Number(block["page"]) !== page) [page, last] = [Number(block["page"]), -1];
    for (const { start, path } of toSections(block)) {
      // A block repeats the mark that holds at its start.
      if (start <= last) continue;
      last = start;
      const text = path.at(-1);
      // A page starts with the section of the page before, unless it starts with a heading.
      const isContinued = start === 0 && JSON.stringify(path) === JSON.stringify(open);
      open = path;
      if (text !== undefined && !isContinued) headings.push({ text, depth: path.length, page, start });
    }
  }
  return headings;
}

function countPassages(
  db: DatabaseSync,
  document: number,
  headings: readonly Heading[],
): readonly OutlineHeading[] {
  const counts = headings.map(() => 0);
  const chunks = db
    .prepare(
      "SELECT page, (start_offset + end_offset) / 2 AS middle FROM chunks WHERE document = ? ORDER BY page, start_offset",
    )
    .all(document);
  let at = -1;
  for (const chunk of chunks) {
    const [page, middle] = [Number(chunk["page"]), Number(chunk["middle"])];
    for (let next = headings[at + 1]; next !== undefined; next = headings[at + 1]) {
      if (next.page > page || (next.page === page && next.start > middle)) break;
      at += 1;
    }
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  return headings.map((heading, index) => ({ ...heading, passages: counts[index] ?? 0 }));
}
