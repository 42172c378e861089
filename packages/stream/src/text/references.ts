const REFERENCE = /\[([^[\]\n]{1,120})\]/g;
/** Characters of a reference that may be incomplete, its opening bracket included. */
const MAX_OPEN = 121;

/** Rewrites one text piece by piece. */
export interface ReferenceStream {
  /** The part of the text that is certain by now. */
  push(piece: string): string;
  /** What was held back, once no more text comes. */
  end(): string;
}

type IsKnown = (id: string) => boolean;

const nothingKnown: IsKnown = () => false;

/** What follows the id in `[1†source]`, `【1†L4】`. */
const DAGGER = /†[^]*$/;
/** A place in a source, behind its id: `[1, p. 4]`. */
const PLACE =
  /^(?:pp?|pages?|s|seiten?|sec|sections?|ch|chapters?|l|lines?|para|abs|kap|§{1,2}|¶)\.?\s?\d[\w.–-]{0,20}(?:\sff?\.?)?$/i;
const SOURCE_WORD =
  /^(?:sources?|src|documents?|docs?|refs?|references?|cit(?:e|ations?)?|passages?|quellen?|dokumente?|fuentes?|fontes?|fonti|bron(?:nen)?)[\s.:#]{0,3}(?=[\d^#])/i;
/** `^4`, `#4`, `4a`. */
const NUMBER = /^[\^#]?(\d{1,3})[abc]?$/;
const RANGE = /^([1-9]\d{0,2})\s?[-–—]\s?(\d{1,3})$/;
/** Ids of a wider range are not listed, only its ends. */
const MAX_RANGE = 20;

/**
 * The ids between the brackets of a reference: one, or a list such as `[2, 3]` or `[a/1; b/2]`. All forms in which models
 * write them are read here: `[4†source]`, `[Source 4]`, `[doc 4]`, `[#4]`, `[ref4]`, `[3-5]`, `[4, p. 12]`, `[4a]`, `[^4]` and
 * `[**4**]`. A part that is an id as it stands, or no id at all, is returned as it is.
 */
function idsOfReference(inside: string, isKnown: IsKnown): readonly string[] {
  const parts = inside
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(DAGGER, "")
    .replace(/^[\s*_]{1,8}|[\s*_]{1,8}$/g, "")
    .split(/[,;，；]/)
    .map((part) => part.trim());
  const ids = parts.filter((part, index) => part !== "" && (index === 0 || !PLACE.test(part)));
  return ids.flatMap((part) => (isKnown(part) ? [part] : idsOfPart(part)));
}

function idsOfPart(part: string): readonly string[] {
  const bare = part.replace(SOURCE_WORD, "");
  const number = NUMBER.exec(bare)?.[1];
  if (number !== undefined) return [number];
  const [, first = "", last = ""] = RANGE.exec(bare) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === "" || to <= from) return [part];
  if (to - from > MAX_RANGE) return [first, last];
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

/** What the ids of citations, charts and tables look like, alone or behind the id of a step. */
const SOURCE_ID = /^(?:[a-z][\w.-]{0,80}\/)?(?:\d{1,3}|chart-\d{1,4}|result-[\w-]{1,64})$/i;

export function isSourceId(id: string): boolean {
  return SOURCE_ID.test(id);
}

/** A citation mark of a text. */
export interface Reference {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly ids: readonly string[];
  /** Whether it is written as `[1]`, `[1, 2]` or `[[1]]`. */
  readonly isPlain: boolean;
}

export interface ReferenceOptions {
  readonly isKnown: IsKnown;
  /** Whether an id that is not known may be one; `isSourceId` when absent. */
  readonly isId?: (id: string) => boolean;
  /** Whether brackets are words of a source; asked only where an id in them is not known. */
  readonly isQuoted?: (brackets: string) => boolean;
}

const BRACKETS =
  /\[\[([^[\]\n]{1,120})\]\]|\[([^[\]\n]{1,120})\]|［([^［］\n]{1,120})］|【([^【】\n]{1,120})】/g;

/**
 * The citation marks of a text without code. Brackets that mean something else are none: links, an index such as `x[3]`,
 * the definition of a link, intervals with a 0 or a decimal, `[Figure 1]`, and what is in a source.
 */
export function findReferences(
  text: string,
  { isKnown, isId = isSourceId, isQuoted = nothingKnown }: ReferenceOptions,
): readonly Reference[] {
  const footnotes = new Set(text.match(FOOTNOTE));
  return [...text.matchAll(BRACKETS)].flatMap((match): Reference[] => {
    const start = match.index;
    const end = start + match[0].length;
    if (text[end] === "(") return [];
    const inside = match.slice(1).find((group) => group !== undefined) ?? "";
    const ids = idsOfReference(inside, isKnown);
    const areKnown = ids.every(isKnown);
    if (ids.length === 0 || !ids.every((id) => isKnown(id) || isId(id))) return [];
    const isOther = (): boolean =>
      ids.includes("0") ||
      isNoReference(text, start, end) ||
      footnotes.has(`\n${match[0]}`) ||
      isQuoted(`[${inside}]`);
    if (!areKnown && isOther()) return [];
    const isPlain = text[start] === "[" && inside.split(/\s*[,;]\s*/).join() === ids.join();
    return [{ start, end, ids, isPlain }];
  });
}

/** The definition of a footnote: its references are none. */
const FOOTNOTE = /\n\[\^[^[\]\n]{1,119}\](?=:)/g;

/** An index, or the definition of a link. */
function isNoReference(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  return /[\p{L}\p{N}_]$/u.test(before) || (text[end] === ":" && /(?:^|\n)[ \t]*$/.test(before));
}

/** The ids of every pair of brackets in a text, sources or not. */
export function referencedIds(text: string): readonly string[] {
  if (!text.includes("[")) return [];
  return [...text.matchAll(REFERENCE)].flatMap(([, inside = ""]) => {
    const asWritten = inside.split(/[,;]/).map((id) => id.trim());
    const read = idsOfReference(inside, nothingKnown);
    return [...new Set([...asWritten, ...read])];
  });
}

/**
 * Rewrites the references of a text. `idOf` gives the new id of a source, undefined for what is none; brackets
 * with anything else than sources stay as they are. All at once: one by one, `1 -> 2` and then `2 -> 3` would
 * turn a 1 into a 3.
 */
export function rewriteReferences(text: string, idOf: (id: string) => string | undefined): string {
  return text.replace(REFERENCE, (whole, inside: string) => {
    const ids = idsOfReference(inside, (id) => idOf(id) !== undefined);
    const renamed = ids.map(idOf);
    const same = renamed.every((id, index) => id === undefined || id === ids[index]);
    return same || renamed.includes(undefined) ? whole : `[${renamed.join(", ")}]`;
  });
}

/** The same for a text that arrives in pieces: what may be the beginning of a reference is held back. */
export function referenceStream(idOf: (id: string) => string | undefined): ReferenceStream {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const open = text.lastIndexOf("[");
      const tail = open === -1 ? "" : text.slice(open);
      held = tail.length > MAX_OPEN || /[\]\n]/.test(tail) ? "" : tail;
      return rewriteReferences(text.slice(0, text.length - held.length), idOf);
    },
    end() {
      const text = held;
      held = "";
      return text;
    },
  };
}
