import { displayNumber, numberFormat } from "../chart/number-format.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import type { ComposeContext } from "./context.ts";
import { draftInput } from "./compose-text.ts";
import { createDraft, tableWords } from "./draft.ts";
import { planTable } from "../layout/table-plan.ts";
import type { Cell, Content, Page } from "./page.ts";
import { partition } from "./partition.ts";

const MAX_ROWS = 10;
const HEADER_WORDS = 4;

export function composeTable(slide: SlideOf<"table">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context, false), context.book);
  const texts = slide.rows.map((row) => row.filter((cell) => typeof cell === "string").map(cleanLine));
  const wordsAt = (limit: number): number => {
    const short = (cells: readonly string[], max: number): number =>
      tableWords(cells.map((text) => tighten(text, max)));
    const header = short(slide.columns.map(cleanLine), Math.min(HEADER_WORDS, limit));
    return header + Math.max(0, ...texts.map((row) => short(row, limit)));
  };
  // As many words a cell as let the header and the fullest row stand on one slide.
  const limit = [8, 6, 5, 4, 3, 2].find((max) => wordsAt(max) <= draft.budget) ?? 1;
  const header = slide.columns.map((name) => draft.short(name, Math.min(HEADER_WORDS, limit)));
  const room = Math.max(1, draft.budget - tableWords(header));
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
      return { text: draft.short(text, limit), number: /^[+−-]?[\d.,\s]+\s?%?$/.test(text) };
    }),
  );
  const words = (row: readonly Cell[]): number => tableWords(row.map((cell) => cell.text));
  let maxRows = Math.min(MAX_ROWS, rows.length);
  for (;;) {
    const runs = partition(rows, words, room, maxRows);
    // Tall rows: fewer of them a slide until every part fits the region.
    if (maxRows === 1 || runs.every((run) => planTable(header, run).fits)) {
      return draft.pages(runs.map((run): Content => ({ form: "table", header, rows: run })));
    }
    maxRows -= 1;
  }
}
