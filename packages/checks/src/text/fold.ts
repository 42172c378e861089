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

/** What `read` gave for a key the first time. */
export function memoize<K extends object, V>(known: WeakMap<K, V>, key: K, read: (key: K) => V): V {
  const found = known.get(key) ?? read(key);
  known.set(key, found);
  return found;
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

/** Decimal digits of other scripts, and the marks that are written with them. */
const OTHER_DIGITS = /[\p{Nd}--[0-9]]|[．，٫٬％٪﹪]/gv;
const MARKS: Readonly<Record<string, string>> = {
  "．": ".",
  "，": ",",
  "٫": ".",
  "٬": ",",
  "％": "%",
  "٪": "%",
  "﹪": "%",
};

/** `⁹³ %`, `₁₂`; behind a word or number they are footnotes or powers, and stay. */
const RAISED = /(?<=^|[\s([{<>=~≈+−–$€£¥-])[⁰¹²³⁴-⁹₀-₉]{1,15}(?:[.,][⁰¹²³⁴-⁹₀-₉]{1,15})?(?=(.?.?))/gu;

/**
 * Replaces digits of any script, and raised and lowered ones that are a number of their own, by ASCII digits. The length
 * changes only for digits beyond the basic plane.
 */
export function withAsciiDigits(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text
    .replace(OTHER_DIGITS, (digit, at: number) => {
      const mark = MARKS[digit];
      if (mark === undefined) return String(digitValue(digit));
      // `，` also separates clauses.
      return mark === "%" || /\p{Nd}/u.test(text.slice(at - 2, at)) ? mark : digit;
    })
    .replace(RAISED, (digits, behind: string) => {
      const isNumber = digits.length > 1 || /^\s?[%‰°€$£]/.test(behind);
      return isNumber ? digits.normalize("NFKC") : digits;
    });
}

/** Digits of a script follow each other from its zero. */
function digitValue(digit: string): number {
  const plain = digit.normalize("NFKC");
  if (/^\d$/.test(plain)) return Number(plain);
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
