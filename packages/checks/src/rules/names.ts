import type { Claim } from "../claim.ts";
import { holdsToken, holdsWords } from "../evidence/evidence.ts";
import type { EvidenceText } from "../evidence/passage.ts";
import type { Table } from "../evidence/table.ts";
import type { Identifier } from "../text/facts.ts";
import { blankSpans, foldedWords } from "../text/fold.ts";
import { monthOf, weekdayOf } from "../text/dates.ts";
import { isFunctionWord } from "../text/language.ts";
import { nameRuns, stemOf, type NameWord } from "../text/names.ts";
import { unitInText } from "../text/units.ts";
import { cellsRestated } from "./figures.ts";
import { regionNames, regionOf } from "../text/regions.ts";

/** Forms of address and abbreviations before a name or number. Folded. */
const TITLES =
  "mr mrs ms mx dr prof professor professorin professeur professeure sir dame herr herrn frau mme mlle mm madame monsieur maitre me ing dipl art abs sec no nr fig tab abb vol ch st".split(
    " ",
  );

function isShort(label: string): boolean {
  return label !== "" && label.split(" ").length <= MAX_LABEL_WORDS;
}

const MAX_LABEL_WORDS = 4;

/** Texts in which the names and identifiers of a sentence may stand. */
export function nameScope({
  cited,
  citedTables,
  namedRows,
  fullyNamedRows,
  facts,
  evidence,
}: Claim): readonly EvidenceText[] {
  // Words of long texts in other results would let nearly any name of the subject pass.
  const isUsed = (table: Table): boolean =>
    (fullyNamedRows.get(table) ?? []).some((row) => isShort(table.labels[row] ?? "")) ||
    (namedRows.get(table) ?? []).some(
      (row) =>
        isShort(table.labels[row] ?? "") &&
        facts.figures.some((figure) => cellsRestated(figure, table).some((cell) => cell.row === row)),
    );
  const tables =
    cited.length === 0 || citedTables.length > 0 ? evidence.tables : evidence.tables.filter(isUsed);
  return [...(cited.length > 0 ? cited : evidence.passages), ...tables, ...evidence.given];
}

/** The first name of the sentence that the evidence does not know; undefined where all are known. */
export function unknownName(claim: Claim, isInQuote: (at: number) => boolean): string | undefined {
  const { facts, segment } = claim;
  const spans = [...facts.dates, ...facts.identifiers, ...facts.figures.filter(({ isWord }) => !isWord)];
  const text = blankSpans(claim.text, withoutOverlap(spans), "·");
  const runs = nameRuns(text, segment.kind === "row").map((run) =>
    run.filter(({ start, folded }) => !isInQuote(start) && !TITLES.includes(folded)),
  );
  if (runs.length === 0) return undefined;
  const scope = nameScope(claim);
  const isGerman = claim.language?.startsWith("de") === true;
  for (const whole of runs) {
    const run = joinRegions(whole);
    if (isOfTitles(run, claim.evidence.titles)) continue;
    if (isTranslatedTerm(run, text, claim) || hasAcronym(run, scope)) continue;
    const wrong = isGerman ? undefined : wrongBeforeTail(run, claim);
    if (wrong !== undefined) return wrong;
    for (const [index, word] of run.entries()) {
      const next = run[index + 1];
      const unknown = isGerman
        ? unknownGermanName(word, next, scope)
        : unknownWord(word, next, scope, segment.kind === "row");
      if (unknown !== undefined) return unknown;
    }
  }
  return undefined;
}

/** `Harbour Bakery` in the titles of several documents: whoever all of them are about. */
function isOfTitles(run: readonly NameWord[], titles: ReadonlySet<string>): boolean {
  const name = ` ${run.map(({ folded }) => folded).join(" ")} `;
  return run.length > 1 && [...titles].filter((title) => title.includes(name)).length > 1;
}

