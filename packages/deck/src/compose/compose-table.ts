import { displayNumber, exactFormat, isGrouped } from "../chart/number-format.ts";
import { MIN_CELL_PT } from "../layout/table-plan.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { tied } from "../text/tie.ts";
import type { ComposeContext } from "./context.ts";
import { draftInput } from "./compose-text.ts";
import { createDraft, type Draft } from "./draft.ts";
import type { Cell, Content, Page } from "./page.ts";
import { paginate, splitText } from "./paginate.ts";

/** A number with its sign, currency and unit: `+20 points`, `EUR 4.2 million`, `−50 %`. Not a date or a list such as `404, 409`. */
const NUMERIC =
  /^(?!.*, )[<>≤≥~±+−–-]?\s?(?:[€$£¥]|[A-Z]{3}\s)?\s?[+−–-]?\d[\d.,\s]*(?:[%‰°×x]|\p{L}{1,12}\.?|(?:million|billion)\s\p{L}{3})?$/u;

export function composeTable(slide: SlideOf<"table">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  const header = slide.columns.map(cleanLine);
  const grouped = slide.columns.map((_, c) =>
    isGrouped(slide.rows.map((row) => row[c]).filter((v) => typeof v === "number")),
  );
  const rows = slide.rows.map((row) =>
    header.map((_, c): Cell => {
      const value = row[c] ?? null;
      // Each number with the decimals it was written with: 31 beside 4.5 is not 31.0.
      if (typeof value === "number")
        return { text: displayNumber(value, exactFormat(value, grouped[c] ?? true)), number: true };
      if (value === null) return { text: "–", number: false };
      const text = cleanLine(value);
      return { text: tied(text), number: NUMERIC.test(text) };
    }),
  );
  return draft.pages(tables(header, rows, { draft, context }));
}

/** The fewest tables that hold the rows at a readable size. A cell taller than a slide continues in the next table. */
export function tables(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  {
    draft,
    context,
    ofSources = false,
  }: { readonly draft: Draft; readonly context: ComposeContext; readonly ofSources?: boolean },
): readonly Content[] {
  // A header that leaves no room for a row is a row itself.
  const isTall = !context.fits(tableOf(header, [header.map(() => NOTHING), header.map(() => NOTHING)]));
  const head = isTall ? header.map(() => "") : header;
  const all = isTall ? [header.map((text) => ({ text, number: false })), ...rows] : rows;
  const contentOf = (run: readonly (readonly Cell[])[]): Content => tableOf(head, run, ofSources);
  const { runs, room } = paginate(
    all,
    (run) => context.fits(contentOf(run)),
    (row) => splitRow(row, (part) => context.fits(contentOf([part]))),
  );
  if (runs.length > 1)
    draft.explain(
      `${rows.length} rows, room for ${room === 0 ? "less than one" : room} at ${MIN_CELL_PT} pt`,
    );
  return runs.map(contentOf);
}

const NOTHING: Cell = { text: "", number: false };

const tableOf = (
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  ofSources = false,
): Content => ({ form: "table", header, rows, ...(ofSources ? { ofSources } : {}) });

/** Cells this short stay whole. */
const WHOLE_CHARS = 40;

/** The same share of every long cell, as much as fits; the rest is the row after it. */
function splitRow(
  row: readonly Cell[],
  fits: (part: readonly Cell[]) => boolean,
): readonly [readonly Cell[], readonly Cell[]] | undefined {
  let best: readonly [readonly Cell[], readonly Cell[]] | undefined;
  const longest = Math.max(...row.map(({ text }) => text.length));
  let low = WHOLE_CHARS;
  let high = longest;
  // Characters of the longest cell in the first part.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const parts = row.map((cell) => {
      const most = Math.max(WHOLE_CHARS, Math.floor((cell.text.length * middle) / longest));
      const cut = cell.text.length <= most ? undefined : splitText(cell.text, (head) => head.length <= most);
      return cut?.map((text) => ({ ...cell, text })) ?? [cell, NOTHING];
    });
    const tail = parts.map(([, rest = NOTHING]) => rest);
    const head = parts.map(([first = NOTHING]) => first);
    const isHeld = fits(head);
    // Where nothing fits, the smallest part that was tried.
    if (tail.some(({ text }) => text !== "") && (isHeld || low === WHOLE_CHARS)) best = [head, tail];
    if (isHeld) low = middle;
    else high = middle;
  }
  return best;
}
