import type { Claim } from "../claim.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { numberColumns, type Table } from "../evidence/table.ts";
import { memoize } from "../text/fold.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { forPairs, type Emit, type Space } from "./arithmetic.ts";

const MAX_FIGURES = 80;
const MAX_ROWS = 24;

/** Before and between two figures: `from 131 to 146`, `von 131 auf 146`, `de 131 à 146`. */
const FROM = /(?<!\p{L})(?:from|von|de|du|da|dal|van|desde)\s{1,2}(?:\p{Sc}|[A-Z]{3})?\s?$/u;
const TO = /^[^.;|\n]{0,30}?(?<!\p{L})(?:to|auf|à|a|al|para|naar)\s{1,2}(?:\p{Sc}|[A-Z]{3})?\s?$/u;

/**
 * Leaves out changes by the later of two values: `rose 10.3 % from 131 to 146` is 15 of 146, and the change is 11.5 %.
 * Which value is the earlier one is told by `from` and `to`, and by the years of a result's rows and columns.
 */
export function* onEarlierBase(spaces: Iterable<Space>, claim: Claim): Generator<Space> {
  const isBackwards = (base: number, value: number): boolean => {
    const sources = changesIn(claim);
    const has = (from: number, to: number): boolean =>
      sources.some((known) => known.get(from)?.has(to) === true);
    return has(value, base) && !has(base, value);
  };
  for (const space of spaces)
    yield {
      ...space,
      fill(emit: Emit) {
        space.fill((value, operation, dimension, operands) => {
          if (operation === "change" && operands !== undefined && isBackwards(...operands)) return;
          emit(value, operation, dimension, operands);
        });
      },
    };
}

/** Later values by the earlier one. */
type Changes = ReadonlyMap<number, ReadonlySet<number>>;
type Change = readonly [from: number, to: number];

/** Read on first use: most figures are no change, and all changes of an answer are compared with the same results. */
const changesByClaim = new WeakMap<Claim, readonly Changes[]>();
const changesByEvidence = new WeakMap<Evidence, Changes>();

/** Pairs of an earlier and a later value, of the sentence, the passages it cites and the results. */
function changesIn(claim: Claim): readonly Changes[] {
  const { text, facts, cited, evidence } = claim;
  return memoize(changesByClaim, claim, () => [
    indexChanges([
      ...changesInText(text, facts.figures),
      ...cited.flatMap(({ source, figures }) => changesInText(source, figures)),
    ]),
    memoize(changesByEvidence, evidence, () => indexChanges(evidence.tables.flatMap(changesInTable))),
  ]);
}

function indexChanges(changes: readonly Change[]): Changes {
  const byFirst = new Map<number, Set<number>>();
  for (const [from, to] of changes) {
    const known = byFirst.get(from);
    if (known === undefined) byFirst.set(from, new Set([to]));
    else known.add(to);
  }
  return byFirst;
}

function changesInText(text: string, figures: readonly Figure[]): readonly Change[] {
  const inOrder = figures.slice(0, MAX_FIGURES).toSorted((a, b) => a.start - b.start);
  return inOrder.flatMap((from, index) => {
    const to = inOrder[index + 1];
    const isChange =
      to !== undefined &&
      FROM.test(text.slice(Math.max(0, from.start - 16), from.start)) &&
      TO.test(text.slice(from.end, to.start));
    return isChange ? [[valueOf(from), valueOf(to)] as const] : [];
  });
}

function changesInTable(table: Table): readonly Change[] {
  const changes: Change[] = [];
  const numbers = numberColumns(table);
  const rows = table.rowDates.slice(0, MAX_ROWS).map(([date, ...others], row) => ({
    row,
    year: others.length === 0 && date?.month === undefined ? date?.year : undefined,
  }));
  const add = (a: number | undefined, b: number | undefined, isLater: boolean): void => {
    if (a !== undefined && b !== undefined) changes.push(isLater ? [a, b] : [b, a]);
  };
  forPairs(rows, (a, b) => {
    if (a.year === undefined || b.year === undefined || a.year === b.year) return;
    for (const { values } of numbers) add(values[a.row], values[b.row], b.year > a.year);
  });
  forPairs(numbers, (a, b) => {
    if (a.year === undefined || b.year === undefined || a.year === b.year) return;
    for (let row = 0; row < rows.length; row++) add(a.values[row], b.values[row], b.year > a.year);
  });
  return changes;
}
