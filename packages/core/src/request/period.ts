const YEAR = "(?:19|20)\\d{2}";
const PART =
  "(?:Q[1-4]|H[12]|(?:the )?(?:first|second|third|fourth|last) (?:quarter|half)|January|February|March|April|May|June|July|August|September|October|November|December)";
const RELATIVE = "(?:the )?(?:last|this|previous|current|past) (?:year|quarter|month)";
const LEAD = "(?:(?:in|for|of|since|from|during|until|before|after)\\s+)?";

/** A year, a part of one, both, or one that is counted from today; with the word before it. */
const PERIOD = `(?<lead>${LEAD})(?:(?<part>${PART})(?:(?: of)? (?<of>${YEAR}))?|(?<year>${YEAR})|(?<relative>${RELATIVE}))(?![\\w-])`;
const WHOLE = new RegExp(`^${PERIOD}$`, "i");
const EACH = new RegExp(`\\b${PERIOD}`, "gi");

/** A period as it is written: `since Q2 2024` is `since `, `Q2`, `2024`. */
export interface Period {
  readonly text: string;
  readonly index: number;
  /** With its blank; empty where there is none. */
  readonly lead: string;
  /** `Q2`, `March`, `last year`. */
  readonly part?: string;
  readonly year?: string;
}

const toPeriod = ({ 0: text, index, groups = {} }: RegExpExecArray): Period => {
  const part = groups["part"] ?? groups["relative"];
  const year = groups["of"] ?? groups["year"];
  return {
    text,
    index,
    lead: groups["lead"] ?? "",
    ...(part === undefined ? {} : { part }),
    ...(year === undefined ? {} : { year }),
  };
};

/** Undefined where the words are more or less than one period. */
export function asPeriod(words: string): Period | undefined {
  const match = WHOLE.exec(words);
  return match === null ? undefined : toPeriod(match);
}

export const periodsIn = (request: string): readonly Period[] => [...request.matchAll(EACH)].map(toPeriod);
