import type { CheckFinding, FindingKind, SentenceCheck } from "@troupe/stream";

import type { Claim, HeldFigure, Missing } from "./claim.ts";
import { holdsToken, STEM_LENGTH } from "./evidence/evidence.ts";
import type { EvidenceText, Passage } from "./evidence/passage.ts";
import type { Table } from "./evidence/table.ts";
import type { Budget } from "./rules/arithmetic.ts";
import {
  dateScope,
  isComputedDate,
  isInRelativeYear,
  isOfOtherLine,
  standsAsDate,
  standsAsTime,
  wrongPeriods,
  wrongWeekdays,
} from "./rules/dates.ts";
import { standsInPassage } from "./rules/figures.ts";
import { isNamedMoment } from "./rules/named-operands.ts";
import { nameScope, standsAsIdentifier, unknownName } from "./rules/names.ts";
import { likelierPassage } from "./rules/page.ts";
import { checkQuotes } from "./rules/quotes.ts";
import { checkFigures, type FigureOptions } from "./rules/sentence-figures.ts";
import { readFacts, type TimeMention } from "./text/facts.ts";
import { fold, type Span } from "./text/fold.ts";
import { isFunctionWord } from "./text/language.ts";
import { significantDigits, valueOf } from "./text/numbers.ts";
import { unitInText } from "./text/units.ts";

export interface SentenceResult {
  /** Undefined where the sentence makes no claim that could be compared. */
  readonly check: SentenceCheck | undefined;
  readonly held: readonly HeldFigure[];
}

/** For text beyond the limits, which would otherwise look as if it had been compared. */
export const TOO_LONG: CheckFinding = { kind: "figure", detail: "too long to compare" };

/** Checks one sentence. It gets one finding at most: the first is the one to correct. */
export function checkSentence(claim: Claim, options: FigureOptions): SentenceResult {
  const finding = (kind: FindingKind, detail: string): SentenceResult => ({
    check: { sentence: claim.segment.raw, status: "finding", finding: { kind, detail } },
    held: [],
  });
  const unknown = [...new Set(claim.segment.unknown)].slice(0, MAX_NAMED);
  if (unknown.length > 0) return finding("unknown", `[${unknown.join(", ")}]`);
  const isHead = claim.segment.kind === "head";
  if ((isHead && claim.facts.figures.length === 0) || !/[\p{L}\p{N}]/u.test(claim.text))
    return { check: undefined, held: [] };

  const quotes = checkQuotes(claim);
  if (quotes.missing !== undefined) return finding("quote", quotes.missing.words);
  const isInQuote = (at: number): boolean => quotes.held.some(({ start, end }) => at >= start && at < end);
  const dates = missingDates(claim, isInQuote, options);
  const figures = checkFigures(claim, isInQuote, options);
  const values = [...dates, ...figures.missing, ...(isHead ? [] : missingUnitWords(claim))];
  const missing = values.length > 0 || isHead ? values : missingToken(claim, isInQuote, options);
  const compared =
    figures.compared + claim.facts.dates.length + claim.facts.identifiers.length + claim.facts.times.length;

  const found =
    missingFinding(claim, missing, options.budget) ??
    (isHead ? undefined : nameFinding(claim, isInQuote)) ??
    uncitedFinding(claim, figures.held.length + figures.derivedCount + quotes.held.length) ??
    pageFinding(claim, figures.held.filter(isTelling).length + quotes.held.length) ??
    (claim.isCut ? TOO_LONG : undefined);
  if (found !== undefined) return { ...finding(found.kind, found.detail), held: figures.held };
  const { raw: sentence } = claim.segment;
  if (figures.derivedCount > 0) return { check: { sentence, status: "derived" }, held: figures.held };
  const makesClaim = compared > 0 || quotes.held.length > 0 || claim.segment.marks.length > 0;
  return { check: makesClaim ? { sentence, status: "verified" } : undefined, held: figures.held };
}

/** A figure of one digit stands in nearly any passage. */
function isTelling({ figure }: HeldFigure): boolean {
  return significantDigits(figure) > 1;
}

function missingDates(
  claim: Claim,
  isInQuote: (at: number) => boolean,
  { named, budget }: FigureOptions,
): readonly Missing[] {
  const scope = dateScope(claim);
  return claim.facts.dates
    .filter(
      (date) =>
        !isInQuote(date.start) &&
        ((claim.facts.dates.length === 1 && isOfOtherLine(date, claim)) ||
          (!scope.some((text) => standsAsDate(date, text, claim.language)) &&
            !isComputedDate(date, claim) &&
            !isInRelativeYear(date, claim))) &&
        !isNamedMoment(date.raw, { claim, named, budget }),
    )
    .map(({ raw }): Missing => ({ kind: "date", raw }))
    .concat([...wrongWeekdays(claim), ...wrongPeriods(claim)].map((raw) => ({ kind: "date", raw })));
}

