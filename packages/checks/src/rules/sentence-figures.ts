import type { DerivedFigure } from "@troupe/core";

import type { Claim, HeldFigure, Missing } from "../claim.ts";
import { holdsToken } from "../evidence/evidence.ts";
import type { Passage, PassageRow } from "../evidence/passage.ts";
import { cellsNear, type Table } from "../evidence/table.ts";
import { fold } from "../text/fold.ts";
import { isFunctionWord } from "../text/language.ts";
import { significantDigits, valueOf, type Figure } from "../text/numbers.ts";
import type { Budget, Derivation } from "./arithmetic.ts";
import { cellAt } from "./answer-columns.ts";
import { findAssumption } from "./assumption.ts";
import { dateScope, isRelativeYear } from "./dates.ts";
import { derive, deriveFromNamed, type DeriveContext } from "./derive.ts";
import { standsAmongTimes, wholeDuration } from "./durations.ts";
import { lastDigit, standsInPassage, standsInTable, standsScaled, type Match } from "./figures.ts";
import { wrongMultiples } from "./multiples.ts";
import { ofOtherColumns } from "./other-columns.ts";
import { ofOtherRows } from "./other-rows.ts";
import { isNamed } from "./named-operands.ts";
import { sharedScale } from "./shared-scale.ts";
import { perNumbers } from "./table-groups.ts";

export interface FigureOptions {
  readonly bound: number;
  /** The bound for a figure whose operands the model did not name. */
  readonly boundUnnamed: number;
  readonly budget: Budget;
  readonly named: readonly DerivedFigure[];
}

export interface FigureCheck {
  readonly missing: readonly Missing[];
  readonly held: readonly HeldFigure[];
  readonly derivedCount: number;
  /** Figures that were compared, small counts left out. */
  readonly compared: number;
}

interface OpenFigure {
  readonly figure: Figure;
  readonly match: Match;
  readonly isCount: boolean;
}

/** A figure may be computed from one that is computed after it, and so on. */
const MAX_PASSES = 4;
/** Open figures that are tried again after the others. */
const MAX_SECOND_PASS = 24;
const MAX_EXACT = 4;

/** Cells of results that a figure may be rounded from. */
function exactValues(figure: Figure, claim: Claim): Pick<HeldFigure, "exact"> {
  const value = valueOf(figure);
  const [reading] = figure.readings;
  if (reading === undefined || figure.isWord) return {};
  const tolerance = Math.max(lastDigit(reading, figure), Number.EPSILON);
  const values = claim.evidence.tables.flatMap((table) =>
    cellsNear(table, value, tolerance).map((cell) => Math.abs(cell.value)),
  );
  for (const other of claim.cited.flatMap(({ figures }) => figures))
    if (!other.isYear && Math.abs(valueOf(other) - value) <= tolerance) values.push(valueOf(other));
  const exact = [...new Set(values)].filter((one) => one !== value).slice(0, MAX_EXACT);
  return exact.length === 0 ? {} : { exact };
}

/**
 * A sentence that names a row of a passage speaks of that row. Where one of its figures is in the row, the others may be
 * in rows that it names in other words.
 */
function withRows(claim: Claim): Claim {
  if (claim.segment.kind === "row" || claim.facts.figures.length < 2) return claim;
  const passageRows = new Map(
    [...claim.passageRows].filter(
      ([passage, rows]) => !claim.facts.figures.some((figure) => standsInRows(figure, passage, rows)),
    ),
  );
  return { ...claim, passageRows };
}

function standsInRows(figure: Figure, passage: Passage, rows: ReadonlySet<PassageRow>): boolean {
  const ofRows = passage.figures.filter(({ row }) => row !== undefined && rows.has(row));
  return !figure.isYear && standsInPassage(figure, passage, rows, ofRows) === "match";
}

/** `12` of `12 × £38.50`. */
function isFactor({ unit, readings, end }: Figure, text: string): boolean {
  const [reading] = readings;
  const isSmall = reading !== undefined && Number.isInteger(reading.value) && reading.value <= MAX_FACTOR;
  return isSmall && unit === undefined && /^\s?[×·*]\s?[\p{Sc}\d]/u.test(text.slice(end, end + 5));
}

const MAX_FACTOR = 31;

