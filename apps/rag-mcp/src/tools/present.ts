import type { DocumentRef } from "@troupe/retrieval";
import type { Citation } from "@troupe/stream";

/** Bracketed words in round brackets, so that a footnote mark is not taken for a citation. */
const roundBrackets = (text: string): string => text.replace(/\[([\w-]{1,24})\]/g, "($1)");

/** Document text as it is shown: every line quoted, so that it cannot pass for a line of ours. */
export function quoteText(text: string): string {
  return roundBrackets(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A title or heading inside one of our lines. */
export function inline(text: string): string {
  return roundBrackets(text).replace(/\s+/g, " ");
}

/**
 * A citation with the text that is shown under its id, which an answer is checked against: as `quoteText` shows it,
 * under a line with the date and version of the document.
 */
export function shownAsQuote(
  citation: Citation,
  text: string,
  document: Pick<DocumentRef, "published" | "version">,
): Citation {
  const edition = editionOf(document);
  const passage = `${edition === "" ? "" : `${edition}\n`}${roundBrackets(text)}`;
  return passage === citation.quote ? citation : { ...citation, passage };
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
export function count(number: number, word: string, plural = `${word}s`): string {
  return `${number} ${number === 1 ? word : plural}`;
}