/** The first identifier or time of day that the evidence does not have. */
function missingToken(
  claim: Claim,
  isInQuote: (at: number) => boolean,
  { named, budget }: FigureOptions,
): readonly Missing[] {
  const { facts, cited, evidence } = claim;
  const scope = nameScope(claim);
  const texts = [...cited, ...evidence.given];
  const isKnownTime = (time: TimeMention): boolean =>
    texts.some(
      (text) => standsAsTime(time, text, text.times) || (time.mayBeDuration && isSpan(time, text)),
    ) ||
    evidence.tables.some(
      (table) => standsAsTime(time, table, table.texts.times) || standsAsHours(time, table),
    );
  const isShifted = (time: TimeMention): boolean =>
    ZONE.test(claim.text) &&
    facts.times.some((other) => other !== time && isKnownTime(other) && isZoneShift(time, other));
  const isOpen = (span: Span): boolean => !isInQuote(span.start);
  const token = unknownCode(claim, [...claim.evidence.passages, ...scope]);
  if (token !== undefined) return [{ kind: "name", raw: token }];
  const identifier = facts.identifiers.find((one) => isOpen(one) && !standsAsIdentifier(one, scope));
  if (identifier !== undefined) return [{ kind: "name", raw: identifier.raw }];
  const time = facts.times.find(
    (one) =>
      isOpen(one) &&
      !isKnownTime(one) &&
      !isShifted(one) &&
      !isNamedMoment(one.raw, { claim, named, budget }),
  );
  return time === undefined ? [] : [{ kind: "date", raw: time.raw }];
}

/** A name in a code span, such as `py-polars`, that stands in none of the evidence. */
function unknownCode({ segment }: Claim, scope: readonly EvidenceText[]): string | undefined {
  const spans = [...segment.raw.matchAll(/`([\p{L}_@.-][\p{L}_@./:-]{2,60})(?:\(\))?`/gu)].map(
    ([, code = ""]) => code,
  );
  return spans.find((code) => {
    const name = fold(code).replace(/^[-.]+|[.:]+$/g, "");
    return (
      scope.some(({ source }) => source.includes("`")) && !scope.some((text) => text.folded.includes(name))
    );
  });
}

const ZONE = /(?<!\p{L})(?:UTC|GMT|CES?T|MES?Z|[ECMP][SD]T|BST|local|Ortszeit|locale)(?!\p{L})/u;

/** `16:00 CEST (14:00 UTC)`: apart by whole or half hours. */
function isZoneShift(a: TimeMention, b: TimeMention): boolean {
  return (a.minutes - b.minutes) % 30 === 0 && a.minutes !== b.minutes;
}

/** `2 h 15` as a cell 2.25 of a column in hours, or 135 in minutes. */
function standsAsHours({ minutes, mayBeDuration }: TimeMention, { cells, columns }: Table): boolean {
  return (
    mayBeDuration &&
    cells.some(({ value, column }) => {
      const unit = columns[column]?.unit;
      return unit?.dimension === "time" && Math.abs((value * unit.factor) / 60 - minutes) < 0.5;
    })
  );
}

/** Whether `1 h 02` is the time between two times that a line of the passage has. */
function isSpan({ minutes }: TimeMention, { times, source }: Passage): boolean {
  return times.some((from, index) =>
    times
      .slice(index + 1, index + 8)
      .some(
        (to) =>
          (to.minutes - from.minutes + 1440) % 1440 === minutes &&
          !source.slice(from.end, to.start).includes("\n"),
      ),
  );
}

/** A unit in words without a figure (`in litres`), where the passage has the dimension in other units only. */
function missingUnitWords({ facts, cited }: Claim): readonly Missing[] {
  if (cited.length === 0) return [];
  const missing: Missing[] = [];
  // `cubic metre`, `mètre carré`: a unit of another dimension.
  const rest = facts.rest.replace(
    /(?:square|cubic|quadrat|kubik)[ -]?\p{L}{4,20}|\p{L}{4,20} (?:carr[ée]|cube|cuadrado|c[úu]bico|quadrat|cubi|quadrad)\p{L}{0,3}/giu,
    " ",
  );
  for (const word of new Set(rest.match(/(?<!\p{L})\p{L}{4,20}(?!\p{L})/gu) ?? [])) {
    const unit = unitInText(word);
    if (unit === undefined || !["length", "mass", "volume"].includes(unit.dimension)) continue;
    const isOther = cited.some(({ dimensions }) => dimensions.has(unit.dimension));
    const isKnown = cited.some(({ dimensions }) => dimensions.has(`${unit.dimension} ${unit.factor}`));
    const hasFigure = facts.figures.some((figure) => figure.unit?.dimension === unit.dimension);
    if (isOther && !isKnown && !hasFigure) missing.push({ kind: "unit", raw: word });
  }
  return missing;
}

/** Characters of a passage that are quoted on each side of a figure. */
const MAX_QUOTED = 40;
/** Missing figures that a finding names. */
const MAX_NAMED = 6;

