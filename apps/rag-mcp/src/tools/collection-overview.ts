import type { DocumentInfo } from "@troupe/retrieval";

import { count, nameOf } from "./present.ts";

/** Characters of the text about one collection. */
const MAX_OVERVIEW = 2_000;

/** Documents of a collection with dates and sizes, the newest first, within 2,000 characters. */
export function collectionOverview(name: string, documents: readonly DocumentInfo[]): string {
  const passages = documents.reduce((sum, document) => sum + document.passages, 0);
  const lines = [`${name}: ${count(documents.length, "document")}, ${count(passages, "passage")}`];
  const newest = documents.toSorted((a, b) => (b.published ?? "").localeCompare(a.published ?? ""));
  // 40 characters are kept for the line that counts the rest.
  let room = MAX_OVERVIEW - (lines[0]?.length ?? 0) - 40;
  for (const document of newest) {
    const line = `- ${nameOf(document)}, ${sizeOf(document)}${isReplaced(document) ? ", OUTDATED" : ""}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const rest = documents.length - (lines.length - 1);
  return [...lines, ...(rest > 0 ? [`- and ${count(rest, "more document")}`] : [])].join("\n");
}

const sizeOf = ({ paged, pages, passages }: DocumentInfo): string =>
  paged ? count(pages, "page") : count(passages, "passage");

const isReplaced = ({ withdrawn, newerVersion }: DocumentInfo): boolean =>
  withdrawn || newerVersion !== undefined;
