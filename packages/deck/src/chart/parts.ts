import { escapeXml } from "../text/xml.ts";
import { AXIS_PT } from "./categories.ts";

/** Text look of everything inside a chart. */
export interface ChartInk {
  readonly font: string;
  readonly ink: string;
  readonly muted: string;
  readonly rule: string;
  readonly language: string;
}

export const fill = (color: string): string => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`;

export const line = (color: string, pt: number): string =>
  `<a:ln w="${Math.round(pt * 12_700)}" cap="rnd">${fill(color)}<a:round/></a:ln>`;

export const noLine = "<a:ln><a:noFill/></a:ln>";

function defRPr(ink: ChartInk, color: string, size: number, bold: boolean): string {
  return `<a:defRPr sz="${size * 100}" b="${bold ? 1 : 0}">${fill(color)}<a:latin typeface="${ink.font}"/><a:cs typeface="${ink.font}"/></a:defRPr>`;
}

/** What PowerPoint writes where it may turn or thin out labels itself. */
const AUTO_ROTATION = -60_000_000;

export function txPr(ink: ChartInk, color = ink.muted, size = AXIS_PT, rotate?: number | "auto"): string {
  const body =
    rotate === undefined
      ? "<a:bodyPr/>"
      : `<a:bodyPr rot="${rotate === "auto" ? AUTO_ROTATION : rotate * 60_000}" vert="horz"/>`;
  return `<c:txPr>${body}<a:lstStyle/><a:p><a:pPr>${defRPr(ink, color, size, false)}</a:pPr><a:endParaRPr lang="${ink.language}"/></a:p></c:txPr>`;
}

export function axisTitle(text: string, ink: ChartInk, rotate?: number): string {
  if (text === "") return "";
  const body = rotate === undefined ? "<a:bodyPr/>" : `<a:bodyPr rot="${rotate * 60_000}" vert="horz"/>`;
  const run = `<a:r><a:rPr lang="${ink.language}" sz="${AXIS_PT * 100}" b="0">${fill(ink.muted)}<a:latin typeface="${ink.font}"/></a:rPr><a:t>${escapeXml(text)}</a:t></a:r>`;
  return `<c:title><c:tx><c:rich>${body}<a:lstStyle/><a:p><a:pPr>${defRPr(ink, ink.muted, AXIS_PT, false)}</a:pPr>${run}</a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
}

export function dataLabels(options: {
  readonly ink: ChartInk;
  readonly code: string;
  readonly position: "outEnd" | "t" | "ctr";
  /** Of the ink when absent. */
  readonly color?: string;
  readonly percent?: boolean;
  readonly size?: number;
  /** Points whose number stands below: above, the line would run through it. */
  readonly below?: readonly number[];
}): string {
  const percent = options.percent === true;
  const looks = (position: string): string =>
    `<c:numFmt formatCode="${escapeXml(options.code)}" sourceLinked="0"/><c:spPr><a:noFill/>${noLine}</c:spPr>` +
    `${txPr(options.ink, options.color ?? options.ink.ink, options.size ?? AXIS_PT)}<c:dLblPos val="${position}"/><c:showLegendKey val="0"/><c:showVal val="${percent ? 0 : 1}"/>` +
    `<c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="${percent ? 1 : 0}"/><c:showBubbleSize val="0"/>`;
  const below = (options.below ?? [])
    .map((i) => `<c:dLbl><c:idx val="${i}"/>${looks("b")}</c:dLbl>`)
    .join("");
  return `<c:dLbls>${below}${looks(options.position)}</c:dLbls>`;
}

export function stringRef(ref: string, values: readonly string[]): string {
  const points = values.map((v, i) => `<c:pt idx="${i}"><c:v>${escapeXml(v)}</c:v></c:pt>`).join("");
  return `<c:strRef><c:f>${ref}</c:f><c:strCache><c:ptCount val="${values.length}"/>${points}</c:strCache></c:strRef>`;
}

/** Every digit of the value; a missing one is a gap, not a zero. */
export function numberRef(ref: string, values: readonly (number | null)[], code: string): string {
  const points = values.map((v, i) => (v === null ? "" : `<c:pt idx="${i}"><c:v>${v}</c:v></c:pt>`)).join("");
  return `<c:numRef><c:f>${ref}</c:f><c:numCache><c:formatCode>${escapeXml(code)}</c:formatCode><c:ptCount val="${values.length}"/>${points}</c:numCache></c:numRef>`;
}