/** Compares every figure of a sentence with its evidence, and recomputes those that stand in none. */
export function checkFigures(
  whole: Claim,
  isInQuote: (at: number) => boolean,
  options: FigureOptions,
): FigureCheck {
  const claim = withRows(whole);
  const references = perNumbers(claim.text);
  const figures = claim.facts.figures.filter(
    (figure) =>
      !isInQuote(figure.start) &&
      !references.some((one) => one.end === figure.end) &&
      !isFactor(figure, claim.text),
  );
  const held: HeldFigure[] = [];
  const missing: Missing[] = [];
  const open: OpenFigure[] = [];
  let compared = 0;
  for (const figure of figures) {
    const isCount = isSmallCount(figure, claim);
    if (!isCount && (!figure.isYear || claim.isCited)) compared++;
    if (figure.isYear) {
      if (standsAsYear(figure, claim)) continue;
      if (claim.isCited) missing.push({ kind: "date", raw: figure.raw });
      else open.push({ figure, match: undefined, isCount });
      continue;
    }
    const found = lookUp(figure, claim);
    if (found.match === "match")
      held.push({ figure: found.figure, derived: false, isCount, ...exactValues(found.figure, claim) });
    else if (found.match === "unit" || !standsWithItsWord(figure, claim))
      open.push({ figure, match: found.match, isCount });
  }
  const earlier: Derivation[] = [];
  let derivedCount = 0;
  let rest: readonly OpenFigure[] = open;
  // A figure may be derived from another one that is derived after it: `6.2 % more than 5.04 million`.
  for (let pass = 0; pass < MAX_PASSES && rest.length > 0; pass++) {
    const before = rest.length;
    if (pass > 0 && before > MAX_SECOND_PASS) break;
    rest = rest.filter(({ figure, match, isCount }) => {
      if (claim.computedCells.has(cellAt(claim.text, figure.start))) {
        derivedCount++;
        held.push({ figure, derived: true, isCount });
        return false;
      }
      if (isCount && countsSomething(figure, claim, held)) {
        derivedCount++;
        return false;
      }
      const derivation = deriveOpen(figure, match, isCount, { claim, held, earlier, ...options });
      if (derivation === undefined) return true;
      derivedCount++;
      const exact = derivation.value === undefined ? {} : { exact: [derivation.value] };
      if (!isCount) held.push({ figure, derived: true, isCount, ...exact });
      earlier.push(derivation);
      return false;
    });
    if (rest.length === before) break;
  }
  missing.push(...ofOtherRows(claim, held), ...ofOtherColumns(claim, held));
  const assumed = findAssumption(rest, claim);
  for (const { figure, match, isCount } of assumed === undefined ? rest : [])
    if (!isCount || !mayCount(figure, claim))
      missing.push({ kind: match === "unit" ? "unit" : "figure", raw: figure.raw });
  return { missing: [...missing, ...wrongMultiples(claim, held)], held, derivedCount, compared };
}

/** With another unit or scale the number is most likely wrong: it takes a far better reason to count as derived. */
function deriveOpen(
  figure: Figure,
  match: Match,
  isCount: boolean,
  { boundUnnamed, ...context }: DeriveContext & FigureOptions,
): Derivation | undefined {
  // Nearly any result is within `tens of thousands`.
  if ((figure.readings[0]?.decimals ?? 0) < 0) return undefined;
  const named = deriveFromNamed(figure, context);
  if (named !== undefined) return named;
  if (match === "unit" && figure.scale > 1) return undefined;
  const hasOtherUnit = match === "unit";
  const bound = isNamed(figure, context) ? context.bound : boundUnnamed;
  const found = derive(figure, isCount, {
    ...context,
    bound: hasOtherUnit ? bound / 2 : bound,
    hasOtherUnit,
  });
  if (found !== undefined) return found;
  const whole = wholeDuration(figure, context.claim);
  if (whole === undefined) return undefined;
  const stands =
    inPassages(whole, [...context.claim.cited, ...context.claim.evidence.given], context.claim) === "match";
  return stands
    ? { operation: "sum", space: "a duration in parts" }
    : derive(whole, isCount, { ...context, bound });
}

/** A number word up to twelve without a unit counts things; beside results also one of time. */
function isSmallCount(figure: Figure, claim: Claim): boolean {
  if (!figure.isWord || figure.scale !== 1 || (figure.readings[0]?.value ?? 0) > 12) return false;
  return figure.unit === undefined || (figure.unit.dimension === "time" && !claim.isCited);
}

function standsAsYear(figure: Figure, claim: Claim): boolean {
  const year = figure.readings[0]?.value ?? 0;
  return (
    dateScope(claim).some(({ years }) => years.has(year)) ||
    inPassages(figure, claim.cited, claim) === "match" ||
    isRelativeYear(year, claim) ||
    isYearBesidePrevious(year, claim) ||
    inTables(figure, claim.evidence.tables, claim) === "match"
  );
}

/** `at year-end (2024: 2,187)` of a report on 2025. */
function isYearBesidePrevious(year: number, { cited }: Claim): boolean {
  return cited.some(
    ({ source, years }) => !years.has(year + 1) && new RegExp(`\\(${year - 1}:`).test(source),
  );
}

