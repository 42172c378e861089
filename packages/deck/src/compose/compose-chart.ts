import type { ChartSpec } from "@troupe/stream";

import { displayNumber, numberFormat } from "../chart/number-format.ts";
import { chartCaption, sameText } from "../chart/caption.ts";
import { withMissingPeriods } from "../chart/missing-periods.ts";
import { MIN_TEXT_PT } from "../layout/fit.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import type { ComposeContext } from "./context.ts";
import { draftInput, MAX_REMARKS } from "./compose-text.ts";
import { createDraft, dataNote, paginatePoints } from "./draft.ts";
import type { Content, Marked, Page } from "./page.ts";
import { prefixThatFits } from "./paginate.ts";

export function composeChart(slide: SlideOf<"chart">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  const all = withMissingPeriods(slide.chart);
  const rows = longestBars({ ...slide.chart, rows: all });
  const left = all.length - rows.length;
  const chart: ChartSpec = { ...slide.chart, rows, title: cleanLine(slide.chart.title) };
  const source = isCited(slide) ? undefined : chart.provenance.source;
  const truncated = chart.truncated === true ? " The query had more rows than are shown." : "";
  if (source !== undefined) draft.note(`${dataNote(slide.chart.provenance)}${truncated}`);
  for (const label of longLabels(chart)) draft.note(`Label in full: ${label}`);

  const whole = chartCaption(chart, draft.title);
  const caption = left === 0 ? whole : `${whole} (first ${rows.length} of ${slide.chart.rows.length})`;
  if (left > 0)
    draft.note(
      `The rows that are not shown:\n${slide.chart.rows.slice(rows.length).map(rowText).join("\n")}`,
    );
  const points = (slide.takeaways ?? []).map((point) => draft.point(point));
  const paging = { context, draft, pt: MIN_TEXT_PT };
  const pointsOf = (run: readonly Marked[]): Content => ({ form: "points", points: run });
  if (!hasNumbers(chart)) {
    const none: Marked = { text: `${chart.title}: no numbers to show`, marks: [] };
    const runs = paginatePoints([none, ...points], pointsOf, { ...paging, what: "statements" });
    return draft.pages(runs.map(pointsOf), source);
  }
  if (chart.kind === "number") {
    const title = sameText(chart.title, draft.title) ? undefined : chart.title;
    const figuresIn = (run: readonly Marked[]) => ({
      form: "figures" as const,
      points: run,
      ...(title === undefined ? {} : { caption: title }),
    });
    const whole: Content = { ...figuresIn(figuresOf(chart)), remarks: points };
    if (points.length <= MAX_REMARKS && context.fits(whole)) return draft.pages([whole], source);
    const figures = paginatePoints(figuresOf(chart), figuresIn, { ...paging, what: "figures" });
    const runs = paginatePoints(points, pointsOf, { ...paging, what: "takeaways" });
    if (runs.length > 0) draft.explain("takeaways stand after the figures, on a slide of their own");
    return draft.pages([...figures.map(figuresIn), ...runs.map(pointsOf)], source);
  }
  const chartWith = (run: readonly Marked[]): Content => ({ form: "chart", chart, caption, points: run });
  const count = prefixThatFits(points, points.length, (run) => context.fits(chartWith(run)));
  const [first, rest] = [points.slice(0, count), points.slice(count)];
  if (rest.length > 0)
    draft.explain(`${points.length} takeaways, room for ${count} beside the chart at ${MIN_TEXT_PT} pt`);
  const after = paginatePoints(rest, pointsOf, { ...paging, what: "takeaways" });
  return draft.pages([chartWith(first), ...after.map(pointsOf)], source);
}

/** Each measure of each row as a figure; its label names the row where there is more than one. */
function figuresOf(chart: ChartSpec): readonly Marked[] {
  const x = chart.x?.field;
  return chart.rows.flatMap((row) =>
    chart.series.map((series): Marked => {
      const value = row[series.field] ?? null;
      const figure =
        typeof value === "number"
          ? displayNumber(value, numberFormat([value], series.unit, series.decimals))
          : cleanLine(value ?? "–");
      const name =
        chart.rows.length > 1 && x !== undefined ? `${row[x] ?? "–"}: ${series.label}` : series.label;
      return { text: cleanLine(name), figure, marks: [] };
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

/** Whether the numbers come from no query but from a document that the slide cites. */
export const isCited = ({ chart, sources = [] }: SlideOf<"chart">): boolean =>
  chart.provenance.query === "" && sources.length > 0;
