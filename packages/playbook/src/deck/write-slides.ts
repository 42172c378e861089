import { clip } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

import type { Section, Statement } from "./read-results.ts";

const MAX_POINTS = 4;
const MAX_TAKEAWAYS = 2;
const MAX_TITLE = 100;
const MAX_CELL = 400;
const MAX_ROWS = 100;
const MAX_COLUMNS = 12;
const MAX_MORE = 60;
const MAX_SOURCES = 40;
const MAX_NOTES = 9_000;

/** A title slide, a slide for each section, chart and table, and the sources. */
export function writeSlides(
  title: string,
  date: string,
  sections: readonly Section[],
): readonly JsonObject[] {
  return [{ kind: "title", title, date }, ...sections.flatMap(slidesOf), { kind: "sources" }];
}

function slidesOf(section: Section): readonly JsonObject[] {
  const { charts, table, statements } = section;
  const charted = charts.map((chart, at) => chartSlide(section, chart, at === 0 ? statements : []));
  if (charts.length > 0) return charted;
  return [
    ...(statements.some(({ citations }) => citations.length > 0) || table === undefined
      ? textSlides(section)
      : []),
    ...(table === undefined ? [] : [tableSlide(section, table)]),
  ];
}

function chartSlide({ heading }: Section, chart: string, statements: readonly Statement[]): JsonObject {
  return {
    kind: "chart",
    title: titled(heading, "Chart"),
    chart: reference(chart),
    ...(statements.length === 0 ? {} : { takeaways: statements.slice(0, MAX_TAKEAWAYS).map(point) }),
    ...more(statements.slice(MAX_TAKEAWAYS)),
  };
}

function textSlides({ heading, statements }: Section): readonly JsonObject[] {
  const title = titled(heading, "Findings");
  const pages = Array.from({ length: Math.ceil(statements.length / MAX_POINTS) }, (_, page) =>
    statements.slice(page * MAX_POINTS, (page + 1) * MAX_POINTS),
  );
  return pages.map((page) => ({ kind: "bullets", title, points: page.map(point) }));
}

function tableSlide(
  { heading }: Section,
  { columns, rows, citations }: NonNullable<Section["table"]>,
): JsonObject {
  const cells = (row: readonly string[]): readonly string[] =>
    columns.slice(0, MAX_COLUMNS).map((_, at) => clip(row[at] ?? "", MAX_CELL) || "–");
  const isWhole = rows.length <= MAX_ROWS && columns.length <= MAX_COLUMNS;
  const text = [columns, ...rows].map((row) => row.join(" | ")).join("\n");
  return {
    kind: "table",
    title: titled(heading, "Table"),
    columns: cells(columns),
    rows: rows.slice(0, MAX_ROWS).map((row) => [...cells(row)]),
    sources: citations.slice(0, MAX_SOURCES).map(reference),
    ...(isWhole ? {} : { notes: clip(`The whole table:\n${text}`, MAX_NOTES) }),
  };
}

function point({ text, citations }: Statement): JsonObject {
  return citations.length === 0
    ? { text }
    : { text, sources: citations.slice(0, MAX_SOURCES).map(reference) };
}

const more = (statements: readonly Statement[]): JsonObject =>
  statements.length === 0 ? {} : { more: statements.slice(0, MAX_MORE).map(point) };

/** `step/id` as an argument of a tool. */
function reference(id: string): JsonObject {
  const slash = id.indexOf("/");
  return { step: id.slice(0, slash), id: id.slice(slash + 1) };
}

const titled = (heading: string, otherwise: string): string =>
  clip(heading === "" ? otherwise : heading, MAX_TITLE);