function inPassages(figure: Figure, passages: readonly Passage[], claim: Claim): Match {
  let best: Match;
  for (const passage of passages) {
    const match = standsInPassage(figure, passage, claim.passageRows.get(passage));
    if (match === "match" || standsAmongTimes(figure, passage)) return "match";
    best ??= match;
  }
  return best;
}

function inTables(figure: Figure, tables: readonly Table[], claim: Claim): Match {
  let best: Match;
  for (const table of tables) {
    const match = standsInTable(figure, table, claim);
    if (match === "match" || standsInTexts(figure, table) || standsScaled(figure, table, claim))
      return "match";
    best ??= match;
  }
  return best;
}

/** `12.04` of the cell "12.04 LTS", `40 W` of "LED panel 40 W". */
function standsInTexts(figure: Figure, { texts }: Table): boolean {
  const value = valueOf(figure);
  const same = texts.figures.filter((other) => valueOf(other) === value);
  if (figure.unit === undefined && value < 10) return false;
  // `30- to 44-year-olds` of the label "30-44"
  if (figure.unit?.dimension === "time" && same.some(({ unit }) => unit === undefined)) return true;
  return standsInPassage(figure, texts, undefined, same) === "match";
}

interface Found {
  readonly match: Match;
  /** With the scale and unit of a figure beside it, where it shares them. */
  readonly figure: Figure;
}

function lookUp(figure: Figure, claim: Claim): Found {
  const { isCited, cited, citedTables, evidence } = claim;
  const given = hasOtherMultiple(figure, cited) ? [] : evidence.given;
  if (given.length < evidence.given.length && !hasNumber(figure, cited, true))
    return { match: "unit", figure };
  let match = inPassages(figure, [...(isCited ? cited : []), ...given], claim);
  if (match !== "match" && isCited) match = inTitles(figure, cited) ?? match;
  if (match !== "match") {
    const found = inTables(figure, tablesFor(figure, claim), claim);
    match = found === "match" ? found : (match ?? found);
  }
  // Cited passages and results: a figure of three digits may also stand in another result.
  if (match !== "match" && cited.length > 0 && citedTables.length > 0 && significantDigits(figure) >= 3)
    if (inTables(figure, evidence.tables, claim) === "match") match = "match";
  if (match !== "match" && areSeveralNumbers(figure, claim)) match = "match";
  if (match === "match" || figure.scale !== 1 || figure.isWord) return { match, figure };
  const shared = withSharedUnit(figure, claim);
  if (shared !== undefined) return { match: "match", figure: shared };
  return standsLiterally(figure, cited) ? { match: "match", figure } : { match, figure };
}

/** `32 MiB` where the cited passage has `32 KiB`: a number that the person gave is then something else. */
function hasOtherMultiple(figure: Figure, cited: readonly Passage[]): boolean {
  const { unit } = figure;
  return unit !== undefined && unit.dimension !== "time" && hasNumber(figure, cited, false);
}

/** Whether a cited passage has the number in the dimension of the figure, with its multiple of the unit or another. */
function hasNumber({ unit, readings }: Figure, cited: readonly Passage[], hasSameMultiple: boolean): boolean {
  return cited.some(({ figures }) =>
    figures.some(
      (other) =>
        other.unit?.dimension === unit?.dimension &&
        (other.unit?.factor === unit?.factor) === hasSameMultiple &&
        other.readings[0]?.value === readings[0]?.value,
    ),
  );
}

function inTitles(figure: Figure, cited: readonly Passage[]): Match {
  const stands = cited.some(
    (passage) => standsInPassage(figure, passage, undefined, passage.titleFigures) === "match",
  );
  return stands ? "match" : undefined;
}

/** A sentence that cites passages uses results only by a row it names, or for a figure of three digits. */
function tablesFor(figure: Figure, { isCited, citedTables, evidence, namedRows }: Claim): readonly Table[] {
  if (citedTables.length > 0) return citedTables;
  return !isCited || significantDigits(figure) > 3 || namedRows.size > 0 ? evidence.tables : [];
}

/** `6 674 MiB` of a listing: 6 and 674 side by side, not 6674. */
function areSeveralNumbers(figure: Figure, claim: Claim): boolean {
  return (
    figure.groups?.every((group) => {
      const part = { ...figure, readings: [{ value: Number(group.replace(",", ".")), decimals: 0 }] };
      return inPassages(part, claim.cited, claim) === "match";
    }) === true
  );
}

/** `1.1 of 1.9 billion`: the first one is in billions too. */
function withSharedUnit(figure: Figure, claim: Claim): Figure | undefined {
  const shared = sharedScale(figure, claim);
  if (shared === undefined) return undefined;
  const { isCited, cited, citedTables, evidence } = claim;
  const tables = !isCited || citedTables.length > 0 ? evidence.tables : [];
  const stands =
    inPassages(shared, [...cited, ...evidence.given], claim) === "match" ||
    inTables(shared, tables, claim) === "match";
  return stands ? shared : undefined;
}

