import { clip } from "@troupe/core";
import type { DocumentInfo, Retriever } from "@troupe/retrieval";

import { count, inline, nameOf } from "./present.ts";

/** Characters of the text about one collection, or about all of them. */
const MAX_OVERVIEW = 2_000;
/** Of the line of a document; titles are written by strangers. */
const MAX_LINE = 200;
/** With more collections only their sizes are listed. */
const MAX_DESCRIBED = 4;
/** Kept for the line that counts the rest. */
const ROOM_FOR_REST = 40;

/** Documents of a collection with dates and sizes, the newest first, within `max` characters. */
export function collectionOverview(
  name: string,
  documents: readonly DocumentInfo[],
  max: number = MAX_OVERVIEW,
): string {
  const passages = documents.reduce((sum, document) => sum + document.passages, 0);
  const head = `${clip(name, MAX_LINE)}: ${count(documents.length, "document")}, ${count(passages, "passage")}`;
  const newest = documents.toSorted(
    (a, b) =>
      Number(isReplaced(a)) - Number(isReplaced(b)) ||
      (b.published ?? "").localeCompare(a.published ?? "") ||
      a.source.localeCompare(b.source),
  );
  const lines = newest.map(
    (document) =>
      `- ${clip(inline(nameOf(document)), MAX_LINE)}, ${sizeOf(document)}${isReplaced(document) ? ", OUTDATED" : ""}`,
  );
  return within(max, head, lines, "document");
}

/** The same of all collections; of many only their sizes. */
export async function overviewOfAll(index: Pick<Retriever, "collections" | "documents">): Promise<string> {
  const collections = await index.collections();
  if (collections.length === 0) return "There is no collection: nothing has been ingested yet.";
  if (collections.length > MAX_DESCRIBED) {
    const lines = collections.map(
      ({ name, documents, passages }) =>
        `${clip(name, MAX_LINE)}: ${count(documents, "document")}, ${count(passages, "passage")}`,
    );
    return within(MAX_OVERVIEW, count(collections.length, "collection"), lines, "collection");
  }
  const share = Math.floor(MAX_OVERVIEW / collections.length);
  const parts = await Promise.all(
    collections.map(async ({ name }) => collectionOverview(name, await index.documents(name), share)),
  );
  return parts.join("\n\n");
}

function within(max: number, head: string, lines: readonly string[], noun: string): string {
  const kept = [head];
  let room = max - head.length - ROOM_FOR_REST;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const rest = lines.length - (kept.length - 1);
  return [...kept, ...(rest > 0 ? [`- and ${count(rest, `more ${noun}`)}`] : [])].join("\n");
}

const sizeOf = ({ paged, pages, passages }: DocumentInfo): string =>
  paged ? count(pages, "page") : count(passages, "passage");

const isReplaced = ({ withdrawn, newerVersion }: DocumentInfo): boolean =>
  withdrawn || newerVersion !== undefined;
