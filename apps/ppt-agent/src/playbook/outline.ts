import type { JsonObject } from "@troupe/stream";

import { deckTitle } from "./deck-title.ts";
import type { Briefing, Section, Statement } from "./read-briefing.ts";

/** Slides for one section at most; the rest of a long one stays in the answers it came from. */
const MAX_POINTS = 6;
const MAX_AGENDA = 7;
const MAX_CLOSING = 3;
const MAX_CLOSING_WORDS = 22;

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
  if (cited && charts) return "From our documents, with the figures";
  if (charts) return "The figures";
  return cited ? "From our documents" : "Overview";
}

function sectionSlides(section: Section): readonly JsonObject[] {
  const [first, ...others] = section.charts;
  if (first === undefined) {
    const points = section.statements.slice(0, MAX_POINTS).map(point);
    return points.length === 0 ? [] : [{ kind: "bullets", title: section.heading || "Findings", points }];
  }
  const [headline, ...rest] = section.statements;
  const slides: JsonObject[] = [
    {
      kind: "chart",
      title: headline === undefined ? section.heading : message(headline.text),
      chart: reference(first),
      ...(rest.length === 0 ? {} : { takeaways: rest.slice(0, 2).map(point) }),
    },
  ];
  for (const chart of others)
    slides.push({ kind: "chart", title: section.heading || "In figures", chart: reference(chart) });
  return slides;
}

/** The short first statements once more, as what to remember: as many as one slide takes with their sources. */
function closing(sections: readonly Section[]): readonly JsonObject[] {
  const chosen: Statement[] = [];
  let words = 0;
  for (const [first] of sections.map((section) => section.statements)) {
    const length = first?.text.split(/\s+/).length ?? 0;
    if (first === undefined || length > MAX_CLOSING_WORDS / 2 || words + length > MAX_CLOSING_WORDS) continue;
    chosen.push(first);
    words += length;
    if (chosen.length === MAX_CLOSING) break;
  }
  return chosen.length < 2 ? [] : [{ kind: "closing", title: "What to remember", points: chosen.map(point) }];
}

/** The first clause, when it says something by itself: what follows it are details. */
function message(text: string): string {
  const [clause = text] = text.split(/[,;] /, 1);
  const words = clause.split(/\s+/).length;
  return words >= 4 && words <= 12 ? clause.replace(/\.$/, "") : text.replace(/\.$/, "");
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