/** Digits with a separator that stand in a passage as they are written, whatever they mean. */
function standsLiterally(figure: Figure, cited: readonly Passage[]): boolean {
  const raw = figure.raw.trim();
  // `chokidar 4` where the passage says v4.
  if (/^\d{1,3}$/.test(raw)) return cited.some((passage) => holdsToken(passage, `v${raw}`));
  if (raw.length < 3 || !/[.,]/.test(raw)) return false;
  // Where it was read as a figure, its row and unit were compared.
  const isRead = ({ figures }: Passage): boolean =>
    figures.some((other) => other.raw.trim() === raw || valueOf(other) === valueOf(figure));
  const token = new RegExp(`(?<![\\d.,])${raw.replace(/[.]/g, "\\.")}(?![.,]?\\d)`);
  return cited.some((passage) => !isRead(passage) && token.test(passage.folded));
}

/** `Model 3`, `64-bit`: a number that stands in the evidence with the word before it. */
function standsWithItsWord(figure: Figure, claim: Claim): boolean {
  if (figure.unit !== undefined || figure.scale !== 1) return false;
  const word = /(\p{L}[\p{L}-]{0,40})\s$/u.exec(
    claim.text.slice(Math.max(0, figure.start - 42), figure.start),
  )?.[1];
  if (word === undefined || isFunctionWord(fold(word))) return false;
  const scope = claim.isCited
    ? [...claim.cited, ...claim.evidence.tables]
    : [...claim.evidence.tables, ...claim.evidence.given];
  const named = `${fold(word)} ${fold(figure.raw)}`.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const stands = new RegExp(`${named}(?![.,]?\\d|\\s(?:million|billion|milliard|mio|mrd)|\\p{L})`, "u");
  return scope.some(({ folded }) => stands.test(folded));
}

/** Whether a small count is the number of things that the sentence, the rows or the citations show. */
function countsSomething(figure: Figure, claim: Claim, held: readonly HeldFigure[]): boolean {
  const { evidence, namedRows, marks, cited, text, facts } = claim;
  const value = figure.readings[0]?.value ?? 0;
  const counts = [
    marks.length,
    cited.length,
    evidence.passages.length,
    facts.identifiers.length,
    (text.match(/,|\s(?:and|und|et|y|e|en|&)\s/g)?.length ?? 0) + 1,
    ...evidence.tables
      .filter((table) => namedRows.size === 0 || namedRows.has(table))
      .map(({ rowCount }) => rowCount),
    Math.max(0, ...[...namedRows.values()].map((rows) => rows.length)),
  ];
  return counts.includes(value) || isShareInWords(figure, claim, held);
}

/** `seven of every eight` beside 87.5 %. */
function isShareInWords(figure: Figure, claim: Claim, held: readonly HeldFigure[]): boolean {
  const mate = claim.facts.figures.find(
    (other) => other !== figure && isSmallCount(other, claim) && Math.abs(other.start - figure.start) < 32,
  );
  if (mate === undefined) return false;
  const [a, b] = [valueOf(figure), valueOf(mate)];
  const values = held.filter((other) => !other.isCount).map(({ figure: other }) => valueOf(other));
  const isRatio = values.some((x) =>
    values.some((y) => y > x && Math.abs(x / y - Math.min(a / b, b / a)) < 0.025),
  );
  if (isRatio) return true;
  const percentages = [
    ...held.map((one) => one.figure),
    ...claim.cited.flatMap(({ figures }) => figures),
  ].filter(({ unit }) => unit?.dimension === "percent");
  return percentages.some((one) =>
    [a / b, b / a].some((share) => Math.abs(share * 100 - valueOf(one)) <= 2.5),
  );
}

/** Small counts that cannot be told: among the rows of a result, or the items that a passage lists. */
function mayCount(figure: Figure, claim: Claim): boolean {
  const value = figure.readings[0]?.value ?? 0;
  const { cited, evidence, facts } = claim;
  if (!claim.isCited) {
    const onlyCounts = facts.dates.length === 0 && facts.figures.every((other) => isSmallCount(other, claim));
    return onlyCounts || evidence.tables.some(({ rowCount }) => value <= rowCount);
  }
  return cited.some(({ source }) => {
    const items = source
      .split("\n")
      .filter((line) => /^\s{0,8}(?:[-*|•]|\d{1,3}\.)|\s\|\s/.test(line)).length;
    const listed = (source.match(/,|\s(?:and|und|et)\s/g)?.length ?? 0) + 1;
    return items >= value || (listed >= value && value <= 4);
  });
}
