import type { SearchResult } from "../retriever.ts";
import { findDates } from "../text/dates.ts";
import { findFigures } from "../text/figures.ts";
import { wordKey, words } from "../text/words.ts";
import { countedBy, type Counted } from "./counts.ts";

/** What an answer must hold to be one: "how much is" wants an amount of money, "when" a time. A reason it may hold. */
export type Wanted = "money" | "figure" | "time" | "person" | "reason";

/** A question as far as fixed rules read one. */
export interface Question {
  /** Its distinctive words and how much each weighs: rare ones more. */
  readonly weights: ReadonlyMap<string, number>;
  /** Keys of names, which no other word can stand for. */
  readonly names: ReadonlySet<string>;
  /** Years it names. */
  readonly years: readonly string[];
  /** Figures with a point, such as a version, as written. */
  readonly versions: readonly string[];
  readonly wanted?: Wanted;
  /** It asks for an edition that was replaced: that of a year, or whichever it is. */
  readonly old?: { readonly year?: string };
  /** Key of the word after "who"; else empty. */
  readonly verb: string;
  /** A noun with the letter that tells it from others of its kind, in lower case: `class a`. */
  readonly labels: readonly string[];
  /** What it wants counted: "how many employees". */
  readonly counted?: Counted;
  /** Keys of words that stand in so many passages that they tell none apart. */
  readonly common: ReadonlySet<string>;
  /** Figures of the question itself, which answer nothing. */
  readonly figures: ReadonlySet<string>;
}

