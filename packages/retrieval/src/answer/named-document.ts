import type { DocumentInfo } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";

/** A document that a text names by its file, and the rest of the text. */
export interface FileNamed {
  readonly document: DocumentInfo;
  readonly rest: string;
}

const EXTENSION = /\.[a-z]{2,8}$/i;

/** Letters, and a separator with a digit or with another: hardly a word or number of plain text looks like that. */
const TELLING = /^(?=.*\p{L})(?=.*[-_.].*[-_.\d]|.*\d.*[-_.])/u;

/**
 * The document whose file a text names, with its extension or without: "ai-strategy-2026.pdf". Without, the name
 * must be one that is no plain word: "2025" and "long-term" are said of other things. A name that
 * several files have names none of them.
 */
export function fileNamedIn(text: string, documents: readonly DocumentInfo[]): FileNamed | undefined {
  const byName = Map.groupBy(
    documents.flatMap((document) => namesOf(document).map((name) => ({ name, document }))),
    ({ name }) => name,
  );
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}]/gu)) {
    const [meant, another] = byName.get(token.toLowerCase()) ?? [];
    if (meant === undefined || another !== undefined) continue;
    const { document } = meant;
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

function namesOf(document: DocumentInfo): readonly string[] {
  const file = fileOf(document);
  const stem = file.replace(EXTENSION, "");
  return stem !== file && TELLING.test(stem) ? [file, stem] : [file];
}
