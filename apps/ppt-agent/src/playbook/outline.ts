import type { JsonObject } from "@troupe/stream";

import { deckTitle } from "./deck-title.ts";
import type { Briefing, Section, Statement, Table } from "./read-briefing.ts";

/** Words of statements that one slide takes, beside its title and its line of sources. */
const MAX_SLIDE_WORDS = 32;
/** Slides of statements a heading gets at most. */
const MAX_SLIDES = 2;
/** Statements in short that make a slide: as many messages at a glance. */
const MIN_LEADS = 3;
/** Words of a remark beside a chart. */
const MAX_REMARK_WORDS = 18;
const MAX_AGENDA = 7;
const MAX_CLOSING_WORDS = 28;
/** A number that says how much, not the one in a name. */
const FIGURE =
  /\d\s?(?:%|percent|per cent|million|billion|thousand|hours|days|people)|(?:EUR|USD|GBP|€|\$|£)\s?\d/i;

export interface Outline {
  readonly title: string;
  /** In order; each is the `slide` argument of powerpoint_add_slide. */
  readonly slides: readonly JsonObject[];
}

/** A deck by fixed rules: one slide per heading, one per chart, what it rests on at the end. */
export function outline(briefing: Briefing): Outline {
  const title = deckTitle(briefing.objective);
  const body = briefing.sections.flatMap((section) => sectionSlides(section));
  const parts = agendaItems(briefing.sections);
  const agenda: readonly JsonObject[] =
    parts.length < 3 ? [] : [{ kind: "agenda", title: "Agenda", items: parts.slice(0, MAX_AGENDA) }];
  const cited = briefing.sections.some((section) =>
    section.statements.some((one) => one.citations.length > 0),
  );
  return {
    title,
    slides: [
      { kind: "title", title, subtitle: subtitle(briefing) },
      ...agenda,
      ...body,
      ...closing(briefing.sections),
      ...(cited ? [{ kind: "sources", title: "Sources" }] : []),
    ],
  };
}

/** The headings, those with charts together as one part. */
function agendaItems(sections: readonly Section[]): readonly string[] {
  const charted = sections.filter((section) => section.charts.length > 0);
  const sales = charted.some((section) => /\b(sales|revenue|turnover)\b/i.test(section.heading));
  const plain = sections.filter((section) => section.charts.length === 0 && section.heading !== "");
  const items = plain.map((section) => section.heading);
  return charted.length === 0 ? items : [...items, sales ? "Sales figures" : "The figures"];
}

function subtitle(briefing: Briefing): string {
  const charts = briefing.sections.some((section) => section.charts.length > 0);
  const cited = briefing.sections.some((section) =>
    section.statements.some((one) => one.citations.length > 0),
  );
  if (cited && charts) return "What our documents and figures say";
  if (charts) return "The figures";
  return cited ? "What our documents say" : "Overview";
}

function sectionSlides(section: Section): readonly JsonObject[] {
  const [first, ...others] = section.charts;
  if (first === undefined)
    return section.table === undefined ? pointSlide(section) : withTable(section, section.table);
  const [headline, ...rest] = section.statements;
  const cut = headline === undefined ? undefined : afterMessage(headline);
  const remark = [...(cut === undefined ? [] : [cut]), ...rest].find(
    (one) => countWords(one.text) <= MAX_REMARK_WORDS,
  );
  const slides: JsonObject[] = [
    {
      kind: "chart",
      title: headline === undefined ? section.heading : message(headline.text),
      chart: reference(first),
      ...(remark === undefined ? {} : { takeaways: [point(remark)] }),
      ...notes(section.statements),
    },
  ];
  for (const chart of others)
    slides.push({ kind: "chart", title: section.heading || "In figures", chart: reference(chart) });
  return slides;
}

/** The short forms on one slide where there are enough, else as many statements as two slides take. */
function pointSlide(section: Section): readonly JsonObject[] {
  const short = leadsOf(section);
  if (short.length >= MIN_LEADS) return [bullets(section, upTo(short, MAX_SLIDE_WORDS))];
  const shown: Statement[] = [];
  let slides = 0;
  let words = MAX_SLIDE_WORDS;
  for (const statement of section.statements) {
    const length = countWords(statement.text);
    if (words + length > MAX_SLIDE_WORDS) {
      if (slides === MAX_SLIDES) continue;
      slides++;
      words = 0;
    }
    shown.push(statement);
    words += length;
  }
  return shown.length === 0 ? [] : [bullets(section, shown)];
}

