import { displayNumber, numberFormat } from "../chart/number-format.ts";
import { planTable } from "../layout/table-plan.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { tied } from "../text/tie.ts";
import { tighten } from "../text/tighten.ts";
import { draftInput } from "./compose-text.ts";
import type { ComposeContext } from "./context.ts";
import { createDraft, tableWords, type Draft } from "./draft.ts";
import type { Cell, Content, Page } from "./page.ts";

const MAX_ROWS = 10;
const HEADER_WORDS = 6;

/** A number with its sign, currency and unit: `+20 points`, `EUR 4.2 million`, `−50 %`. Not a date. */
const NUMERIC =
  /^[<>≤≥~±+−–-]?\s?(?:[€$£¥]|[A-Z]{3}\s)?\s?[+−–-]?\d[\d.,\s]*(?:[%‰°×x]|\p{L}{1,12}\.?|(?:million|billion)\s\p{L}{3})?$/u;

export function composeTable(slide: SlideOf<"table">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context), context.book);
  const texts = slide.rows.map((row) => row.filter((cell) => typeof cell === "string").map(cleanLine));
  const wordsAt = (limit: number): number => {
    const short = (cells: readonly string[], max: number): number =>
      tableWords(cells.map((text) => tighten(text, max)));
    const header = short(slide.columns.map(cleanLine), Math.min(HEADER_WORDS, limit));
    return header + Math.max(0, ...texts.map((row) => short(row, limit)));
  };
  // As many words a cell as let the header and the fullest row stand on one slide.
  const limit = [12, 10, 8, 6, 5, 4, 3, 2].find((max) => wordsAt(max) < draft.budget) ?? 1;
  const header = slide.columns.map((name) => draft.short(name, Math.min(HEADER_WORDS, limit)));
  const formats = slide.columns.map((_, c) => {
    const values = slide.rows.map((row) => row[c]).filter((v) => typeof v === "number");
    return numberFormat(values, undefined, { exact: true });
  });
  const rows = slide.rows.map((row) =>
    header.map((_, c): Cell => {
      const value = row[c] ?? null;
      const format = formats[c];
      if (typeof value === "number" && format) return { text: displayNumber(value, format), number: true };
      if (value === null) return { text: "–", number: false };
      const text = cleanLine(String(value));
      return { text: tied(draft.short(text, limit)), number: NUMERIC.test(text) };
    }),
  );
  return draft.pages(tables(header, rows, draft));
}

/** As few tables as hold the rows within the words of a slide and the height of its body. */
export function tables(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  draft: Draft,
): readonly Content[] {
  const words = (row: readonly Cell[]): number => tableWords(row.map((cell) => cell.text));
  let maxRows = Math.min(MAX_ROWS, rows.length);
  for (;;) {
    const runs = draft.runs(rows, words, maxRows, tableWords(header));
    // Tall rows: fewer of them a slide until every part fits the region.
    if (maxRows <= 1 || runs.every((run) => planTable(header, run).fits))
      return runs.map((run): Content => ({ form: "table", header, rows: run }));
    maxRows -= 1;
  }
}
