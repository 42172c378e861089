import { findFigures } from "../text/figures.ts";
import { wordKey, words } from "../text/words.ts";

/** What a question wants counted. */
export interface Counted {
  /** Key of the noun: `vehicle` of "how many service vehicles". */
  readonly noun: string;
  /** Keys of all its words. */
  readonly thing: ReadonlySet<string>;
  /** It asks how many there are, not how many were sold, sent or hired. */
  readonly stock: boolean;
}

const END =
  "(?=\\s+(?:do|does|did|has|have|had|is|are|was|were|will|would|can|could|may|must|should|in|on|at|per|by|from|for|about|with|without|there|that|who|which|we|i|work|works)\\b|[?.,;!]|$)";
const HOW_MANY = new RegExp(
  `\\bhow many (?:of (?:the|its|our|their) )?(.+?)${END}|\\bnumber of (.+?)${END}`,
  "i",
);
const STOCK =
  /\b(?:do|does|did) .+ (?:have|own|hold|employ|serve|run|operate)\b|\b(?:are|were) there\b|\bworks? (?:at|for|in)\b|\b(?:has|have) [^,]+$|\bnumber of\b/i;
/** Irregular plurals; others end in s. */
const PLURAL = /^(?:people|men|women|children|staff|.*[^isu]s)$/i;

/** Undefined for a question that counts nothing. */
export function countedBy(text: string): Counted | undefined {
  const match = HOW_MANY.exec(text);
  const thing = words(match?.[1] ?? match?.[2] ?? "");
  // "sales people": the last of those that stand together; "customers it serves": not what comes later.
  const first = thing.findIndex((word) => PLURAL.test(word));
  const after = first === -1 ? -1 : thing.findIndex((word, at) => at > first && !PLURAL.test(word));
  const noun = first === -1 ? thing.at(-1) : thing.at(after - 1 < first ? -1 : after - 1);
  if (noun === undefined) return undefined;
  return { noun: wordKey(noun), thing: new Set(thing.map(wordKey)), stock: STOCK.test(text) };
}

/** Words between a figure and the noun it counts: "412 full-time employees". */
const MOST_BETWEEN = 3;
/** Behind one of them the figure counts something else: "5 percent of the stations", "EUR 5 per station". */
const APART =
  /^(?:percent|per|of|in|for|to|from|at|by|and|or|with|on|than|times|a|the|have|has|had|is|are|was|were|will|may|can)$/;
/** "In 2025 employees used": no count. */
const YEAR = /\b(?:in|of|since|until|for|from|year) (?:19|20)\d{2}$/i;
const WORDED = /\b(?:thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\b(?!-)/gi;
/** What came, went or is to come: no count of what there is. */
const FLOW = /\b(?:bought|delivered|hired|lost|reached|sold)\s+(?:\S+\s+){0,2}$/i;
/** Counts a part of them: "34 employees in support", but not "640 customers in 2025". */
const PART = /^\s+(?:in(?! (?:19|20)\d\d)|with|who|that|on|of|from)\b|^\s+(?:at(?! the end)|under)\b/i;
/** What such a count is worth beside one of them all, and one of a kind of them that the question does not name. */
const OF_A_PART = 0.7;
const OF_A_KIND = 0.85;

/**
 * How well a sentence counts the thing: 0 where no figure in it does, 1 where one counts just that. In the
 * row of a table the thing is its first cell or the head of a column.
 */
export function countIn(text: string, counted: Counted, isRow: boolean): number {
  if (isRow) return countInRow(text, counted);
  const figures = [
    ...findFigures(text).map(({ start, text: said }) => ({ start, end: start + said.length })),
    ...[...text.matchAll(WORDED)].map(({ 0: said, index }) => ({ start: index, end: index + said.length })),
  ];
  return Math.max(0, ...figures.map((figure) => countAt(text, figure, counted)));
}

function countAt(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  { noun, thing, stock }: Counted,
): number {
  if (YEAR.test(text.slice(0, end))) return 0;
  const [, following = ""] = /^([\p{L}\p{N}\s'’-]*)/u.exec(text.slice(end)) ?? [];
  const next = [...following.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, MOST_BETWEEN + 1);
  const at = next.findIndex(([word]) => wordKey(word.toLowerCase()) === noun);
  const between = next.slice(0, Math.max(0, at)).map(([word]) => word.toLowerCase());
  if (at === -1 || between.some((word) => APART.test(word))) return 0;
  if (stock && FLOW.test(text.slice(0, start))) return 0;
  const [word = ""] = next[at] ?? [];
  const rest = following.slice((next[at]?.index ?? 0) + word.length);
  const part = stock && PART.test(rest) ? OF_A_PART : 1;
  return between.every((one) => thing.has(wordKey(one))) ? part : part * OF_A_KIND;
}

/** `Employees at year end – 2024: 371; 2025: 412.` and `Havn – Stations: 6; Events: 10.` */
function countInRow(text: string, { noun }: Counted): number {
  const [label = "", told = ""] = text.replace(/\.$/, "").split(" – ", 2);
  const isThing = (said: string): boolean => words(said).map(wordKey).includes(noun);
  const cells = told.split("; ").map((cell) => cell.split(": ", 2));
  const counts = cells.some(
    ([head = "", value = ""]) => /^[\d\s.,]+$/.test(value) && (isThing(label) || isThing(head)),
  );
  return counts ? 1 : 0;
}