/** `the Supervisory Board` where the passages are in another language and say "Aufsichtsrat". */
function isTranslatedTerm(run: readonly NameWord[], text: string, { cited, language }: Claim): boolean {
  const isForeign =
    cited.length > 0 && cited.every((one) => one.language !== undefined && one.language !== language);
  const [first] = run;
  if (first === undefined || !isForeign || run.some(({ folded }) => regionOf(folded) !== undefined))
    return false;
  return (
    /(?:^|[\s(])(?:the|its|their|our|a|la|le|les|l['’]|sa|son)\s?$/iu.test(text.slice(0, first.start)) ||
    /^the /i.test(text.slice(first.start))
  );
}

/** `United States` as one word of a run. */
function joinRegions(run: readonly NameWord[]): readonly NameWord[] {
  const joined: NameWord[] = [];
  for (let at = 0; at < run.length; at++) {
    const length = [4, 3, 2].find((count) => {
      const words = run.slice(at, at + count);
      return words.length === count && regionOf(words.map(({ folded }) => folded).join(" ")) !== undefined;
    });
    const [first, ...rest] = run.slice(at, at + (length ?? 1));
    if (first === undefined) continue;
    const join = (key: "text" | "folded"): string => [first, ...rest].map((word) => word[key]).join(" ");
    joined.push(rest.length === 0 ? first : { ...first, text: join("text"), folded: join("folded") });
    at += rest.length;
  }
  return joined;
}

function withoutOverlap<T extends { readonly start: number; readonly end: number }>(
  spans: readonly T[],
): readonly T[] {
  let at = 0;
  return spans
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < at) return false;
      at = end;
      return true;
    });
}

function unknownWord(
  word: NameWord,
  next: NameWord | undefined,
  scope: readonly EvidenceText[],
  isRow: boolean,
): string | undefined {
  const known = isKnown(word.folded, scope);
  const region = regionOf(word.folded) !== undefined;
  // The first word of a sentence may be no name: the others of the run decide.
  if (isOrdinary(word)) return undefined;
  if (word.isInitial && next !== undefined && (!known || standsSmall(word, scope)))
    return region && !known ? word.text : wrongFirst(word, next, known, scope);
  if (next !== undefined && known) {
    const unknown = unknownSecond(word, next, scope);
    if (unknown !== undefined) return unknown;
  }
  if (known) return undefined;
  if (region) return word.text;
  if (next !== undefined && wrongFirst(word, next, known, scope) !== undefined)
    return `${word.text} ${next.text}`;
  if (next !== undefined && !isKnown(next.folded, scope)) return `${word.text} ${next.text}`;
  if (word.isInitial || isRow || word.text.length < 3) return undefined;
  return isAcronymOf(word.text, scope) ? undefined : word.text;
}

/** `Apache Software Foundation`, where the cited passages have "Software Foundation" after another name only. */
function wrongBeforeTail(run: readonly NameWord[], { cited }: Claim): string | undefined {
  const [first, second, third] = run;
  if (first === undefined || second === undefined || third === undefined || isOrdinary(first))
    return undefined;
  const tail = `${foldedWords(second.text)} ${foldedWords(third.text)}`;
  const before = cited.flatMap(({ words }) =>
    [...words.matchAll(new RegExp(` (\\S{1,40}) ${tail} `, "gu"))].map(([, word = ""]) => word),
  );
  const name = foldedWords(first.text).split(" ").at(-1) ?? "";
  const isOther = before.length > 0 && before.every((word) => word !== name && !isFunctionWord(word));
  return isOther && !isKnown(first.folded, cited) ? `${first.text} ${second.text} ${third.text}` : undefined;
}

/** Articles, prepositions and months are capitalised at the start of a sentence or always, and name nothing. */
function isOrdinary({ folded }: NameWord): boolean {
  const isDate = monthOf(folded) !== undefined || (folded.length > 4 && weekdayOf(folded) !== undefined);
  return isDate || HOLIDAYS.test(folded) || isFunctionWord(folded) || unitInText(folded) !== undefined;
}

const HOLIDAYS = /^(?:christmas|easter|weihnachten|ostern|pfingsten|noel|paques)$/;

