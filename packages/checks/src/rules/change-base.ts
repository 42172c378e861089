import type { Claim } from "../claim.ts";
import type { Table } from "../evidence/table.ts";
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
  const known = changesIn(claim);
  const isBackwards = (base: number, value: number): boolean =>
    known.has(keyOf(value, base)) && !known.has(keyOf(base, value));
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

function keyOf(from: number, to: number): string {
  return `${from} ${to}`;
}

/** Pairs of an earlier and a later value, of the sentence, the passages it cites and the results. */
function changesIn({ text, facts, cited, evidence }: Claim): ReadonlySet<string> {
  return new Set([
    ...changesInText(text, facts.figures),
    ...cited.flatMap(({ source, figures }) => changesInText(source, figures)),
    ...evidence.tables.flatMap(changesInTable),
  ]);
}

function changesInText(text: string, figures: readonly Figure[]): readonly string[] {
  const inOrder = figures.slice(0, MAX_FIGURES).toSorted((a, b) => a.start - b.start);
  return inOrder.flatMap((from, index) => {
    const to = inOrder[index + 1];
    const isChange =
      to !== undefined &&
      FROM.test(text.slice(Math.max(0, from.start - 16), from.start)) &&
      TO.test(text.slice(from.end, to.start));
    return isChange ? [keyOf(valueOf(from), valueOf(to))] : [];
  });
}

function changesInTable({ columns, rowDates }: Table): readonly string[] {
  const keys: string[] = [];
  const numbers = columns.filter(({ isLabel }) => !isLabel);
  const rows = rowDates.slice(0, MAX_ROWS).map(([date, ...others], row) => ({
    row,
    year: others.length === 0 && date?.month === undefined ? date?.year : undefined,
  }));
  const add = (a: number | undefined, b: number | undefined, isLater: boolean): void => {
    if (a !== undefined && b !== undefined) keys.push(isLater ? keyOf(a, b) : keyOf(b, a));
  };
  forPairs(rows, (a, b) => {
    if (a.year === undefined || b.year === undefined || a.year === b.year) return;
    for (const { values } of numbers) add(values[a.row], values[b.row], b.year > a.year);
  });
  forPairs(numbers, (a, b) => {
    if (a.year === undefined || b.year === undefined || a.year === b.year) return;
    for (let row = 0; row < rows.length; row++) add(a.values[row], b.values[row], b.year > a.year);
  });
  return keys;
}
