import type { JsonObject } from "@troupe/stream";

import { countName, countTitle, isOneOf } from "./count-title.ts";
import { monthOf, spanOf } from "./dated.ts";
import { datedTable, type DatedTable } from "./dated-table.ts";
import { countWords, MAX_WORDS, tableWords } from "./in-brief.ts";
import { FIGURE, titlesOf } from "./message.ts";
import { measuredLeads } from "./measured-leads.ts";
import { planBasis, type PlanBasis } from "./plan-basis.ts";
import { leadsOf, pointSlides } from "./point-slides.ts";
import type { Section, Statement, Table } from "./read-briefing.ts";
import {
  hiddenCells,
  inNotes,
  noted,
  plannedTables,
  reference,
  slideOf,
  tableArgument,
  type Slide,
} from "./slide-arguments.ts";
import { planTable, type TablePlan } from "./table-plan.ts";

/** `March 2026 to May 2027` and the colon before it add so many words to a title. */
const SPAN_WORDS = 5;
/** They were rated on a day, and are not what they were then. */
const RISKS = /\brisks?\b/i;
/** Statements with figures beside a table that make a slide of their own in a deck of many parts. */
const MIN_UNTOLD = 2;

/**
 * A table, its title the statement that says it in words, where that fits on the slide; and a slide of
 * what the table does not say. Where short forms say the same as the table, the table is enough. A long
 * table goes over several slides, each with what it spans in its title.
 */
export function tableSlides(section: Section, whole: Table, most: number, now: number): readonly Slide[] {
  const { heading, statements } = section;
  if (explainsRows(statements)) return leadSlides(section, whole, most);
  const table = shownTable(heading, whole);
  const basis = planBasis(heading, whole, now);
  const spans = spanOf(table.rows.map(([first = ""]) => first)) !== undefined;
  const plan = planTable(table, {
    one: MAX_WORDS - countWords(heading),
    several: MAX_WORDS - countWords(heading) - (spans ? SPAN_WORDS : 1),
  });
  const dated = datedTable(heading, whole, basis, now);
  // Of as many slides the ones with more columns are better, but a plan says of when it is.
  const even = basis === undefined ? 0 : 1;
  if (
    dated !== undefined &&
    (plan === undefined || plan.slides.length > Math.max(1, dated.slides.length - even))
  )
    return datedSlides(section, dated, whole, basis);
  if (plan !== undefined && plan.slides.length > 1) {
    const titles = partTitles(heading, table, plan, spans);
    const parts = plannedTables(table, plan, whole).map((argument, i) =>
      slideOf(i === 0 ? 1 : 2, {
        kind: "table",
        title: titles[i] ?? heading,
        ...argument,
        ...(i === 0 ? noted(statements) : {}),
      }),
    );
    // Dates in sentences are those of the table once more.
    return spans || most === 1 ? parts : [...parts, ...inDetail(pointSlides(section, 1), heading)];
  }
  const [one] = plan === undefined ? [] : plannedTables(table, plan, whole);
  if (one !== undefined) return oneTable(section, one, table, most).map((slide) => planned(slide, basis));
  const leading = tableArgument(table, MAX_WORDS - countWords(heading) - SPAN_WORDS);
  const count = Array.isArray(leading["rows"]) ? leading["rows"].length : 0;
  const span = spans ? spanOf(table.rows.slice(0, count).map(([first = ""]) => first)) : undefined;
  const part = span === undefined ? `${heading}: ${count} of ${table.rows.length}` : `${heading}: ${span}`;
  return oneTable(section, leading, table, most, count < table.rows.length ? part : undefined);
}

/** No name over a column that the heading names. */
const shownTable = (heading: string, table: Table): Table => ({
  ...table,
  columns: table.columns.map((name, c) => (c === 0 && isOneOf(name, heading) ? "" : name)),
});

/** What each part spans where that is dates, else how many parts of how many rows there are; risks with their date. */
function partTitles(heading: string, table: Table, plan: TablePlan, spans: boolean): readonly string[] {
  const { slides, columns } = plan;
  const head = columns.map((c) => table.columns[c] ?? "");
  const words = (part: TablePlan["slides"][number]): number =>
    tableWords([...head, ...part.flatMap((row) => columns.map((c) => row[c] ?? ""))]);
  const counted = countName(heading, table) ?? heading;
  const day = RISKS.test(heading) && table.published !== undefined ? Date.parse(table.published) : NaN;
  const room = MAX_WORDS - Math.max(...slides.map(words)) - 1;
  const name = countWords(counted) <= room ? counted : heading;
  const dated = Number.isNaN(day) ? name : `${name}, ${monthOf(day)}`;
  return slides.map((part, i) => {
    const span = spans ? spanOf(part.map(([first = ""]) => first)) : undefined;
    const fitting = countWords(dated) <= MAX_WORDS - words(part) - 1 ? dated : name;
    return span === undefined ? `${fitting} (${i + 1}/${slides.length})` : `${heading}: ${span}`;
  });
}

