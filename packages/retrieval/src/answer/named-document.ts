import type { DocumentInfo } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";

/** A document that a text names by its file, and the rest of the text. */
export interface FileNamed {
  readonly document: DocumentInfo;
  readonly rest: string;
}

const EXTENSION = /\.[a-z]{2,8}$/i;

/**
 * The document whose file a text names, with its extension or without: "travel-policy.md". A file name
 * of one plain word counts with its extension only: it may be a word like any other.
 */
export function fileNamedIn(text: string, documents: readonly DocumentInfo[]): FileNamed | undefined {
  const byFile = new Map<string, DocumentInfo>();
  for (const document of documents) {
    const file = fileOf(document);
    byFile.set(file, document);
    const stem = file.replace(EXTENSION, "");
    if (/[-_.\d]/.test(stem) && !byFile.has(stem)) byFile.set(stem, document);
  }
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}]/gu)) {
    const document = byFile.get(token.toLowerCase());
    if (document === undefined) continue;
    const before = text
      .slice(0, index)
      .replace(/\b(?:according to|in|from|of|by)\s+(?:the (?:file|document)\s+)?["'“‘]?$/i, "");
    const after = text.slice(index + token.length).replace(/^["'”’]?[,:]?\s*/, " ");
    return { document, rest: `${before}${after}`.replaceAll(/\s+/g, " ").trim() };
  }
  return undefined;
}

/**
 * The one document in force that a phrase can mean, "the handbook", by the words of its title and of
 * its file; undefined where there is none, or several.
 */
export function documentCalled(phrase: string, documents: readonly DocumentInfo[]): DocumentInfo | undefined {
  const asked = contentKeys(phrase);
  const meant = documents.filter((document) => {
    const own = contentKeys(`${document.title} ${fileOf(document).replace(EXTENSION, "")}`);
    return [...asked].every((key) => own.has(key));
  });
  const year = [...asked].some((key) => /^(?:19|20)\d{2}$/.test(key));
  const inForce = meant.filter(({ newerVersion, withdrawn }) => newerVersion === undefined && !withdrawn);
  const chosen = year && inForce.length !== 1 ? meant : inForce;
  return chosen.length === 1 ? chosen[0] : undefined;
}

const fileOf = ({ source }: DocumentInfo): string => (source.split("/").at(-1) ?? source).toLowerCase();
