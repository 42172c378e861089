import type { Token } from "./tokens.ts";

const NOT = new Set(["except", "excluding", "without", "outside", "not", "excl", "ohne", "non"]);
/** `other than`, `apart from`, `except for`: two words. */
const PAIRS: ReadonlySet<string> = new Set(["other than", "apart from", "aside from"]);
const PREPOSITIONS = new Set(["the", "in", "of", "from", "for", "to", "at", "our"]);

/**
 * The first token of the words that leave out what begins at `at`, such as `not in`; undefined where
 * nothing does. Only prepositions and what `between` allows may stand in between: `not sold in` is no
 * such case.
 */
export function isLeftOut(
  tokens: readonly Token[],
  at: number,
  between: (token: Token) => boolean = () => false,
): number | undefined {
  for (let i = at - 1; i >= 0 && i >= at - 4; i--) {
    const token = tokens[i];
    if (token === undefined) return undefined;
    if (NOT.has(token.fold)) return i;
    if (i > 0 && PAIRS.has(`${tokens[i - 1]?.fold ?? ""} ${token.fold}`)) return i - 1;
    if (!PREPOSITIONS.has(token.fold) && !between(token)) return undefined;
  }
  return undefined;
}

/** Words of a question that a value was found for. */
export interface ValueSpan {
  readonly at: number;
  readonly end: number;
  /** Whether a word names the column the value is in: it may stand between `except` and the value. */
  readonly isColumn: (token: Token) => boolean;
}

export interface Coordination {
  /** `outside DACH and Nordics`: both are left out. */
  readonly negated: boolean;
  /** It stands in a list right after the value before. */
  readonly joined: boolean;
}

export interface CoordinationReading {
  /** One for each span, in their order. */
  readonly values: readonly Coordination[];
  /** Tokens that were read, by index. */
  readonly used: ReadonlySet<number>;
}

const JOINS = new Set(["and", "or", "nor", "und"]);

/** Which of the values are left out: a negation holds until the list it begins has ended. */
export function readCoordination(tokens: readonly Token[], spans: readonly ValueSpan[]): CoordinationReading {
  const used = new Set<number>();
  const values: Coordination[] = [];
  spans.forEach(({ at, isColumn }, i) => {
    const from = isLeftOut(tokens, at, isColumn);
    const last = spans[i - 1];
    const between = last === undefined ? [] : tokens.slice(last.end, at);
    const [join, ...others] = between;
    const listed =
      last !== undefined &&
      (join === undefined || (JOINS.has(join.fold) && others.every(({ fold }) => PREPOSITIONS.has(fold))));
    const negated = from !== undefined || (listed && values[i - 1]?.negated === true);
    for (let n = from ?? at; n < at; n++) used.add(n);
    if (from !== undefined && tokens[from - 1]?.fold === "but") used.add(from - 1);
    values.push({ negated, joined: listed && (join !== undefined || negated) });
  });
  return { values, used };
}
