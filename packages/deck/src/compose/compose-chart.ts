import type { ChartSpec } from "@troupe/stream";

import { displayNumber, numberFormat } from "../chart/number-format.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import type { ComposeContext } from "./context.ts";
import { isCited, draftInput } from "./compose-text.ts";
import { createDraft, pointWords } from "./draft.ts";
import type { Content, Marked, Page } from "./page.ts";
import { partition } from "./partition.ts";
import { countWords } from "../text/words.ts";

const MAX_TAKEAWAYS = 3;

export function composeChart(slide: SlideOf<"chart">, context: ComposeContext): readonly Page[] {
  const takeaways = slide.takeaways ?? [];
  const draft = createDraft(draftInput(slide, context, isCited(takeaways)), context.book);
  const chart: ChartSpec = { ...slide.chart, title: draft.short(slide.chart.title, 10) };
  const { source, query } = chart.provenance;
  const truncated = chart.truncated === true ? " The query had more rows than are shown." : "";
  draft.note(`Data: ${cleanLine(source)}. Query: ${cleanLine(query)}${truncated}`);
  for (const label of longLabels(chart)) draft.note(`Label in full: ${label}`);

  // The data source takes words of the foot line as well.
  const room = draft.budget - countWords(chart.title) - Math.min(7, 1 + countWords(source));
  const points = takeaways.map((point) => draft.point(point, Math.max(6, Math.min(16, room))));
  const [first = [], ...rest] = partition(points, pointWords, Math.max(6, room), MAX_TAKEAWAYS);
  const callouts = chart.kind === "number" ? figuresOf(chart) : [];
  const contents: Content[] =
    chart.kind === "number"
      ? [
          { form: "figures", points: callouts.slice(0, 4), caption: chart.title },
          ...partition(points, pointWords, draft.budget, 6).map((run): Content => ({
            form: "points",
            points: run,
          })),
        ]
      : [
          { form: "chart", chart, points: first },
          ...rest.map((run): Content => ({ form: "points", points: run })),
        ];
  return draft.pages(contents, source);
}

/** Each measure of the first row, or each row of a single measure, as a figure with its label. */
function figuresOf(chart: ChartSpec): readonly Marked[] {
  const [row] = chart.rows;
  if (row === undefined) return [{ text: "No data", figure: "–", marks: [] }];
  return chart.series.map((series) => {
    const value = row[series.field] ?? null;
    const figure =
      typeof value === "number"
        ? displayNumber(value, numberFormat([value], series.unit))
        : cleanLine(value ?? "–");
    return { text: cleanLine(series.label), figure, marks: [] };
  });
}

function longLabels(chart: ChartSpec): readonly string[] {
  const field = chart.x?.field;
  if (field === undefined || chart.x?.type !== "category") return [];
  return chart.rows.map((row) => cleanLine(String(row[field] ?? ""))).filter((label) => label.length > 28);
}
