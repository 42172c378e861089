import { displayNumber, numberFormat } from "../chart/number-format.ts";
import { RULES } from "../spec/limits.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import type { ComposeContext } from "./context.ts";
import { draftInput } from "./compose-text.ts";
import { createDraft, tableWords } from "./draft.ts";
import { planTable } from "../layout/table-plan.ts";
import type { Cell, Content, Page } from "./page.ts";
import { partition } from "./partition.ts";

const MAX_ROWS = 10;

export function composeTable(slide: SlideOf<"table">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context, false), context.book);
  const count = slide.columns.length;
  const header = slide.columns.map((name) => draft.short(name, count > 5 ? 2 : 4));
  const room = Math.max(count, draft.budget - tableWords(header));
  // A row alone must fit: wide rows get fewer words a cell.
  const perCell = Math.max(2, Math.min(8, Math.floor(room / count)));
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
      return { text: draft.short(text, perCell), number: /^[+−-]?[\d.,\s]+\s?%?$/.test(text) };
    }),
  );
  const words = (row: readonly Cell[]): number => tableWords(row.map((cell) => cell.text));
  let maxRows = Math.min(MAX_ROWS, rows.length);
  for (;;) {
    const runs = partition(rows, words, Math.min(room, RULES.maxWords), maxRows);
    // Tall rows: fewer of them a slide until every part fits the region.
    if (maxRows === 1 || runs.every((run) => planTable(header, run).fits)) {
      return draft.pages(runs.map((run): Content => ({ form: "table", header, rows: run })));
    }
    maxRows -= 1;
  }
}