/** An unknown first part (`Luis Ferreira`), where the evidence has the second part with another one only. */
function wrongFirst(
  word: NameWord,
  next: NameWord,
  known: boolean,
  scope: readonly EvidenceText[],
): string | undefined {
  if (known || isOrdinary(word) || word.text.length < 3 || !isKnown(next.folded, scope)) return undefined;
  const before = scope.flatMap((text) => predecessorsOf(next.text, text));
  const isOther = (name: string): boolean => name !== "" && name !== word.folded && !isFunctionWord(name);
  const alwaysOther = before.length > 0 && before.every(isOther);
  return alwaysOther ? `${word.text} ${next.text}` : undefined;
}

/** A known first part with an unknown second (`Claire Dubois`), or two known parts that never meet. */
function unknownSecond(word: NameWord, next: NameWord, scope: readonly EvidenceText[]): string | undefined {
  if (!isKnown(next.folded, scope))
    return isAcronymOf(next.text, scope) ? undefined : `${word.text} ${next.text}`;
  if (next.isInitial) return undefined;
  const followers = scope.flatMap((text) => followersOf(word.text, text));
  const stem = stemOf(next.folded);
  const neverMeet = followers.length > 0 && followers.every((name) => name !== "" && !name.startsWith(stem));
  return neverMeet || belongsToOther(word, next, scope) ? `${word.text} ${next.text}` : undefined;
}

/** `Orlock College`, where the evidence has `Penhallow College` alone, and Orlock far from it. */
function belongsToOther(word: NameWord, next: NameWord, scope: readonly EvidenceText[]): boolean {
  const before = scope.flatMap((text) => predecessorsOf(next.text, text));
  if (before.length === 0 || before.some((name) => name === "" || isSameForm(name, word.folded)))
    return false;
  const [a, b] = [foldedWords(word.folded), foldedWords(next.folded)];
  const between = "(?:\\S{1,40} ){0,8}";
  const near = new RegExp(` (?:${a} ${between}${b}|${b} ${between}${a})`, "u");
  return !scope.some(({ words }) => near.test(words));
}

/** `Gelbe` and `Gelben` */
function isSameForm(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return a === b || (length > 4 && a.slice(0, length - 1) === b.slice(0, length - 1));
}

/** German capitalises every noun: only runs that begin with a known name, and countries, can be told from nouns. */
function unknownGermanName(
  word: NameWord,
  next: NameWord | undefined,
  scope: readonly EvidenceText[],
): string | undefined {
  const known = isKnown(word.folded, scope);
  if (isOrdinary(word)) return undefined;
  if (!known && regionOf(word.folded) !== undefined) return word.text;
  if (!known) return next === undefined ? undefined : wrongFirst(word, next, known, scope);
  if (next === undefined || next.isInitial || (word.isInitial && standsSmall(word, scope))) return undefined;
  if (isKnown(next.folded, scope)) return unknownSecond(word, next, scope);
  const followers = scope.flatMap((text) => followersOf(word.text, text));
  const isName = followers.length > 0 && followers.every((name) => name !== "" && name !== next.folded);
  return isName ? `${word.text} ${next.text}` : undefined;
}

function isKnown(name: string, scope: readonly EvidenceText[]): boolean {
  const words = foldedWords(name);
  if (words === "") return true;
  const code = regionOf(name) ?? regionOf(words);
  const forms = [
    words,
    ...(words.endsWith("s") ? [words.slice(0, -1)] : []),
    ...(code === undefined ? [] : regionNames(code)),
  ];
  return scope.some(
    ({ names }) =>
      forms.some((form) => names.has(form)) ||
      (words.length >= 5 && code === undefined && names.hasForm(words)),
  );
}

/** Whether the evidence has a word with a small letter, as an everyday word. */
function standsSmall({ text }: NameWord, scope: readonly EvidenceText[]): boolean {
  return scope.some(({ names }) => names.hasSmall(text.toLowerCase()));
}