/** Short forms of statements, each once. */
function leadsOf(section: Section): readonly Statement[] {
  const leads = new Map(
    section.statements.flatMap(({ lead, citations }) =>
      lead === undefined ? [] : [[lead, citations] as const],
    ),
  );
  return [...leads].map(([text, citations]) => ({ text, citations }));
}

/**
 * A table says what short forms would say. Other sections keep a slide of brief statements beside it:
 * long ones mostly read the table out.
 */
function withTable(section: Section, table: Table): readonly JsonObject[] {
  const { heading } = section;
  if (leadsOf(section).length >= MIN_LEADS) return [tableSlide(heading, table)];
  const brief = upTo(
    section.statements
      .map((statement) => ({ ...statement, text: inBrief(statement.text) }))
      .filter(({ text }) => countWords(text) <= MAX_REMARK_WORDS),
    MAX_SLIDE_WORDS,
  );
  if (brief.length === 0) return [tableSlide(heading, table)];
  return [bullets(section, brief), tableSlide(`${heading} in figures`.trim(), table)];
}
/** A table as it stands in a document: it says the same as the sentences about it, side by side. */
function tableSlide(title: string, { columns, rows, citations }: Table): JsonObject {
  return { kind: "table", title: title || "Findings", columns, rows, sources: citations.map(reference) };
}

function bullets(section: Section, shown: readonly Statement[]): JsonObject {
  return { kind: "bullets", title: section.heading || "Findings", points: shown.map(point) };
}

/** The first statements that take no more than so many words together. */
function upTo(statements: readonly Statement[], most: number): readonly Statement[] {
  let words = 0;
  return statements.filter(({ text }) => {
    const length = countWords(text);
    if (words + length > most) return false;
    words += length;
    return true;
  });
}

function notes(statements: readonly Statement[]): JsonObject {
  return statements.length === 0
    ? {}
    : { notes: `Also:\n${statements.map((one) => `- ${one.text}`).join("\n")}` };
}

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

/** The message of each section once more, as many as one slide takes with their sources. */
function closing(sections: readonly Section[]): readonly JsonObject[] {
  const messages = sections.flatMap(({ statements: [first] }) => {
    // What cites nothing, such as a finding in the data, has its source on its own slide only.
    if (first === undefined || first.citations.length === 0) return [];
    return [{ text: inBrief(first.text), citations: first.citations }];
  });
  const short = messages.filter(({ text }) => countWords(text) <= MAX_CLOSING_WORDS / 2);
  const withFigures = short.filter(({ text }) => FIGURE.test(text));
  const points = upTo(withFigures.length < 2 ? short : withFigures, MAX_CLOSING_WORDS);
  return points.length < 2 ? [] : [{ kind: "closing", title: "What to remember", points: points.map(point) }];
}

/** The first clause, when it says something by itself: what follows it are details. */
function message(text: string): string {
  const [clause = text] = text.split(/[,;:] /, 1);
  const words = countWords(clause);
  return words >= 4 && words <= 12 ? clause.replace(/\.$/, "") : text.replace(/\.$/, "");
}

/** A long statement by its first clause. */
const inBrief = (text: string): string => (countWords(text) > MAX_REMARK_WORDS ? message(text) : text);

/** What the title of a chart leaves out of its statement. */
function afterMessage(statement: Statement): Statement | undefined {
  const rest = statement.text.slice(message(statement.text).length).replace(/^[,;:\s]+/, "");
  if (countWords(rest) < 3) return undefined;
  return { ...statement, text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
}

function point(statement: Statement): JsonObject {
  return statement.citations.length === 0
    ? { text: statement.text }
    : { text: statement.text, sources: statement.citations.map(reference) };
}

/** `step/id` as tools take it. */
function reference(id: string): JsonObject {
  const slash = id.indexOf("/");
  return { step: id.slice(0, slash), id: id.slice(slash + 1) };
}
