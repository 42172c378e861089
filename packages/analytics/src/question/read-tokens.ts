import { COUNT_WORDS, MONEY_WORDS, PRICE_WORDS, wordsOf } from "../names/words.ts";
import type { DataSchema } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import type { AskedValue } from "./filters.ts";
import { indexValues, matchPhrases, matchWords } from "./match-values.ts";
import { readCoordination } from "./negation.ts";
import { readPeriods, type PeriodReading } from "./periods/read-periods.ts";
import { pairedTexts } from "./paired.ts";
import { readFlags } from "./read-flags.ts";
import { readThresholds } from "./thresholds.ts";
import type { Token } from "./tokens.ts";

/** Words that name a figure. */
export const MEASURED = [...MONEY_WORDS, ...COUNT_WORDS, ...PRICE_WORDS];

/** What the tokens of a question are, before it is known which table they are about. */
export interface TokenReading {
  readonly values: readonly AskedValue[];
  readonly periods: PeriodReading;
  readonly thresholds: readonly string[];
  readonly unclear: readonly string[];
  /** Values and periods that go together in pairs, which no statement tells apart. */
  readonly paired: readonly string[];
  /** Tokens that were read, by index. */
  readonly used: ReadonlySet<number>;
}

/** Names of several words first, then numbers that set a bound, times, and names of one word. */
export function readTokens(
  question: string,
  tokens: readonly Token[],
  schema: DataSchema,
  columns: readonly ColumnValues[],
  names: ReadonlySet<string>,
  today: string | undefined,
): TokenReading {
  const index = indexValues(columns);
  const phrases = matchPhrases(tokens, index);
  const thresholds = readThresholds(question, tokens, (i) => !phrases.used.has(i));
  const bound = new Set([...phrases.used, ...thresholds.used]);
  const periods = readPeriods(question, tokens, { free: (i) => !bound.has(i), today });
  const first = new Set([...bound, ...periods.used]);
  const reserved = (token: Token): boolean =>
    MEASURED.includes(token.word) || (names.has(token.word) && !/^\p{Lu}/u.test(token.text));
  const words = matchWords(tokens, index, (i) => {
    const token = tokens[i];
    return first.has(i) || (token !== undefined && reserved(token));
  });
  const flags = readFlags(
    tokens,
    schema,
    columns,
    (i) => !first.has(i) && !words.used.has(i) && !isOpposite(question, tokens[i]),
    (word) => MEASURED.includes(word),
    names,
  );
  const found = [...phrases.found, ...words.found, ...flags].toSorted((a, b) => a.at - b.at);
  const coordination = readCoordination(
    tokens,
    found.map(({ at, end, places }) => {
      const own = new Set(places.flatMap(({ column }) => wordsOf(column)));
      return { at, end, isColumn: ({ word }) => own.has(word) };
    }),
  );
  const values = found.map((one, i) => {
    const { negated, joined } = coordination.values[i] ?? { negated: false, joined: false };
    const { other } = flags.find(({ at }) => at === one.at) ?? {};
    // `not active` is where the column says no; an empty cell says neither.
    return negated && other !== undefined
      ? { ...one, places: other, negated: false, joined: false }
      : { ...one, negated, joined: joined && other === undefined };
  });
  const used = new Set([...first, ...words.used, ...coordination.used, ...flags.map(({ at }) => at)]);
  const paired = pairedTexts(values, periods);
  return { values, periods, thresholds: thresholds.unread, unclear: words.unclear, paired, used };
}

/** `active` of `in-active`: no rule reads it. */
const isOpposite = (question: string, token: Token | undefined): boolean =>
  /(?<!\p{L})in-$/iu.test(question.slice(0, token?.start));