/** Capitalised words that follow a name in a text, at one or two words; `""` where another word follows. */
function followersOf(name: string, text: EvidenceText): readonly string[] {
  return [...(text.names.followers(name.toLowerCase()) ?? [])];
}

/** Capitalised words before a name; `""` where another word or nothing is before it. */
function predecessorsOf(name: string, text: EvidenceText): readonly string[] {
  return [...(text.names.predecessors(name.toLowerCase()) ?? [])];
}

/** `European Union`, `Union européenne` where the evidence has "EU" or "UE". */
function hasAcronym(run: readonly NameWord[], scope: readonly EvidenceText[]): boolean {
  const words = run.filter(({ folded }) => !isFunctionWord(folded));
  if (words.length < 2 || words.length > 5) return false;
  const initials = words.map(({ text }) => text.charAt(0)).join("");
  const acronym = new RegExp(`(?<![\\p{L}\\p{N}])${initials}(?![\\p{L}\\p{N}])`, "u");
  return scope.some(({ source }) => acronym.test(source));
}

/** `CEO` where the evidence has "chief executive officer", `TCP` where it has `multipathtcp`. */
function isAcronymOf(word: string, scope: readonly EvidenceText[]): boolean {
  if (!/^\p{Lu}{2,6}s?$/u.test(word)) return false;
  const letters = word.replace(/s$/, "").toLowerCase();
  const isPart = new RegExp(`\\p{Ll}${letters}(?!\\p{L})|(?<!\\p{L})${letters}\\p{Ll}{2}`, "u");
  if (letters.length > 2 && scope.some(({ folded }) => isPart.test(folded))) return true;
  // A "chief executive" is a CEO.
  const initials = (/^c\p{L}o$/u.test(letters) ? letters.slice(0, 2) : letters).split("");
  const pattern = new RegExp(
    `(?<!\\p{L})${initials.map((letter) => `${letter}\\p{L}{0,30}`).join("(?: (?:and|of|for|the|et|de|du|des|und|fur|der) | )")}(?!\\p{L})`,
    "u",
  );
  return scope.some(({ words }) => pattern.test(words));
}

/** Whether an identifier stands in the evidence literally, or in a form that means the same. */
export function standsAsIdentifier(identifier: Identifier, scope: readonly EvidenceText[]): boolean {
  const forms = formsOf(identifier.folded);
  return scope.some(
    (text) =>
      forms.some((form) => holdsToken(text, form)) ||
      holdsWords(text, identifier.raw) ||
      isPeriodOf(identifier, text),
  );
}

function formsOf(folded: string): readonly string[] {
  const page = /^(.+)\(\d\)$/.exec(folded);
  if (page !== null) return [folded, page[1] ?? ""];
  const offset = /^(?:utc|gmt)([+−-])(\d{1,2}):?(\d\d)?$/.exec(folded);
  if (offset === null) return /\p{L}{2,}s$/u.test(folded) ? [folded, folded.slice(0, -1)] : [folded];
  const [, sign = "+", hours = "", minutes = ""] = offset;
  const padded = hours.padStart(2, "0");
  return [folded, `${sign}${padded}${minutes}`, `${sign}${padded}:${minutes || "00"}`];
}

/**
 * `FY2025` where the evidence has the year; `Q3` and `H1` where the evidence has no such abbreviations, and so may
 * have them in words.
 */
function isPeriodOf({ folded }: Identifier, text: EvidenceText): boolean {
  const year = /^(?:fy|cy|fj|gj|ex)[- ]?((?:19|20)\d\d)$/.exec(folded)?.[1];
  if (year !== undefined) return text.years.has(Number(year));
  const period = /^([qht])[1-4]$/.exec(folded)?.[1];
  if (period === undefined || new RegExp(`(?<!\\p{L})${period}[1-4](?!\\d)`, "u").test(text.folded))
    return false;
  return /(?:quarter|quartal|trimest|semest|half|halbjahr|kwartaal)/.test(text.folded);
}
