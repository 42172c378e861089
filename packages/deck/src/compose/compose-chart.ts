import type { ChartSpec } from "@troupe/stream";

import { displayNumber, numberFormat } from "../chart/number-format.ts";
import { chartCaption, sameText } from "../chart/caption.ts";
import { withMissingPeriods } from "../chart/missing-periods.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import type { ComposeContext } from "./context.ts";
import { draftInput } from "./compose-text.ts";
import { createDraft, dataNote, pointWords, type Draft } from "./draft.ts";
import type { Content, Marked, Page } from "./page.ts";
import { partition } from "./partition.ts";
import { roomInWords } from "../text/words.ts";

const MAX_TAKEAWAYS = 3;

export function composeChart(slide: SlideOf<"chart">, context: ComposeContext): readonly Page[] {
  const takeaways = slide.takeaways ?? [];
  const draft = createDraft(draftInput(slide, context), context.book);
  const all = withMissingPeriods(slide.chart);
  const rows = longestBars({ ...slide.chart, rows: all });
  const left = all.length - rows.length;
  const chart: ChartSpec = { ...slide.chart, rows, title: draft.short(slide.chart.title, 10) };
  const { source } = chart.provenance;
  const truncated = chart.truncated === true ? " The query had more rows than are shown." : "";
  draft.note(`${dataNote(slide.chart.provenance)}${truncated}`);
  for (const label of longLabels(chart)) draft.note(`Label in full: ${label}`);

  const whole = chartCaption(chart, draft.title, 10);
  const caption = left === 0 ? whole : `${whole} (first ${rows.length} of ${slide.chart.rows.length})`;
  if (left > 0)
    draft.note(
      `The rows that are not shown:\n${slide.chart.rows.slice(rows.length).map(rowText).join("\n")}`,
    );
  // One word for the `(1/2)` of a slide that continues.
  const room = draft.budget - 1 - roomInWords(caption);
  const points = takeaways.map((point) => draft.point(point, Math.max(6, Math.min(16, room))));
  const [first = [], ...rest] = partition(points, pointWords, Math.max(6, room), MAX_TAKEAWAYS);
  if (!hasNumbers(chart)) {
    const none: Marked = { text: `${chart.title}: no numbers to show`, marks: [] };
    return draft.pages(
      [
        { form: "points", points: [none, ...first] },
        ...rest.map((run): Content => ({ form: "points", points: run })),
      ],
      source,
    );
  }
  if (chart.kind === "number") {
    const title = sameText(chart.title, draft.title) ? undefined : chart.title;
    const figures = partition(
      figuresOf(chart, draft),
      pointWords,
      draft.budget - 1 - roomInWords(title ?? ""),
      4,
    );
    return draft.pages(
      [
        ...figures.map((run): Content => ({
          form: "figures",
          points: run,
          ...(title === undefined ? {} : { caption: title }),
        })),
        ...partition(points, pointWords, draft.budget - 1, 6).map((run): Content => ({
          form: "points",
          points: run,
        })),
      ],
      source,
    );
  }
  return draft.pages(
    [
      { form: "chart", chart, caption, points: first },
      ...rest.map((run): Content => ({ form: "points", points: run })),
    ],
    source,
  );
}

/** Each measure of each row as a figure; its label names the row where there is more than one. */
function figuresOf(chart: ChartSpec, draft: Draft): readonly Marked[] {
  const x = chart.x?.field;
  return chart.rows.flatMap((row) =>
    chart.series.map((series): Marked => {
      const value = row[series.field] ?? null;
      const figure =
        typeof value === "number"
          ? displayNumber(value, numberFormat([value], series.unit))
          : cleanLine(value ?? "–");
      const name =
        chart.rows.length > 1 && x !== undefined ? `${row[x] ?? "–"}: ${series.label}` : series.label;
      return { text: draft.short(name, 6), figure, marks: [] };
    }),
  );
}

/** Bars side by side that leave each its name, as far down as the longest go. */
const MAX_BARS = 14;

function longestBars({ kind, rows, series }: ChartSpec): ChartSpec["rows"] {
  const values = rows.map((row) => row[series[0]?.field ?? ""]);
  const falling = values.every((value, i) => i === 0 || Number(value) <= Number(values[i - 1]));
  return kind === "bar" && rows.length > MAX_BARS && series.length === 1 && falling
    ? rows.slice(0, MAX_BARS)
    : rows;
}

const rowText = (row: ChartSpec["rows"][number]): string =>
  cleanLine(
    Object.values(row)
      .map((value) => value ?? "–")
      .join(": "),
  );

const hasNumbers = (chart: ChartSpec): boolean =>
  chart.series.some((series) => chart.rows.some((row) => typeof row[series.field] === "number"));

function longLabels(chart: ChartSpec): readonly string[] {
  const field = chart.x?.field;
  if (field === undefined || chart.x?.type !== "category") return [];
  return chart.rows.map((row) => cleanLine(String(row[field] ?? ""))).filter((label) => label.length > 28);
}