function missingFinding(claim: Claim, missing: readonly Missing[], budget: Budget): CheckFinding | undefined {
  const first = missing.find(({ kind }) => kind === "unit") ?? missing[0];
  if (first === undefined) return undefined;
  const raws = missing.filter(({ kind }) => kind === first.kind).map(({ raw }) => raw);
  const isAlone = raws.length === 1 && !claim.inherited && budget.lookups-- > 0;
  const other = isAlone ? passageThatHas(first.raw, claim) : undefined;
  const isPart = (raw: string): boolean => raws.some((other) => other !== raw && other.includes(raw));
  const named = [...new Set(raws)]
    .filter((raw) => !isPart(raw))
    .slice(0, MAX_NAMED)
    .join(", ");
  const detail =
    other === undefined
      ? named
      : `${named}; found in [${other.id}]: "${wordsAround(first.raw, other, claim)}"`;
  if (claim.isCited) return { kind: first.kind, detail };
  if (claim.evidence.tables.length === 0 || first.kind === "name") return { kind: "uncited", detail };
  return { kind: first.kind === "figure" ? "figure-in-no-result" : first.kind, detail };
}

/** A passage that is not cited, shares a word with the sentence, and has the missing value. */
function passageThatHas(
  raw: string,
  { evidence, cited, language, locale, words }: Claim,
): Passage | undefined {
  const { dates, times, identifiers, figures } = readFacts(raw, { language: locale, strict: true });
  // A weekday, a name in a code span or a multiple such as `doubled` is not looked up.
  if (dates.length + times.length + identifiers.length + figures.length === 0) return undefined;
  const stems = words
    .split(" ")
    .flatMap((word) => (word.length > 3 && !isFunctionWord(word) ? [word.slice(0, STEM_LENGTH)] : []));
  const isAboutTheSame = (passage: Passage): boolean =>
    stems.some((stem) => passage.words.includes(` ${stem}`));
  return evidence.passages.find(
    (passage) =>
      !cited.includes(passage) &&
      isAboutTheSame(passage) &&
      figures.every((figure) => standsInPassage(figure, passage) === "match") &&
      dates.every((date) => standsAsDate(date, passage, language)) &&
      times.every((time) => standsAsTime(time, passage, passage.times)) &&
      identifiers.every(({ folded }) => holdsToken(passage, folded)),
  );
}

/** The words of its line around a value, so that the reader sees whether it is about the same thing. */
function wordsAround(raw: string, { source, figures }: Passage, { locale }: Claim): string {
  const [figure] = readFacts(raw, { language: locale, strict: true }).figures;
  const found = figures.find((other) => figure !== undefined && valueOf(other) === valueOf(figure));
  const at = found?.start ?? Math.max(0, source.toLowerCase().indexOf(raw.toLowerCase()));
  const end = found?.end ?? at + raw.length;
  const newline = source.indexOf("\n", end);
  const from = source.lastIndexOf("\n", Math.max(0, at - 1)) + 1;
  const to = newline === -1 ? source.length : newline;
  const isWhole = at - from <= MAX_QUOTED;
  const before = source.slice(Math.max(from, at - MAX_QUOTED), at).replace(/^\S*\s/, isWhole ? "$&" : "");
  const rest = source.slice(end, Math.min(to, end + MAX_QUOTED));
  const after = to - end <= MAX_QUOTED ? rest : rest.replace(/\s\S*$/, "");
  return `${before}${source.slice(at, end)}${after}`.replaceAll(/\s+/g, " ").trim();
}

function nameFinding(claim: Claim, isInQuote: (at: number) => boolean): CheckFinding | undefined {
  const name = unknownName(claim, isInQuote);
  if (name === undefined) return undefined;
  return { kind: claim.isCited || claim.evidence.tables.length > 0 ? "name" : "uncited", detail: name };
}

function isTitle({ segment }: Claim): boolean {
  return segment.kind === "heading" || segment.kind === "head";
}

/** Figures, dates or identifiers without a citation, in a run without results. */
function uncitedFinding(claim: Claim, held: number): CheckFinding | undefined {
  if (claim.isCited || held > 0 || isTitle(claim) || claim.evidence.tables.length > 0) return undefined;
  const { dates, identifiers, figures } = claim.facts;
  const given = claim.evidence.given;
  const isGiven =
    dates.every((date) => given.some((text) => standsAsDate(date, text, claim.language))) &&
    identifiers.every((one) => standsAsIdentifier(one, given));
  const facts = dates.length + identifiers.filter(({ raw }) => !raw.endsWith(")")).length;
  const numbers = figures.filter((figure) => !figure.isWord && !figure.isYear).length;
  return (facts > 0 && !isGiven) || numbers > 0 ? { kind: "uncited", detail: "no citation" } : undefined;
}

/** Where nothing else was compared: another passage reads like the sentence, the cited one does not. */
function pageFinding(claim: Claim, held: number): CheckFinding | undefined {
  const { cited, inherited, facts } = claim;
  if (cited.length === 0 || inherited || held > 0 || facts.dates.length + facts.identifiers.length > 0)
    return undefined;
  const passage = likelierPassage(claim);
  return passage === undefined ? undefined : { kind: "page", detail: `reads like [${passage.id}]` };
}
