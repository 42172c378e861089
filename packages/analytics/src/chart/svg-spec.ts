import type { ChartField, ChartSpec } from "@troupe/stream";
import { unreachable } from "@troupe/stream";
import type { TopLevelSpec } from "vega-lite";

import { compactNumber, formatDecimals, formatNumber, formatShare } from "../names/format-number.ts";

const WIDTH = 720;
const HEIGHT = 400;
/** Height of one bar with its gap. */
const BAR = 28;
const INK = "#1F2933";
const MUTED = "#616E7C";
const RULE = "#E4E7EB";
const COLORS = ["#1F5FA8", "#E07A1F", "#2E8B57", "#B23A48", "#7559A6", "#3A9EA5", "#8C6D31", "#D1699B"];
/** More values side by side have no room for their numbers. */
const MAX_LABELLED = 12;
const FEW_COLORS = 8;
const MAX_FIGURE = 18;

/** One value of one series. Columns have names of ours: a name of the data could be read as a path or an expression. */
interface Datum {
  readonly x: string | number;
  readonly series: string;
  readonly value: number | null;
  readonly label: string;
  /** False where other values are highlighted and this one is not. */
  readonly lit: boolean;
}

/** Our chart as a Vega-Lite specification with its rows in it; nothing in it is loaded from elsewhere. */
export function svgSpec(chart: ChartSpec): TopLevelSpec {
  const data = { values: dataOf(chart) };
  const source = chart.truncated === true ? "not every row is shown; " : "";
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: plain(`${chart.kind} chart: ${chart.title}`),
    background: "white",
    padding: 16,
    width: WIDTH,
    height:
      chart.kind === "bar" ? Math.max(120, barCount(chart) * BAR) : chart.kind === "number" ? 160 : HEIGHT,
    title: {
      text: wrap(plain(chart.title), 80),
      subtitle: wrap(plain(`${source}Source: ${chart.provenance.source}`), 110),
    },
    config,
    data,
    ...unitOf(chart, data.values),
  } as TopLevelSpec;
}

const config = {
  font: "Helvetica, Arial, sans-serif",
  view: { stroke: null },
  title: {
    anchor: "start",
    fontSize: 18,
    color: INK,
    subtitleColor: MUTED,
    subtitleFontSize: 12,
    offset: 16,
  },
  axis: {
    domainColor: RULE,
    gridColor: RULE,
    tickColor: RULE,
    labelColor: INK,
    titleColor: MUTED,
    titleFontWeight: "normal",
    labelFontSize: 12,
    titleFontSize: 12,
    labelLimit: 220,
  },
  legend: { labelColor: INK, titleColor: MUTED, labelFontSize: 12, labelLimit: 220, title: null },
  range: { category: COLORS },
};

function dataOf(chart: ChartSpec): readonly Datum[] {
  const { x, highlight = [] } = chart;
  return chart.rows.flatMap((row, i) =>
    chart.series.map((series): Datum => {
      const raw = row[series.field] ?? null;
      const value = typeof raw === "number" && Number.isFinite(raw) ? raw : null;
      const at = x === undefined ? i : (row[x.field] ?? null);
      const isLit = [String(at), series.label].some((name) => highlight.includes(name));
      return {
        x: x?.type === "number" && typeof at === "number" ? at : plain(String(at ?? "(none)")),
        series: plain(series.label),
        value,
        label: value === null ? "" : labelOf(value, series),
        lit: highlight.length === 0 || isLit,
      };
    }),
  );
}

const labelOf = (value: number, { decimals }: ChartField): string =>
  decimals === undefined ? compactNumber(value) : formatDecimals(value, decimals);

const barCount = (chart: ChartSpec): number =>
  chart.rows.length * (chart.series.length > 1 && chart.stacked !== true ? chart.series.length : 1);

