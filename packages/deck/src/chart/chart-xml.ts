import { unreachable, type ChartSpec } from "@troupe/stream";

import { contrastRatio } from "../lint/contrast.ts";
import type { Theme } from "../spec/theme.ts";
import { cleanLine } from "../text/clean.ts";
import { textWidth } from "../text/measure.ts";
import { categoryAxis, valueAxis, X_AXIS_ID, Y_AXIS_ID } from "./axes.ts";
import { axisFormat, valuesOf, withUnit } from "./caption.ts";
import { AXIS_PT, fitAcross, fitDown, shownLabels, yearsBelow } from "./categories.ts";
import { axisCode, formatNumber, numberFormat, type NumberFormat } from "./number-format.ts";
import { dataLabels, fill, line, noLine, numberRef, stringRef, txPr, type ChartInk } from "./parts.ts";
import { columnRef, xIsNumeric } from "./workbook.ts";

export interface ChartArea {
  /** Inches. */
  readonly w: number;
  readonly h: number;
}

interface Scene {
  readonly chart: ChartSpec;
  readonly theme: Theme;
  readonly ink: ChartInk;
  readonly area: ChartArea;
  readonly labels: readonly string[];
  readonly format: NumberFormat;
  readonly showValues: boolean;
}

/** The chart part of a ChartSpec: native, editable, its numbers those of the rows, digit for digit. */
export function chartXml(chart: ChartSpec, area: ChartArea, theme: Theme, language: string): string {
  const { colors } = theme;
  const ink: ChartInk = {
    font: theme.font,
    ink: colors.ink,
    muted: colors.muted,
    rule: colors.rule,
    language,
  };
  const labels = labelsFor(chart, area);
  const format = axisFormat(chart);
  const base = { chart, theme, ink, area, labels, format };
  const scene: Scene = { ...base, showValues: chart.labels ?? roomForValues(base) };
  const legend =
    chart.kind === "pie"
      ? legendXml("r", ink, 14)
      : chart.series.length > 1
        ? legendXml("t", ink, AXIS_PT)
        : "";
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
    '<c:date1904 val="0"/><c:roundedCorners val="0"/>' +
    `<c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>${plot(scene)}<c:spPr><a:noFill/>${noLine}</c:spPr></c:plotArea>${legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>` +
    `<c:spPr><a:noFill/>${noLine}</c:spPr>${txPr(ink)}<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`
  );
}

/** Years stand below where every label is shown: of labels thinned out each names its own. */
function labelsFor(chart: ChartSpec, area: ChartArea): readonly string[] {
  const labels = shownLabels(chart);
  if (chart.kind === "bar" || chart.kind === "pie" || xIsNumeric(chart)) return labels;
  const below = yearsBelow(labels);
  const { every, rotate } = fitAcross(below, area.w, chart.x?.type !== "category");
  return every === 1 && rotate === 0 ? below : labels;
}

function legendXml(position: "r" | "t", ink: ChartInk, size: number): string {
  return `<c:legend><c:legendPos val="${position}"/><c:overlay val="0"/>${txPr(ink, ink.ink, size)}</c:legend>`;
}

function plot(scene: Scene): string {
  switch (scene.chart.kind) {
    case "line":
    case "area":
      return lines(scene);
    case "pie":
      return pie(scene);
    case "scatter":
      return xIsNumeric(scene.chart) ? scatter(scene) : lines(scene);
    case "bar":
    case "column":
    // A single number is composed as a figure; where it comes as a chart all the same it is one bar.
    case "number":
      return bars(scene);
    default:
      return unreachable(scene.chart.kind);
  }
}

