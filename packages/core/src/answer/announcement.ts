import { referencedIds, type Citation, type ResultTable } from "@troupe/stream";

/** What an answer may rest on. */
export interface FoundSources {
  readonly citations: readonly Citation[];
  readonly tables: readonly ResultTable[];
  /** Other texts, such as the answers of the steps before. */
  readonly texts?: readonly string[];
}

/** Characters of a text that may only say what comes next. */
const MAX_ANNOUNCEMENT = 300;
/** Long words, and pairs of characters where words are not separated. */
const WORD = /\p{Script=Han}{2}|\p{L}{5,}/gu;
/** A capitalized word within a sentence. */
const NAME = /(?<=[\p{Ll},] )\p{Lu}\p{L}+/gu;
const FIGURE = /\p{Nd}(?:[\d.,'\u00A0\u202F]*\p{Nd})?/gu;

/**
 * Whether a text takes nothing from what was found: it is short, has no reference, no code, no figure and no name
 * of the sources, and less than half of its long words are theirs. No list of phrases is compared, so any language counts. A
 * text without long words, such as "Yes.", is too short to tell. Next to a table any figure counts, as it may be computed.
 */
export function isAnnouncement(text: string, { citations, tables, texts = [] }: FoundSources): boolean {
  const said = text.trim();
  if (said.length > MAX_ANNOUNCEMENT || referencedIds(said).length > 0 || said.includes("`")) return false;
  const written = words(said);
  const figures = digits(said);
  if (written.length === 0 || (tables.length > 0 && figures.length > 0)) return false;
  const source = [
    ...citations.map(({ document, quote, passage = quote }) => `${document}\n${passage}`),
    ...tables.map((table) => JSON.stringify(table)),
    ...texts,
  ].join("\n");
  const foundFigures = new Set(digits(source));
  if (figures.some((figure) => foundFigures.has(figure))) return false;
  const found = new Set(words(source));
  const names = said.match(NAME) ?? [];
  if (names.some((name) => source.includes(name))) return false;
  return written.filter((word) => isIn(found, word)).length * 2 < written.length;
}

const words = (text: string): readonly string[] => [...new Set(text.toLowerCase().match(WORD))];

const digits = (text: string): readonly string[] =>
  (text.match(FIGURE) ?? []).map((figure) => figure.replaceAll(/\P{Nd}/gu, ""));

/** Also with one letter more or less at its end, as in a plural. */
function isIn(found: ReadonlySet<string>, word: string): boolean {
  if (found.has(word) || (word.length > 5 && found.has(word.slice(0, -1)))) return true;
  return found.has(`${word}s`) || found.has(`${word}n`);
}