/** The one table of a plan: its notes say of when it is, its title too where that fits. */
function planned(slide: Slide, basis: PlanBasis | undefined): Slide {
  const { argument } = slide;
  if (basis === undefined || argument["kind"] !== "table") return slide;
  const own = (key: string): readonly string[] => [argument[key]].filter((text) => typeof text === "string");
  const title = [...own("title"), basis.passed].join(" ");
  const words = tableWords([argument["columns"], argument["rows"]].flat(2).map(String));
  const fits = countWords(title) + words <= MAX_WORDS;
  return {
    ...slide,
    argument: { ...argument, ...(fits ? { title } : {}), notes: [basis.notes, ...own("notes")].join("\n") },
  };
}

function datedSlides(
  { statements }: Section,
  { columns, slides }: DatedTable,
  whole: Table,
  basis: PlanBasis | undefined,
): readonly Slide[] {
  return slides.map(({ title, rows, of }, i) => {
    const hidden = hiddenCells(whole, columns, of);
    const notes = [
      ...(basis === undefined || i > 0 ? [] : [basis.notes]),
      ...(hidden === "" ? [] : [hidden]),
    ].join("\n");
    return slideOf(i === 0 ? 1 : 2, {
      kind: "table",
      title,
      columns: columns.map(() => ""),
      rows,
      sources: whole.citations.map(reference),
      ...(notes === "" ? {} : { notes }),
      ...(i === 0 ? noted(statements) : {}),
    });
  });
}

/** "Kompass: an assistant for every employee": short forms that say what cells only name. */
function explainsRows(statements: readonly Statement[]): boolean {
  const leads = leadsOf(statements);
  return leads.filter(({ text }) => text.includes(": ")).length > leads.length / 2;
}

function leadSlides(section: Section, table: Table, most: number): readonly Slide[] {
  const slides = pointSlides(section, most);
  const measured = slides.length === 1 ? measuredLeads(section, table) : undefined;
  if (measured !== undefined) return [measured];
  const notes = inNotes([table.columns, ...table.rows]);
  const title = slides.length === 1 ? countName(section.heading, table) : undefined;
  const words = leadsOf(section.statements).reduce((n, one) => n + countWords(one.text), 0);
  const counted = title !== undefined && countWords(title) + words <= MAX_WORDS ? { title } : {};
  return slides.map((slide, i) =>
    i > 0 ? slide : { ...slide, argument: { ...slide.argument, ...counted, notes } },
  );
}

const inDetail = (slides: readonly Slide[], heading: string): readonly Slide[] =>
  slides.map((slide) => ({ rank: 2, argument: { ...slide.argument, title: `${heading} in detail` } }));

/** `part` is the title of a slide that has the first rows only. */
function oneTable(
  section: Section,
  shown: JsonObject,
  table: Table,
  most: number,
  part?: string,
): readonly Slide[] {
  const { heading, statements } = section;
  const numbers = new Set([...table.columns, ...table.rows.flat()].flatMap(numbersOf));
  const told = statements.filter((one) => saysNumbers(one.text, numbers));
  const { sources, ...argument } = shown;
  const words = tableWords([argument["columns"], argument["rows"]].flat(2).map(String));
  const says = told.length === 0 && statements.length === 1 ? statements : told;
  const fitting = (part === undefined ? says : []).flatMap((of) =>
    titlesOf(heading, of, true).flatMap((title) =>
      countWords(title) + words <= MAX_WORDS ? [{ of, title }] : [],
    ),
  );
  const headline = fitting.find(({ title }) => title.startsWith(`${heading}: `)) ?? fitting[0];
  // A deck of many parts has the table alone; what else is said stands in its notes.
  const untold = statements.filter((one) => !told.includes(one) && one !== headline?.of);
  const enough =
    leadsOf(statements).length > 0 ||
    (most === 1 &&
      (headline?.of === statements[0] || untold.filter(({ text }) => FIGURE.test(text)).length < MIN_UNTOLD));
  const others = enough ? [] : pointSlides(section, 1, untold);
  const glance = `${heading} at a glance`;
  const cited = headline?.of.citations.map(reference) ?? [];
  const slide = slideOf(1, {
    kind: "table",
    title:
      part ??
      headline?.title ??
      countTitle(heading, table, MAX_WORDS - words) ??
      (others.length === 0 || countWords(glance) + words > MAX_WORDS ? heading : glance),
    ...argument,
    sources: [...cited, ...(Array.isArray(sources) ? sources : [])].slice(0, 40),
    ...noted(
      (others.length === 0 ? statements : told).filter((one) => !headline?.title.endsWith(whole(one))),
    ),
  });
  const [first] = statements;
  if (headline?.of === first) return [slide, ...inDetail(others, heading)];
  return [...others.map((other): Slide => ({ ...other, rank: 2 })), slide];
}

const whole = ({ text }: Statement): string => text.replace(/\.$/, "");

export const numbersOf = (text: string): readonly string[] =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).filter((n) => n.length > 1 && !/^(19|20)\d\d$/.test(n));

/** A statement that says two numbers of the table, or no other. */
export function saysNumbers(text: string, numbers: ReadonlySet<string>): boolean {
  const all = new Set(numbersOf(text));
  const shared = [...all].filter((n) => numbers.has(n)).length;
  return shared >= 2 || (shared > 0 && shared === all.size);
}
