import type { TextLine } from "./pdf-text.ts";

export interface StrippedPages {
  readonly pages: readonly (readonly TextLine[])[];
  /** Printed page numbers found in running heads and feet, by page; holes where none was found. */
  readonly labels: readonly (string | undefined)[];
}

// Both for text with single spaces only.
const PAGE_NUMBER =
  /^(?:page|p\.|seite|side|sida)?\s*[-–—]?\s*(\d{1,5})\s*[-–—]?\s*(?:(?:of|\/|von|av)\s*\d{1,5})?$/i;
const NUMBER_IN_LINE = /(?:^|[\s|])(?:page\s+)?(\d{1,5})(?:\s*(?:of|\/)\s*\d{1,5})?$|^(\d{1,5})(?=[\s|])/i;

/**
 * Takes running heads and feet away: lines at the edge of the page that come back, digits apart, on
 * most pages, and bare page numbers. They would break sentences and match every query.
 */
export function stripRunningHeads(pages: readonly (readonly TextLine[])[]): StrippedPages {
  const seen = new Map<string, number>();
  const edges = pages.map(edgeLines);
  for (const lines of edges)
    for (const key of new Set([...lines].map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const enough = Math.max(3, Math.ceil(pages.length * 0.5));
  const numbers: (number | undefined)[] = [];
  const kept = pages.map((lines, index) => {
    const edge = edges[index];
    const runs = lines.filter(
      (line) =>
        edge?.has(line) === true &&
        ((seen.get(keyOf(line)) ?? 0) >= enough ||
          (pages.length > 1 && PAGE_NUMBER.test(singleSpaced(line.text)))),
    );
    numbers.push(printedNumber(runs));
    return lines.filter((line) => !runs.includes(line));
  });
  return { pages: kept, labels: consistentLabels(numbers) };
}

/** The two highest and two lowest rows of a page. */
function edgeLines(lines: readonly TextLine[]): ReadonlySet<TextLine> {
  const byHeight = [...lines].sort((a, b) => b.y - a.y);
  return new Set([...byHeight.slice(0, 2), ...byHeight.slice(-2)]);
}

const singleSpaced = (text: string): string => text.replace(/\s+/g, " ");

function keyOf(line: TextLine): string {
  return line.text.replace(/\d+/g, "#").toLowerCase();
}

function printedNumber(lines: readonly TextLine[]): number | undefined {
  for (const line of lines) {
    const text = singleSpaced(line.text);
    const match = PAGE_NUMBER.exec(text) ?? NUMBER_IN_LINE.exec(text);
    const digits = match?.[1] ?? match?.[2];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}

/** Numbers count as page numbers only when most of them run along with the pages. */
function consistentLabels(numbers: readonly (number | undefined)[]): readonly (string | undefined)[] {
  const offsets = new Map<number, number>();
  let found = 0;
  for (const [index, number] of numbers.entries()) {
    if (number === undefined) continue;
    found += 1;
    offsets.set(number - index, (offsets.get(number - index) ?? 0) + 1);
  }
  const [offset, votes] = [...offsets].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  if (votes < 2 || votes < found * 0.6) return numbers.map(() => undefined);
  return numbers.map((number, index) => (number === index + offset ? String(number) : undefined));
}
