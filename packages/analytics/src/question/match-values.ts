import { saidLabel } from "../names/one-line.ts";
import { singular, wordsOf } from "../names/words.ts";
import type { ColumnValues } from "../types/values.ts";
import { foldText, tokensOf, type Token } from "./tokens.ts";
import { isPlainWord } from "./vocabulary.ts";

/** A value of a column. */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly value: string;
}

/** Words of a question that are a value, and every column that has it. */
export interface FoundValue {
  readonly text: string;
  readonly places: readonly Place[];
  /** The first of its tokens, and the one after its last. */
  readonly at: number;
  readonly end: number;
}

export interface MatchedValues {
  readonly found: readonly FoundValue[];
  /** Words that begin several values, in words. */
  readonly unclear: readonly string[];
  /** Tokens that were read, by index. */
  readonly used: ReadonlySet<number>;
}

interface Entry extends Place {
  readonly words: readonly string[];
}

/** Values by each of their words. */
export type ValueIndex = ReadonlyMap<string, readonly Entry[]>;

const MAX_WORDS = 12;
const MIN_PREFIX = 4;
const MAX_NAMED = 3;
const JOINS = new Set(["and", "und", "or", "the"]);

export function indexValues(columns: readonly ColumnValues[]): ValueIndex {
  const index = new Map<string, Entry[]>();
  for (const { table, column, values } of columns) {
    for (const value of values) {
      const words = tokensOf(value)
        .map((token) => token.fold)
        .slice(0, MAX_WORDS);
      const entry = { table, column, value, words };
      for (const key of new Set(words.map(singular))) {
        const entries = index.get(key) ?? [];
        entries.push(entry);
        index.set(key, entries);
      }
    }
  }
  return index;
}

/** Values of several words, as they are: they go before anything else a word could mean. */
export function matchPhrases(tokens: readonly Token[], index: ValueIndex): MatchedValues {
  const read = reader(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const here = startingAt(tokens, at, index).filter(({ entry }) => entry.words.length > 1);
    const longest = Math.max(0, ...here.map(({ end }) => end));
    const whole = here.filter(({ end, whole: all }) => all && end === longest);
    if (whole.length > 0) at = read.take(at, longest, whole) - 1;
  }
  return read.result();
}

/**
 * Single words, and the beginning or one word of a longer name where only one value has it. `taken`
 * says which tokens mean something else already.
 */
export function matchWords(
  tokens: readonly Token[],
  index: ValueIndex,
  taken: (token: number) => boolean,
): MatchedValues {
  const read = reader(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || taken(at) || !/\p{L}|\p{N}/u.test(token.fold)) continue;
    const here = startingAt(tokens, at, index).filter(({ end }) => {
      for (let i = at; i < end; i++) if (taken(i)) return false;
      return true;
    });
    const exact = here.filter(({ entry, end, whole }) => whole && isWritten(entry, tokens.slice(at, end)));
    if (exact.length > 0) {
      at = read.take(at, Math.max(...exact.map(({ end }) => end)), exact) - 1;
      continue;
    }
    if (isPlainWord(token.fold, token.word) || /^\d+$/.test(token.fold)) continue;
    const partial = here.length > 0 ? here : holding(tokens, at, index);
    if (partial.length === 0) continue;
    const end = Math.max(...partial.map((one) => one.end));
    const longest = partial.filter((one) => one.end === end);
    const names = [...new Set(longest.map(({ entry }) => foldText(entry.value)))];
    if (names.length === 1) at = read.take(at, end, longest) - 1;
    else if (isNameLike(token)) at = read.doubt(at, end, longest) - 1;
  }
  return read.result();
}

interface Match {
  readonly entry: Entry;
  readonly end: number;
  /** All words of the value are there. */
  readonly whole: boolean;
}

