import type { Claim, HeldFigure, Missing } from "../claim.ts";
import type { PassageFigure } from "../evidence/passage.ts";
import type { Cell, Table } from "../evidence/table.ts";
import { foldedWords } from "../text/fold.ts";
import { isFunctionWord } from "../text/language.ts";
import { hasLabel, stemOf } from "../text/names.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { cellsRestated, standsInPassage } from "./figures.ts";
import { isSpecific } from "./other-rows.ts";

/** A cell with the value, in a row that the sentence names. */
interface Place {
  /** Head of its column; empty if it has none. */
  readonly head: string;
  readonly others: readonly NumberCell[];
}

/** Another cell of the same row. */
interface NumberCell {
  readonly head: string;
  /** Whether the sentence has this value too. */
  readonly isStated: boolean;
}

/**
 * Values from the row that the sentence names, but from a different column: `in 2024 the target was 45`, which is the
 * target for 2026. The sentence names the year or all words of a column, and nothing of the column with the value.
 */
export function ofOtherColumns(claim: Claim, held: readonly HeldFigure[]): readonly Missing[] {
  const { kind } = claim.segment;
  if (kind === "row" || kind === "head" || kind === "heading") return [];
  return held.filter(isSpecific).flatMap(({ figure }): readonly Missing[] => {
    const places = placesOf(figure, claim);
    const isOther = ({ head, others }: Place): boolean =>
      others.some((other) => !other.isStated && namesColumn(other.head, head, figure, claim));
    return places !== undefined && places.length > 0 && places.every(isOther)
      ? [{ kind: "figure", raw: figure.raw }]
      : [];
  });
}

/** Cells of named rows that hold the figure; undefined if the evidence also has it outside a table. */
function placesOf(figure: Figure, claim: Claim): readonly Place[] | undefined {
  const { cited, citedTables, isCited, evidence, words } = claim;
  if (evidence.given.some((text) => standsInPassage(figure, text) === "match")) return undefined;
  const places: Place[] = [];
  for (const passage of cited)
    for (const other of passage.figures) {
      if (standsInPassage(figure, passage, undefined, [other]) !== "match") continue;
      const { row, column = 0 } = other;
      if (row?.inTable === undefined || column < 2) return undefined;
      if (!hasLabel(words, row.label)) continue;
      const { heads } = row.inTable;
      const inRow = passage.figures.filter((one) => one.row === row && one.column !== column);
      const stated = (one: PassageFigure): boolean =>
        claim.facts.figures.some((mine) => standsInPassage(mine, passage, undefined, [one]) === "match");
      places.push({
        head: heads[column - 1] ?? "",
        others: inRow.map((one) => ({ head: heads[(one.column ?? 0) - 1] ?? "", isStated: stated(one) })),
      });
    }
  for (const table of isCited ? citedTables : evidence.tables)
    for (const cell of cellsRestated(figure, table))
      if (claim.namedRows.get(table)?.includes(cell.row) === true)
        places.push(placeInTable(cell, table, claim));
  return places;
}

function placeInTable({ row, column }: Cell, table: Table, { facts }: Claim): Place {
  const inRow = table.cells.filter((one) => one.row === row && one.column !== column);
  return {
    head: headOf(table, column),
    others: inRow.map((one) => ({
      head: headOf(table, one.column),
      isStated: facts.figures.some((figure) => Math.abs(valueOf(figure)) === Math.abs(one.value)),
    })),
  };
}

function headOf({ columns }: Table, column: number): string {
  return (columns[column]?.name ?? "").replaceAll("_", " ");
}

/** Whether the sentence names the column `other`, and not `own`, the column of the value. */
function namesColumn(other: string, own: string, figure: Figure, claim: Claim): boolean {
  if (other === "" || own === "") return false;
  const ownYears = yearsOf(own);
  if (ownYears.some((year) => claim.text.includes(year))) return false;
  const ownWords = wordsOf(own).filter((word) => !wordsOf(other).includes(word));
  const otherWords = wordsOf(other).filter((word) => !wordsOf(own).includes(word));
  if (ownWords.some((word) => hasWord(claim, word))) return false;
  const otherYears = yearsOf(other);
  if (ownYears.length > 0 && otherYears.length > 0) {
    const named = otherYears.filter((year) => isAboutYear(year, claim));
    return (
      named.length > 0 && wordsOf(other).every((word) => wordsOf(own).includes(word) || hasWord(claim, word))
    );
  }
  return (
    ownWords.length > 0 &&
    otherWords.length > 0 &&
    otherWords.every((word) => isInClauseOf(word, figure, claim))
  );
}

function yearsOf(head: string): readonly string[] {
  return head.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? [];
}

/** `in 2024` or a leading `2024`; not `since 2024` or `than in 2024`. */
function isAboutYear(year: string, { text }: Claim): boolean {
  const at = text.indexOf(year);
  return at === 0 || BEFORE_YEAR.test(text.slice(0, at));
}

const BEFORE_YEAR =
  /(?:^|[^\p{L}])(?<!\b(?:than|as|als|que|wie)\s)(?:in|for|of|im jahr|f\u00fcr|en|pour|de)\s$/iu;

function wordsOf(head: string): readonly string[] {
  return foldedWords(head)
    .split(" ")
    .filter((word) => word.length > 3 && /^\p{L}+$/u.test(word) && !isFunctionWord(word));
}

function hasWord({ words }: Claim, word: string): boolean {
  return hasLabel(words, word) || (word.length > 5 && words.includes(` ${stemOf(word)}`));
}

/**
 * Whether the word is in the clause of the figure, which is the only figure of the sentence and counts nothing else: not
 * `the staff took back 88 parcels`, and not `563 of 640 were satisfied`.
 */
function isInClauseOf(word: string, figure: Figure, { text, facts }: Claim): boolean {
  if (facts.figures.filter(({ isYear, isWord }) => !isYear && !isWord).length > 1) return false;
  const [, counted = ""] = /^\s(\p{L}{4,40})/u.exec(text.slice(figure.end, figure.end + 42)) ?? [];
  const thing = foldedWords(counted);
  if (thing !== "" && !isFunctionWord(thing) && !hasLabel(` ${thing} `, word)) return false;
  const clauses = text.split(/[;()]|[,:](?!\p{Nd})|\s(?:and|und|et|but|aber|mais|while)\s/u);
  let from = 0;
  for (const clause of clauses) {
    const start = text.indexOf(clause, from);
    from = start + clause.length;
    if (start <= figure.start && figure.end <= from) return hasLabel(` ${foldedWords(clause)} `, word);
  }
  return false;
}
