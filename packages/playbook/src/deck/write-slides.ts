import type { JsonObject } from "@troupe/stream";

import type { Section, Statement } from "./read-results.ts";

/** Words of a slide with its title, of one statement, of a table cell and of a title. */
const SLIDE_WORDS = 40;
const STATEMENT_WORDS = 28;
const CELL_WORDS = 12;
const TITLE_WORDS = 12;
const MAX_POINTS = 4;
const MAX_TAKEAWAYS = 2;
const MAX_ROWS = 10;
const MAX_COLUMNS = 6;
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
  const title = titled(heading, "Chart");
  const takeaways = fitting(statements, SLIDE_WORDS - words(title) - 8).slice(0, MAX_TAKEAWAYS);
  return {
    kind: "chart",
    title,
    chart: reference(chart),
    ...(takeaways.length === 0 ? {} : { takeaways: takeaways.map(point) }),
    ...more(statements.filter((one) => !takeaways.includes(one))),
  };
}

/** As many slides as the statements need; a statement that is too long is cut on the slide and whole in the notes. */
function textSlides({ heading, statements }: Section): readonly JsonObject[] {
  const title = titled(heading, "Findings");
  const room = SLIDE_WORDS - words(title);
  const pages: Statement[][] = [];
  let left = 0;
  for (const statement of statements) {
    const shown = { ...statement, text: clipped(statement.text, Math.min(STATEMENT_WORDS, room)) };
    const page = pages.at(-1);
    if (page === undefined || words(shown.text) > left || page.length >= MAX_POINTS) {
      pages.push([shown]);
      left = room - words(shown.text);
    } else {
      page.push(shown);
      left -= words(shown.text);
    }
  }
  return pages.map((page, at) => ({
    kind: "bullets",
    title,
    points: page.map(point),
    ...(at === 0 ? more(statements.filter(({ text }) => words(text) > Math.min(STATEMENT_WORDS, room))) : {}),
  }));
}

function tableSlide(
  { heading }: Section,
  { columns, rows, citations }: NonNullable<Section["table"]>,
): JsonObject {
  const title = titled(heading, "Table");
  const width = Math.min(MAX_COLUMNS, columns.length);
  const cells = (row: readonly string[]): readonly string[] =>
    columns.slice(0, width).map((_, at) => clipped(row[at] ?? "", CELL_WORDS) || "–");
  let room = SLIDE_WORDS - words(title) - cells(columns).reduce((sum, cell) => sum + textWords(cell), 0);
  const shown: (readonly string[])[] = [];
  for (const row of rows.slice(0, MAX_ROWS)) {
    const next = cells(row);
    room -= next.reduce((sum, cell) => sum + textWords(cell), 0);
    if (room < 0 && shown.length > 0) break;
    shown.push(next);
  }
  const whole = shown.length === rows.length && width === columns.length;
  const text = [columns, ...rows].map((row) => row.join(" | ")).join("\n");
  return {
    kind: "table",
    title,
    columns: cells(columns),
    rows: shown.map((row) => [...row]),
    sources: citations.slice(0, MAX_SOURCES).map(reference),
    ...(whole ? {} : { notes: `The whole table:\n${text}`.slice(0, MAX_NOTES) }),
  };
}

function point({ text, citations }: Statement): JsonObject {
  return citations.length === 0
    ? { text }
    : { text, sources: citations.slice(0, MAX_SOURCES).map(reference) };
}

const more = (statements: readonly Statement[]): JsonObject =>
  statements.length === 0 ? {} : { more: statements.slice(0, MAX_MORE).map(point) };

function fitting(statements: readonly Statement[], room: number): readonly Statement[] {
  let left = room;
  return statements.filter(({ text }) => {
    const count = words(text);
    if (count > left) return false;
    left -= count;
    return true;
  });
}

/** `step/id` as an argument of a tool. */
function reference(id: string): JsonObject {
  const slash = id.indexOf("/");
  return { step: id.slice(0, slash), id: id.slice(slash + 1) };
}

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Numbers in a table are not counted as words. */
const textWords = (cell: string): number => cell.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

const titled = (heading: string, otherwise: string): string =>
  clipped(heading === "" ? otherwise : heading, TITLE_WORDS);

/** The first words, with an ellipsis where there are more. */
function clipped(text: string, max: number): string {
  const all = text.split(/\s+/).filter(Boolean);
  return all.length <= max ? text : `${all.slice(0, max - 1).join(" ")} …`;
}
