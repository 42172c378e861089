import { InputError } from "@troupe/core";
import type { ChartKind, ChartSpec } from "@troupe/stream";

import { newShortId } from "../adapters/new-id.ts";
import { groupRows } from "../shape/group.ts";
import { shapeOf, type Shape } from "../shape/shape.ts";
import type { QueryResult } from "../types/result.ts";
import { arrange, type Arrangement } from "./arrange.ts";
import type { ChartDraft } from "./chart-draft.ts";
import { chooseDraft } from "./choose-draft.ts";
import { describeDropped } from "./describe-dropped.ts";
import { drawAsked, type ColumnWish } from "./draw-asked.ts";
import { requireUnique } from "./require-unique.ts";

export interface ChartWish extends ColumnWish, Arrangement {
  /** Followed where it does not mislead; the reason says when it was not. */
  readonly kind?: ChartKind;
  /** Made from the columns when absent. */
  readonly title?: string;
  /** Unique within a run; a new one when absent. */
  readonly id?: string;
  /** Whether figures are shown beside their marks; when absent, where there is room. */
  readonly labels?: boolean;
}

export interface ChartChoice {
  readonly chart: ChartSpec;
  /** What the chart leaves out of the result, one sentence each. */
  readonly dropped: readonly string[];
  /** Why this kind, and what was left out; for the model and the log. */
  readonly reason: string;
}

const MAX_TITLE = 120;

/**
 * The chart that fits the shape of a result: by time, by category, a figure, a distribution, a cloud.
 * Ids and constants are never on an axis unless they are named; time goes forward, categories by size. Throws an
 * `InputError` when the result holds nothing to draw, too few of its rows to draw it truthfully, or several rows for
 * one point.
 */
export function chooseChart(result: QueryResult, wish: ChartWish = {}): ChartChoice {
  if (result.rows.length === 0) {
    throw new InputError(
      "input.invalid",
      `"${result.id}" has no rows to draw. Query again with wider conditions.`,
    );
  }
  const chosen = draftOf(result, wish);
  const { draft, highlight, notes } = arrange(chosen, wish);
  const truncated = result.truncated || draft.reduced === true;
  const chart: ChartSpec = {
    v: 1,
    id: wish.id ?? `chart-${newShortId()}`,
    kind: draft.kind,
    title: (wish.title?.trim() || draft.title).slice(0, MAX_TITLE),
    series: draft.series,
    rows: draft.rows,
    provenance: { resultId: result.id, query: result.sql, source: result.source },
    ...(draft.x === undefined ? {} : { x: draft.x }),
    ...(draft.stacked === true ? { stacked: true } : {}),
    ...(truncated ? { truncated } : {}),
    ...(highlight.length === 0 ? {} : { highlight }),
    ...(wish.labels === undefined ? {} : { labels: wish.labels }),
  };
  const other =
    wish.kind !== undefined && wish.kind !== draft.kind ? `; a ${wish.kind} chart does not fit` : "";
  const reason = [`${draft.reason}${other}`, ...notes].join("; ");
  return { chart, reason, dropped: describeDropped(result, chosen) };
}

function draftOf(result: QueryResult, wish: ChartWish): ChartDraft {
  if (wish.x !== undefined || wish.y !== undefined || wish.series !== undefined) {
    const draft = drawAsked(result, wish);
    if (draft.by.length > 0) requireUnique(result, draft.by, draft.measures);
    return draft;
  }
  const shape = shapeOf(result);
  refuseHalf(result, shape);
  const draft = chooseDraft(shape, wish.kind);
  // Rows without a number are counted.
  if (draft.by.length > 0 && shape.measures.length > 0) requireUnique(result, draft.by, draft.measures);
  return draft;
}

/** Adding up rows of which some are missing gives wrong totals without anybody noticing. */
function refuseHalf(result: QueryResult, shape: Shape): void {
  if (!result.truncated) return;
  const dimension = shape.time ?? shape.categories[0];
  if (dimension === undefined || groupRows(dimension).length === result.rows.length) return;
  throw new InputError(
    "input.invalid",
    `"${result.id}" carries ${result.rows.length} of ${String(result.total ?? "more")} rows, and ${dimension.name} repeats in them: ` +
      `a chart would show wrong totals. Aggregate in SQL (GROUP BY ${dimension.name}) and draw that result.`,
  );
}