/** They say what kind of answer is wanted, or of which edition, and seldom stand in it. */
const KIND_WORDS = new Set(
  `big large long short high low early late far fast soon old new much many often previous former earlier outdated
superseded replaced original last latest current currently happen happened happens today answer question document
documents file files page wrote written kind sort type exactly`
    .split(/\s+/)
    .map(wordKey),
);
/** "How many people work at": what they do there says that they are counted. */
const STOCK_WORDS = new Set(["number", "work", "employ", "serve", "hold", "own", "operate"].map(wordKey));
const OLD =
  /\b(?:old|older|previous|former|earlier|superseded|outdated|replaced|original|last) (?:[\w'’-]+ ){0,3}?(?:version|edition|strategy|policy|plan|document|guide|guideline|handbook|rules?|roadmap|report)\b|\b(?:used to|was it before|previously|formerly|before it was replaced)\b/i;
/** A name that stands in this share of the passages, and in more than a few, tells nothing apart. */
const COMMON = { share: 0.25, passages: 3 };

/** Reads a question by rules; `result` is what a search for it found. */
export function readQuestion(text: string, result: SearchResult): Question {
  const total = Math.max(1, result.searched.passages);
  const counted = countedBy(text);
  const saysKind = (key: string): boolean =>
    KIND_WORDS.has(key) || (counted?.stock === true && STOCK_WORDS.has(key));
  const terms = result.terms.filter(({ word }) => !saysKind(wordKey(word)));
  const weights = new Map(
    terms.map(({ word, passages }) => [wordKey(word), Math.log(1 + total / Math.max(0.5, passages))]),
  );
  const rare = new Set(
    terms
      .filter(({ passages }) => passages < Math.max(total * COMMON.share, COMMON.passages))
      .map(({ word }) => wordKey(word)),
  );
  const common = new Set([...weights.keys()].filter((key) => !rare.has(key)));
  const wanted = wantedBy(text);
  const old = oldEdition(text);
  return {
    weights,
    common,
    ...(counted === undefined ? {} : { counted }),
    names: new Set(namesIn(text).filter((key) => rare.has(key))),
    years: text.match(/\b(?:19|20)\d{2}\b/g) ?? [],
    versions: text.match(/\b\d+\.\d+(?:\.\d+)*\b/g) ?? [],
    labels: labelsIn(text),
    verb: wordKey(/\bwho ([\p{L}]+)/iu.exec(text)?.[1]?.toLowerCase() ?? ""),
    figures: new Set(findFigures(text).map((figure) => String(figure.values[0]))),
    ...(wanted === undefined ? {} : { wanted }),
    ...(old === undefined ? {} : { old }),
  };
}

/** What kind of thing a question asks for, as far as its words tell. */
export function wantedBy(text: string): Wanted | undefined {
  if (/\b(?:price|prices|cost|costs|salary|salaries|fee|fees|budget|earn|earns|expensive)\b/i.test(text)) {
    if (/\b(?:what|which|how (?:much|high|big|large|expensive))\b/i.test(text)) return "money";
  }
  if (
    /^(?:and )?(?:since |until |by |from )?when\b|\b(?:what|which) (?:date|year|month|day)\b/i.test(
      text.trim(),
    )
  )
    return "time";
  if (countedBy(text) !== undefined) return "figure";
  if (WHO.test(text.trim())) return "person";
  if (/^(?:and )?(?:why|for what reason)\b/i.test(text.trim())) return "reason";
  return /\bhow (?:much|often|high|long|big|far|old|early|large|fast|late|soon|few)\b/i.test(text)
    ? "figure"
    : undefined;
}

const WHO = /^(?:and )?(?:(?:from|to|by|with|for) )?who(?:m)?\b/i;

function oldEdition(text: string): Question["old"] {
  const year = /\b((?:19|20)\d{2})\b/.exec(text)?.[1];
  if (OLD.test(text)) return year === undefined ? {} : { year };
  return year === undefined ? undefined : { year };
}

/** Capitalised words, the first one aside; none where nearly every word is one. */
function namesIn(text: string): readonly string[] {
  const tokens = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const capital = tokens.slice(1).filter((token) => /^\p{Lu}/u.test(token) && token !== "I");
  if (capital.length > 4 && capital.length > tokens.length * 0.6) return [];
  return capital.flatMap((token) => words(token.replace(/['’]s$/, ""))).map(wordKey);
}

/** "Class A", where small words are not written large. */
function labelsIn(text: string): readonly string[] {
  if (/\b(?:Of|The|In|Is|And)\b/.test(text.slice(1))) return [];
  return [...text.matchAll(/\b\p{L}{3,} [A-HJ-Z]\b(?!['’.&])/gu)].map(([label]) => label.toLowerCase());
}

const MONEY =
  /(?:\b(?:EUR|USD|GBP|SEK|NOK|DKK|CHF)\b|\b(?:euros?|dollars?|pounds|kron(?:a|or|er)|cents?|percent)\b|[€$£¥%])/i;
const TIME =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|every|once|twice|daily|weekly|monthly|quarterly|yearly|annually|(?:19|20)\d{2}|(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|first|last) (?:working )?(?:days?|weeks?|months?|years?|hours?|o'clock))\b/i;
/** A time of day. `01.50` counts only after a word of time, and `at seven` where it counts nothing. */
const CLOCK =
  /\b(?:[01]?\d|2[0-4]):[0-5]\d\b|\b(?:at|from|until|till|by|before|after|between|and|to) (?:[01]\d|2[0-4])\.[0-5]\d\b(?!\.\d|\s*(?:%|percent|per cent|thousand|million|billion|EUR|USD|GBP|NOK|SEK|DKK))|\b\d{1,2}\s?[ap]\.?m\b|\b(?:noon|midday|midnight)\b|\b(?:at|from|until|by) (?:half past |(?:a )?quarter (?:past|to) )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=\s*(?:$|[.,;!?)])| (?:in|on|at|every|each|sharp|and|until|to)\b)/i;
const COUNT = /\b(?:no|none|nobody|one|once|half|third|quarter|dozen|every|daily|weekly|monthly|yearly)\b/i;

/** Words of a question about money that any amount of money stands for. */
const AMOUNT_WORDS: ReadonlySet<string> = new Set(
  ["cost", "price", "fee", "earn", "expensive", "salary"].map(wordKey),
);

/** Whether an amount in the text stands for a word of the question: "earn" for "EUR 62,000". */
export function amountStands(key: string, text: string, { wanted }: Question): boolean {
  return wanted === "money" && AMOUNT_WORDS.has(key) && MONEY.test(text) && /\d/.test(text);
}

/** Somebody who does something, by what they are. */
const ROLES =
  /\b(?:any(?:one|body)|board|committee|compan(?:y|ies)|customers?|departments?|directors?|employees?|every(?:one|body)|groups?|managers?|members?|nobody|no one|officers?|owners?|people|persons?|staff|teams?|you)\b/i;
const FULL_NAME = /(?<!\p{L})\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\p{Ll}+)+/u;

/** Somebody by name or by what they are; one name alone counts before what was asked: "Oskar mends roofs." */
function namesPeople(text: string, verb: string): boolean {
  const [, subject = "", next = ""] = /^(\p{Lu}\p{Ll}+) (\p{L}+)/u.exec(text) ?? [];
  const alone = subject !== "" && verb !== "" && wordKey(next.toLowerCase()) === verb;
  return alone || ROLES.test(text) || FULL_NAME.test(text);
}

/** Whether a text holds the kind of thing that is asked for, beyond what the question says itself. */
export function holdsWanted(text: string, { wanted, figures, verb }: Question): boolean {
  if (wanted === undefined || wanted === "reason") return true;
  if (wanted === "person") return namesPeople(text, verb);
  const own = findFigures(text).filter((figure) => !figures.has(String(figure.values[0]))).length > 0;
  if (wanted === "money") return own && MONEY.test(text);
  if (wanted === "time") return findDates(text).length > 0 || TIME.test(text) || CLOCK.test(text);
  return own || COUNT.test(text) || findDates(text).length > 0;
}