function bars(scene: Scene): string {
  const { chart, ink, format, showValues } = scene;
  const horizontal = chart.kind === "bar";
  const stacked = chart.stacked === true && chart.series.length > 1;
  // Beyond the end of a stacked part is the next part.
  const values = (i: number): string => {
    if (!showValues) return "";
    return stacked
      ? dataLabels({
          ink,
          code: format.code,
          position: "ctr",
          color: inkOn(seriesColor(scene, i), scene.theme),
        })
      : dataLabels({ ink, code: format.code, position: "outEnd" });
  };
  const series = chart.series
    .map((_, i) =>
      seriesOf(
        scene,
        i,
        `${shapeFill(scene, i)}<c:invertIfNegative val="0"/>${fadedBars(scene, i)}${values(i)}${catVal(scene, i)}`,
      ),
    )
    .join("");
  const overlap = stacked ? '<c:overlap val="100"/>' : chart.series.length > 1 ? '<c:overlap val="-5"/>' : "";
  return (
    `<c:barChart><c:barDir val="${horizontal ? "bar" : "col"}"/><c:grouping val="${stacked ? "stacked" : "clustered"}"/><c:varyColors val="0"/>${series}` +
    `<c:gapWidth val="${gapFor(scene.labels.length, chart.series.length > 1 && !stacked)}"/>${overlap}<c:axId val="${X_AXIS_ID}"/><c:axId val="${Y_AXIS_ID}"/></c:barChart>` +
    cartesianAxes(scene, horizontal)
  );
}

/** Percent of a bar's width between bars: few bars stay slim. */
function gapFor(categories: number, grouped: boolean): number {
  if (categories <= 3) return grouped ? 110 : 170;
  return grouped ? 70 : 55;
}

function lines(scene: Scene): string {
  const { chart, ink, format, showValues } = scene;
  const area = chart.kind === "area";
  const stacked = area && chart.stacked === true && chart.series.length > 1;
  const values =
    showValues && !area
      ? dataLabels({
          ink,
          code: format.code,
          position: "t",
          below: valleys(numbers(chart, chart.series[0]?.field ?? "")),
        })
      : "";
  const series = chart.series
    .map((_, i) => {
      const color = seriesColor(scene, i);
      if (area) {
        const alpha = stacked ? "" : '<a:alpha val="70000"/>';
        return seriesOf(
          scene,
          i,
          `<c:spPr><a:solidFill><a:srgbClr val="${color}">${alpha}</a:srgbClr></a:solidFill>${line(color, 1.5)}</c:spPr>${catVal(scene, i)}`,
        );
      }
      const marker =
        scene.labels.length <= 24
          ? `<c:marker><c:symbol val="circle"/><c:size val="7"/><c:spPr>${fill(color)}${noLine}</c:spPr></c:marker>`
          : '<c:marker><c:symbol val="none"/></c:marker>';
      return seriesOf(
        scene,
        i,
        `<c:spPr>${line(color, 2.5)}</c:spPr>${marker}${values}${catVal(scene, i)}<c:smooth val="0"/>`,
      );
    })
    .join("");
  const axes = `<c:axId val="${X_AXIS_ID}"/><c:axId val="${Y_AXIS_ID}"/>`;
  const body = area
    ? `<c:areaChart><c:grouping val="${stacked ? "stacked" : "standard"}"/><c:varyColors val="0"/>${series}${axes}</c:areaChart>`
    : `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}<c:marker val="1"/>${axes}</c:lineChart>`;
  return body + cartesianAxes(scene, false);
}

/** Points that lie lower than the middle of their neighbours. */
function valleys(values: readonly (number | null)[]): readonly number[] {
  return values.flatMap((value, i) => {
    const near = [values[i - 1], values[i + 1]].filter((one) => typeof one === "number");
    const middle = near.reduce((a, b) => a + b, 0) / near.length;
    return value !== null && middle > value ? [i] : [];
  });
}

