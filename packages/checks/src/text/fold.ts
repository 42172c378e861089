const LETTER_TO_FOLD = /[\p{Lu}\u00c0-\u024f]/gu;

/** Letters that have no diacritic to take away. */
const PLAIN: Readonly<Record<string, string>> = { ı: "i", ø: "o", ł: "l", đ: "d", œ: "oe", æ: "ae" };

/** Beyond ASCII, which has no diacritics. */
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Lower case without diacritics, so that texts can be compared. May change the length. */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase().replaceAll("`", "'");
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[ıøłđœæ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[’‘`´]/g, "'");
}

/** The same as `fold` where that keeps the length of a character, so that offsets stay valid. */
export function foldInPlace(text: string): string {
  return text.replace(LETTER_TO_FOLD, (letter) => {
    const folded = fold(letter);
    return folded.length === letter.length ? folded : letter;
  });
}

/** Folded words with one space between them and no marks. */
export function foldedWords(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A memo of a table that is costly to build and never changes. */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => (built ??= { value: build() }).value;
}

/** Text with the characters of each span replaced by `filler`; spans are in order and do not overlap. */
export function blankSpans(text: string, spans: readonly Span[], filler: string): string {
  if (spans.length === 0) return text;
  let out = "";
  let at = 0;
  for (const { start, end } of spans) {
    out += text.slice(at, start) + filler.repeat(end - start);
    at = end;
  }
  return out + text.slice(at);
}

export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}
