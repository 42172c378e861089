import type { ChartSpec } from "@troupe/stream";

import { cleanLine } from "../text/clean.ts";
import { escapeXml } from "../text/xml.ts";
import { fullLabels } from "./categories.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PKG = "http://schemas.openxmlformats.org/package/2006";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** `Sheet1!$B$2:$B$9` for the values of column 1 (0 is A); only the letters when `rows` is 0. */
export function columnRef(column: number, rows: number): string {
  const letters =
    column < 26
      ? String.fromCharCode(65 + column)
      : columnRef(Math.floor(column / 26) - 1, 0) + columnRef(column % 26, 0);
  return rows === 0 ? letters : `Sheet1!$${letters}$2:$${letters}$${rows + 1}`;
}

/** A scatter chart has numbers on its x axis; anything else has categories. */
export function xIsNumeric(chart: ChartSpec): boolean {
  const field = chart.x?.field;
  return (
    field !== undefined && chart.rows.every((row) => typeof row[field] === "number" || row[field] === null)
  );
}

/** The parts of the workbook behind a chart: what a person sees under "Edit data". Every digit is kept. */
export function workbookParts(chart: ChartSpec): ReadonlyMap<string, string> {
  return new Map([
    [
      "[Content_Types].xml",
      `${HEAD}<Types xmlns="${PKG}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    ],
    [
      "_rels/.rels",
      `${HEAD}<Relationships xmlns="${PKG}/relationships"><Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `${HEAD}<Relationships xmlns="${PKG}/relationships"><Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      "xl/styles.xml",
      `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>',
    ],
    ["xl/worksheets/sheet1.xml", sheet(chart)],
  ]);
}

function sheet(chart: ChartSpec): string {
  const numericX = chart.kind === "scatter" && xIsNumeric(chart);
  const labels = fullLabels(chart);
  const header = [chart.x?.label ?? "", ...chart.series.map((s) => s.label)];
  const rows = [
    header.map((text, c) => textCell(c, 1, cleanLine(text))),
    ...chart.rows.map((row, r) => [
      numericX ? numberCell(0, r + 2, row[chart.x?.field ?? ""]) : textCell(0, r + 2, labels[r] ?? ""),
      ...chart.series.map((s, c) => numberCell(c + 1, r + 2, row[s.field])),
    ]),
  ];
  const xml = rows.map((cells, r) => `<row r="${r + 1}">${cells.join("")}</row>`).join("");
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${xml}</sheetData></worksheet>`;
}

/** An inline string is never a formula, whatever it starts with. */
function textCell(column: number, row: number, text: string): string {
  return `<c r="${columnRef(column, 0)}${row}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

function numberCell(column: number, row: number, value: string | number | null | undefined): string {
  return typeof value === "number" && Number.isFinite(value)
    ? `<c r="${columnRef(column, 0)}${row}"><v>${value}</v></c>`
    : "";
}