function cartesianAxes(scene: Scene, horizontal: boolean): string {
  const { chart, ink, area, labels, format, showValues } = scene;
  const fit = horizontal
    ? fitDown(labels.length, area.h)
    : fitAcross(labels, area.w, chart.x?.type !== "category");
  const values = chart.series.flatMap((s) => valuesOf(chart, s.field));
  const isLine = chart.kind === "line" || chart.kind === "scatter";
  return (
    // Names and dates say themselves what they are; only a bare number needs its axis named.
    categoryAxis({
      ink,
      title: chart.x?.type === "number" ? cleanLine(chart.x.label) : "",
      vertical: horizontal,
      ...fit,
    }) +
    valueAxis({
      ink,
      id: Y_AXIS_ID,
      crossId: X_AXIS_ID,
      // The caption above the chart names measure and unit.
      title: "",
      code: axisCode(format, values),
      position: horizontal ? "b" : "l",
      // Totals of stacked parts are read from the axis.
      hidden: showValues && !isLine && !(chart.stacked === true && chart.series.length > 1),
      fromZero: !isLine && values.length > 0 && values.every((v) => v >= 0),
      crosses: horizontal ? "max" : "autoZero",
      between: chart.kind === "area" ? "midCat" : "between",
      gridlines: true,
    })
  );
}

function pie(scene: Scene): string {
  const { chart, ink, labels, theme } = scene;
  const points = labels
    .map(
      (_, i) =>
        `<c:dPt><c:idx val="${i}"/><c:bubble3D val="0"/><c:spPr>${fill(isHighlighted(scene.chart, i, 0) ? colorAt(theme, i) : faded(colorAt(theme, i)))}${line(theme.colors.background, 1.5)}</c:spPr></c:dPt>`,
    )
    .join("");
  const shown = dataLabels({ ink, code: "0%", position: "outEnd", percent: true, size: 14 });
  return `<c:pieChart><c:varyColors val="1"/>${seriesOf({ ...scene, chart }, 0, `${points}${shown}${catVal(scene, 0)}`)}<c:firstSliceAng val="0"/></c:pieChart>`;
}

function scatter(scene: Scene): string {
  const { chart, ink, format } = scene;
  const x = chart.x;
  const xFormat = numberFormat(x === undefined ? [] : valuesOf(chart, x.field), x?.unit);
  const series = chart.series
    .map((s, i) => {
      const marker = `<c:marker><c:symbol val="circle"/><c:size val="9"/><c:spPr>${fill(colorAt(scene.theme, i))}${noLine}</c:spPr></c:marker>`;
      const xs = numberRef(columnRef(0, chart.rows.length), numbers(chart, x?.field ?? ""), xFormat.code);
      const ys = numberRef(columnRef(i + 1, chart.rows.length), numbers(chart, s.field), format.code);
      return seriesOf(
        scene,
        i,
        `<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr>${marker}<c:xVal>${xs}</c:xVal><c:yVal>${ys}</c:yVal><c:smooth val="0"/>`,
      );
    })
    .join("");
  const titled = (label: string, f: NumberFormat): string => withUnit(cleanLine(label), f.unitLabel);
  const axis = {
    ink,
    hidden: false,
    fromZero: false,
    crosses: "min",
    between: "midCat",
    gridlines: true,
  } as const;
  return (
    `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${series}<c:axId val="${X_AXIS_ID}"/><c:axId val="${Y_AXIS_ID}"/></c:scatterChart>` +
    valueAxis({
      ...axis,
      id: X_AXIS_ID,
      crossId: Y_AXIS_ID,
      title: titled(x?.label ?? "", xFormat),
      code: axisCode(xFormat, x === undefined ? [] : valuesOf(chart, x.field)),
      position: "b",
      gridlines: false,
    }) +
    valueAxis({
      ...axis,
      id: Y_AXIS_ID,
      crossId: X_AXIS_ID,
      title: titled(chart.series.length === 1 ? (chart.series[0]?.label ?? "") : "", format),
      code: axisCode(
        format,
        chart.series.flatMap((s) => valuesOf(chart, s.field)),
      ),
      position: "l",
    })
  );
}