function unitOf(chart: ChartSpec, data: readonly Datum[]): object {
  const several = chart.series.length > 1;
  const isFaded = (chart.highlight ?? []).length > 0;
  const faded = isFaded ? { opacity: { condition: { test: "datum.lit", value: 1 }, value: 0.3 } } : {};
  const color = several
    ? {
        ...faded,
        color: { field: "series", type: "nominal", sort: null, legend: { title: null, orient: "top" } },
      }
    : { ...faded, color: { value: COLORS[0] } };
  const x = xAxis(chart);
  const y = yAxis(chart, data);
  switch (chart.kind) {
    case "bar":
    case "column":
      return bars(chart, { x, y, color });
    case "line":
      return line(
        { mark: { type: "line", point: data.length <= 60, strokeWidth: 2.5 } },
        { x, y: { ...y, scale: { zero: false } }, ...color },
        chart,
      );
    case "area":
      return {
        mark: { type: "area", line: true, opacity: several && chart.stacked !== true ? 0.45 : 0.8 },
        encoding: { x, y: { ...y, stack: chart.stacked === true ? "zero" : null }, ...color },
      };
    case "scatter":
      return {
        mark: { type: "point", filled: true, size: 60, opacity: 0.7 },
        encoding: { x: { ...x, scale: { zero: false } }, y: { ...y, scale: { zero: false } }, ...color },
      };
    case "pie":
      return pie(data);
    case "number":
      return number(chart, data);
    default:
      return unreachable(chart.kind);
  }
}

function xAxis(chart: ChartSpec): object {
  const { x } = chart;
  const title = x === undefined ? null : fieldTitle(x);
  if (x?.type === "number" && chart.kind !== "bar" && chart.kind !== "column")
    return { field: "x", type: "quantitative", axis: { title, labelExpr: tickLabels(numbersIn(chart, x)) } };
  // Rows come in the order they are read in.
  const axis = { title, labelOverlap: true, ...(chart.kind === "bar" ? {} : { labelAngle: angle(chart) }) };
  return { field: "x", type: "ordinal", sort: null, axis };
}

const numbersIn = (chart: ChartSpec, field: ChartField): readonly number[] =>
  chart.rows.flatMap((row) => (typeof row[field.field] === "number" ? [Number(row[field.field])] : []));

/** Labels of columns lie flat where they have room. */
function angle(chart: ChartSpec): number {
  const { x, rows } = chart;
  if (x === undefined) return 0;
  const longest = Math.max(0, ...rows.map((row) => String(row[x.field] ?? "").length));
  return longest * 8 <= WIDTH / Math.max(1, rows.length) ? 0 : -45;
}

function yAxis(chart: ChartSpec, data: readonly Datum[]): object {
  const [first] = chart.series;
  const units = new Set(chart.series.map(({ unit }) => unit));
  const label =
    chart.series.length === 1 && first !== undefined
      ? fieldTitle(first)
      : units.size === 1
        ? plain(first?.unit ?? "")
        : "";
  const values = data.flatMap(({ value }) => value ?? []);
  const axis = { title: label === "" ? null : label, labelExpr: tickLabels(values), tickCount: 6 };
  return { field: "value", type: "quantitative", axis };
}

const fieldTitle = ({ label, unit }: ChartField): string =>
  plain(unit === undefined ? label : `${label} (${unit})`);

/** An expression of Vega: `1.2M`, `0.25`, `1e+300`. */
function tickLabels(values: readonly number[]): string {
  const max = Math.max(0, ...values.map(Math.abs));
  if (max >= 1e15 || (max > 0 && max < 1e-4)) return "format(datum.value, '~e')";
  if (max >= 10_000) return "replace(format(datum.value, '~s'), 'G', 'B')";
  return values.every((value) => Number.isInteger(value) && value >= 1900 && value <= 2100)
    ? "format(datum.value, 'd')"
    : "format(datum.value, ',.6~f')";
}