/** Values that begin with the words from here on; a last word of four letters may be cut short. */
function startingAt(tokens: readonly Token[], at: number, index: ValueIndex): readonly Match[] {
  const token = tokens[at];
  if (token === undefined) return [];
  const matches: Match[] = [];
  for (const entry of candidates(token, index)) {
    if (!sameWord(token, entry.words[0])) continue;
    let end = at + 1;
    let word = 1;
    while (word < entry.words.length && end < tokens.length) {
      const next = tokens[end];
      if (next !== undefined && sameWord(next, entry.words[word])) word++;
      else if (next === undefined || !JOINS.has(next.fold) || !sameWord(tokens[end + 1], entry.words[word]))
        break;
      end++;
    }
    matches.push({ entry, end, whole: word === entry.words.length });
  }
  if (matches.length > 0) return matches;
  return token.fold.length < MIN_PREFIX ? [] : cutShort(token, at, index);
}

function candidates(token: Token, index: ValueIndex): readonly Entry[] {
  return index.get(token.word) ?? [];
}

/** `Municipal` for `Municipality`. */
function cutShort(token: Token, at: number, index: ValueIndex): readonly Match[] {
  if (isPlainWord(token.fold, token.word)) return [];
  const matches: Match[] = [];
  for (const [key, entries] of index) {
    if (!key.startsWith(token.word)) continue;
    for (const entry of entries) {
      if (singular(entry.words[0] ?? "") === key) matches.push({ entry, end: at + 1, whole: false });
    }
  }
  return matches;
}

/** Values with this word somewhere inside. */
function holding(tokens: readonly Token[], at: number, index: ValueIndex): readonly Match[] {
  const token = tokens[at];
  if (token === undefined || token.fold.length < MIN_PREFIX) return [];
  return candidates(token, index).map((entry) => ({ entry, end: at + 1, whole: false }));
}

function sameWord(token: Token | undefined, word: string | undefined): boolean {
  return token !== undefined && word !== undefined && (token.fold === word || token.word === singular(word));
}

/** A short code or a word of grammar (`NO`, `IN`, `Other`) counts only as it is written in the data. */
function isWritten(entry: Entry, tokens: readonly Token[]): boolean {
  const [token] = tokens;
  if (tokens.length !== 1 || token === undefined) return true;
  const weak = entry.value.length <= 3 || isPlainWord(token.fold, token.word);
  return (
    !weak || (token.text === entry.value && (!token.first || entry.value.length > 1) && isNameLike(token))
  );
}

/** Written like a name or a code. */
function isNameLike(token: Token): boolean {
  return token.quote !== undefined || /^\p{Lu}/u.test(token.text) || /\p{N}/u.test(token.text);
}

function reader(tokens: readonly Token[]): {
  take(at: number, end: number, matches: readonly Match[]): number;
  doubt(at: number, end: number, matches: readonly Match[]): number;
  result(): MatchedValues;
} {
  const found: FoundValue[] = [];
  const unclear: string[] = [];
  const used = new Set<number>();
  const mark = (at: number, end: number): number => {
    for (let i = at; i < end; i++) used.add(i);
    return end;
  };
  const textOf = (at: number, end: number): string =>
    tokens
      .slice(at, end)
      .map((token) => token.text)
      .join(" ");
  return {
    take(at, end, matches) {
      const places = matches
        .filter((match) => match.end === end)
        .map(({ entry: { table, column, value } }) => ({ table, column, value }));
      found.push({ text: textOf(at, end), places, at, end });
      return mark(at, end);
    },
    doubt(at, end, matches) {
      const names = [...new Set(matches.map(({ entry }) => entry.value))];
      const said = names.slice(0, MAX_NAMED).map((name) => saidLabel(name));
      const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
      unclear.push(`filter "${textOf(at, end)}": it may be ${said.join(", ")}${more}.`);
      return mark(at, end);
    },
    result: () => ({ found, unclear, used }),
  };
}

/** Words of the names of tables and columns. */
export function schemaWords(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => wordsOf(name)));
}
