import { asPeriod, periodsIn, type Period } from "./period.ts";
import { oneLine } from "./phrase.ts";

/** What a few words put in the place of what a request named, or beside it. */
export interface Variation {
  /** With its preposition, where it has one: "for 2025", "by product", "the Nordics". */
  readonly what: string;
  /** `only`: a part of what was asked. `other`: something else in its place. */
  readonly how: "only" | "other";
}

const PREPOSITION = /^(?:for|in|of|from|about|on|with|at|to)(?=\s)/i;
const NOT = /^(?:not|excluding|except(?: for)?|without|but not)\s/i;
const GROUPING = /^(?:by|per)\s/i;
/** What rows are grouped by, no measure that they are ranked by. */
const GROUPED =
  /\b(?:by|per)\s+(?!(?:revenue|sales|turnover|units?|quantity|amount|value|price|volume|number|count)\b)[\p{L}-]+(?:\s+(?:family|segment))?/iu;
/** A preposition and what stands behind it, up to the next one. */
const PHRASE =
  /\b(?<lead>for|in|of|from|about|on|with|at|to)\s+(?<named>(?:(?!(?:for|in|of|from|about|on|with|at|to|by|per|since|during|and|or|but|excluding)\b)[\p{L}\p{N}&'’.-]+\s*){1,5})/giu;
const ARTICLE = /^(?:the|our|an?)\s+/i;

interface Phrase {
  readonly text: string;
  readonly index: number;
  readonly lead: string;
  readonly named: string;
}

/**
 * A request with a variation: "revenue in 2024" and "for 2025" is "revenue in 2025". Undefined where fixed rules
 * cannot tell what it takes the place of: of two years nobody knows which one is meant.
 *
 * @param figures figures are asked for: whatever narrows them may stand at the end
 */
export function varied(asked: string, { what, how }: Variation, figures: boolean): string | undefined {
  const line = oneLine(asked);
  const [, request = line, end = ""] = /^(.*?)([\s.?!]*)$/s.exec(line) ?? [];
  const whole = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : `${text}${end.trim()}`;
  const period = asPeriod(what);
  if (period !== undefined) return whole(withPeriod(request, period));
  if (GROUPING.test(what)) {
    if (!figures) return undefined;
    return whole(GROUPED.test(request) ? request.replace(GROUPED, what) : `${request} ${what}`);
  }
  if (NOT.test(what))
    return figures ? whole(`${request} ${what.replace(/^(?:not|but not)\s/i, "excluding ")}`) : undefined;
  return whole(withNamed(request, { what, how }, figures));
}

function withPeriod(request: string, period: Period): string | undefined {
  const named = periodsIn(request);
  const [one] = named;
  if (one === undefined)
    return `${request} ${period.lead === "" && !isRelative(period) ? "in " : ""}${period.text}`;
  if (new Set(named.map(({ part, year }) => `${part} ${year}`)).size > 1) return undefined;
  const part = period.part ?? (period.year === undefined || one.year === undefined ? undefined : one.part);
  const year = period.year ?? (isRelative(period) ? undefined : one.year);
  // "Since" and "before" say what is meant; "for" says no more than "in".
  const lead = /^(?:since|from|until|before|after)/i.test(period.lead) ? period.lead : undefined;
  return named.reduceRight(
    (text, { index, text: old, ...before }) =>
      `${text.slice(0, index)}${lead ?? plainLead(before, period)}${[part, year].filter((word) => word !== undefined).join(" ")}${text.slice(index + old.length)}`,
    request,
  );
}

/** "Last year" stands without a word before it. */
const isRelative = ({ part = "" }: Pick<Period, "part">): boolean => / (?:year|quarter|month)$/i.test(part);

/** "Since 2023" and "for 2025" is "in 2025". */
function plainLead(before: Pick<Period, "lead" | "part">, { part = "" }: Period): string {
  if (isRelative({ part })) return /^during/i.test(before.lead) ? before.lead : "";
  return isRelative(before) || /^(?:since|from|until|before|after)/i.test(before.lead) ? "in " : before.lead;
}

function withNamed(request: string, { what, how }: Variation, figures: boolean): string | undefined {
  const lead = PREPOSITION.exec(what)?.[0];
  const named = lead === undefined ? what : what.slice(lead.length).trim();
  const phrases = phrasesIn(request);
  const same = phrases.filter((phrase) => phrase.lead.toLowerCase() === lead?.toLowerCase());
  const alike = how === "only" ? [] : phrases.filter((phrase) => isName(phrase.named) && isName(named));
  const about = lead === undefined && !figures ? phrases.filter((one) => /^about$/i.test(one.lead)) : [];
  const places = [same, alike, about].find((some) => some.length > 0) ?? [];
  const [place, ...others] = places;
  if (others.length > 0) return undefined;
  if (place !== undefined) {
    const after = request.slice(place.index + place.text.length);
    return `${request.slice(0, place.index)}${place.lead} ${named}${after === "" ? "" : ` ${after.trim()}`}`;
  }
  // "And utilities?" may be another thing to count as well as a part of what was counted.
  if (lead === undefined && (!figures || (how === "other" && !isName(named)))) return undefined;
  return `${request} ${lead === undefined ? "for " : ""}${what}`;
}

/** Those that name something other than a time. */
function phrasesIn(request: string): readonly Phrase[] {
  return [...request.matchAll(PHRASE)].flatMap(({ 0: text, index, groups = {} }) => {
    const lead = groups["lead"] ?? "";
    const named = (groups["named"] ?? "").trim();
    return named === "" || asPeriod(named) !== undefined || periodsIn(named).some((one) => one.index === 0)
      ? []
      : [{ text, index, lead, named }];
  });
}

const isName = (words: string): boolean => /^\p{Lu}/u.test(words.replace(ARTICLE, ""));