function bars(
  chart: ChartSpec,
  axes: { readonly x: object; readonly y: object; readonly color: object },
): object {
  const several = chart.series.length > 1;
  const horizontal = chart.kind === "bar";
  const stacked = several && chart.stacked === true;
  const beside =
    several && !stacked ? { [horizontal ? "yOffset" : "xOffset"]: { field: "series", sort: null } } : {};
  const labelled = chart.labels ?? (!several && chart.rows.length <= MAX_LABELLED);
  const isBelow = chart.rows.some((row) => chart.series.some(({ field }) => Number(row[field] ?? 0) < 0));
  // Room for the numbers of bars that go the other way.
  const room = labelled && isBelow ? { scale: { padding: 48 } } : {};
  const value = { ...axes.y, stack: stacked ? "zero" : null, ...room };
  const encoding = {
    [horizontal ? "y" : "x"]: axes.x,
    [horizontal ? "x" : "y"]: value,
    ...beside,
  };
  const bar = { mark: { type: "bar" }, encoding: axes.color };
  const beyond = horizontal
    ? { align: { expr: "datum.value < 0 ? 'right' : 'left'" }, dx: { expr: "datum.value < 0 ? -4 : 4" } }
    : { baseline: { expr: "datum.value < 0 ? 'top' : 'bottom'" }, dy: { expr: "datum.value < 0 ? 4 : -4" } };
  // Next to the end of a stacked part is the next part.
  const inside = horizontal ? { align: "right", dx: -4 } : { baseline: "top", dy: 4 };
  const place = stacked ? { color: "white", ...inside } : { color: INK, ...beyond };
  const text = {
    mark: { type: "text", fontSize: 12, ...place },
    encoding: { text: { field: "label", type: "nominal" } },
  };
  return { encoding, layer: labelled ? [bar, text] : [bar] };
}

function line(marks: object, encoding: object, chart: ChartSpec): object {
  if (chart.labels !== true) return { ...marks, encoding };
  const text = {
    mark: { type: "text", fontSize: 12, dy: -10 },
    encoding: { text: { field: "label", type: "nominal" } },
  };
  return { encoding, layer: [marks, text] };
}

function pie(data: readonly Datum[]): object {
  const shown = data.filter(({ value }) => (value ?? 0) > 0);
  const sum = shown.reduce((all, { value }) => all + (value ?? 0), 0);
  const parts = shown.map((datum) => ({
    ...datum,
    x: `${datum.x}: ${datum.label} (${formatShare((datum.value ?? 0) / sum)})`,
  }));
  const legend = { title: null, orient: "right", symbolLimit: 0, labelLimit: 600 };
  return {
    data: { values: parts },
    mark: { type: "arc", stroke: "white", outerRadius: 160 },
    encoding: {
      theta: { field: "value", type: "quantitative", stack: true },
      order: { field: "value", type: "quantitative", sort: "descending" },
      color: {
        field: "x",
        type: "nominal",
        sort: null,
        legend,
        ...(parts.length > FEW_COLORS ? { scale: { scheme: "category20" } } : {}),
      },
    },
  };
}

function number(chart: ChartSpec, data: readonly Datum[]): object {
  const shown = chart.series.map((series, i) => {
    const value = data[i]?.value ?? null;
    return { at: i, figure: value === null ? "–" : figure(value, series), name: plain(series.label) };
  });
  const x = { field: "at", type: "ordinal", axis: null };
  return {
    data: { values: shown },
    layer: [
      {
        mark: { type: "text", fontSize: 56, fontWeight: "bold", color: COLORS[0], dy: -10 },
        encoding: { x, text: { field: "figure" } },
      },
      {
        mark: { type: "text", fontSize: 16, color: MUTED, dy: 40 },
        encoding: { x, text: { field: "name" } },
      },
    ],
  };
}

/** Every digit where they have room. */
function figure(value: number, { unit, decimals }: ChartField): string {
  const whole = decimals === undefined ? formatNumber(value, unit) : formatDecimals(value, decimals, unit);
  if (whole.length <= MAX_FIGURE) return plain(whole);
  return plain([unit ?? "", compactNumber(value)].join(" "));
}

/** Without what an XML file may not hold. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFE\uFFFF]+/gu, " ")
    .trim();
}

/** Lines of at most so many characters, broken between words. */
function wrap(text: string, max: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > max) lines.push(word.slice(0, max));
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
