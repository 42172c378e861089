import type { DocumentRef } from "@troupe/retrieval";

/**
 * Document text as it is shown: every line quoted, so that it cannot pass for a line of ours, and
 * bracketed words in round brackets, so that a footnote mark is not taken for a citation.
 */
export function quoteText(text: string): string {
  const marked = text.replace(/\[([\w-]{1,24})\]/g, "($1)");
  return marked
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A title or heading inside one of our lines. */
export function inline(text: string): string {
  return text.replace(/\[([\w-]{1,24})\]/g, "($1)").replace(/\s+/g, " ");
}

/** `published 2025-05-01, version 2`, as far as the document says it. */
export function editionOf(document: Pick<DocumentRef, "published" | "version">): string {
  return [
    ...(document.published === undefined ? [] : [`published ${document.published}`]),
    ...(document.version === undefined ? [] : [`version ${document.version}`]),
  ].join(", ");
}

/** A document by title, with what tells its editions apart. */
export function nameOf(document: DocumentRef): string {
  const edition = editionOf(document);
  return `"${inline(document.title)}" (${document.source}${edition === "" ? "" : `, ${edition}`})`;
}

/** `1 passage`, `3 passages`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