function seriesOf(scene: Scene, i: number, inner: string): string {
  const name = cleanLine(scene.chart.series[i]?.label ?? "");
  const cell = `Sheet1!$${columnRef(i + 1, 0)}$1`;
  return `<c:ser><c:idx val="${i}"/><c:order val="${i}"/><c:tx>${stringRef(cell, [name])}</c:tx>${inner}</c:ser>`;
}

function catVal(scene: Scene, i: number): string {
  const { chart, labels, format } = scene;
  const values = numbers(chart, chart.series[i]?.field ?? "");
  return `<c:cat>${stringRef(columnRef(0, labels.length), labels)}</c:cat><c:val>${numberRef(columnRef(i + 1, values.length), values, format.code)}</c:val>`;
}

const numbers = (chart: ChartSpec, field: string): readonly (number | null)[] =>
  chart.rows.map((row) => {
    const value = row[field];
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  });

const shapeFill = (scene: Scene, i: number): string => `<c:spPr>${fill(seriesColor(scene, i))}</c:spPr>`;

/** Whether a value is highlighted, by its place on the axis or its series. Without highlights all are. */
function isHighlighted({ highlight = [], x, rows, series }: ChartSpec, row: number, i: number): boolean {
  const at = x === undefined ? null : (rows[row]?.[x.field] ?? null);
  return (
    highlight.length === 0 || highlight.includes(String(at)) || highlight.includes(series[i]?.label ?? "")
  );
}

/** Paler if none of its values is highlighted. */
function seriesColor({ chart, theme }: Scene, i: number): string {
  const color = colorAt(theme, i);
  return chart.rows.some((_, row) => isHighlighted(chart, row, i)) ? color : faded(color);
}

/** The bars of a series that are not highlighted, paler. */
function fadedBars({ chart, theme }: Scene, i: number): string {
  const fade = `<c:invertIfNegative val="0"/><c:bubble3D val="0"/><c:spPr>${fill(faded(colorAt(theme, i)))}</c:spPr>`;
  const rows = chart.rows.flatMap((_, row) => (isHighlighted(chart, row, i) ? [] : [row]));
  return rows.length === chart.rows.length
    ? ""
    : rows.map((row) => `<c:dPt><c:idx val="${row}"/>${fade}</c:dPt>`).join("");
}

/** The text colour that stands out more from a fill. */
const inkOn = (fillColor: string, { colors }: Theme): string =>
  contrastRatio(colors.background, fillColor) > contrastRatio(colors.ink, fillColor)
    ? colors.background
    : colors.ink;

/** Series colours in order; past the end they return lighter. */
export function colorAt(theme: Theme, i: number): string {
  const { chart } = theme.colors;
  const color = chart[i % chart.length] ?? theme.colors.accent;
  return withWhite(color, Math.min(0.7, Math.floor(i / chart.length) * 0.35));
}

const faded = (color: string): string => withWhite(color, 0.6);

function withWhite(color: string, mix: number): string {
  return [0, 2, 4]
    .map((at) => Math.round(Number.parseInt(color.slice(at, at + 2), 16) * (1 - mix) + 255 * mix))
    .map((v) => v.toString(16).padStart(2, "0").toUpperCase())
    .join("");
}

/** Numbers at the bars or points, where there are few and each has room; then the axis is not needed. */
function roomForValues(scene: Omit<Scene, "showValues">): boolean {
  const { chart, labels, format, area } = scene;
  const points = labels.length * chart.series.length;
  if (chart.stacked === true || points === 0) return false;
  if (chart.kind === "bar") return points <= 16;
  if (chart.kind === "line") return chart.series.length === 1 && points <= 12;
  if (chart.kind !== "column" || points > 18) return false;
  const slot = (area.w * 0.8 * 72) / (labels.length * chart.series.length);
  return chart.series.every((s) =>
    valuesOf(chart, s.field).every((v) => textWidth(formatNumber(v, format), AXIS_PT) <= slot),
  );
}
