import type { JsonObject } from "@troupe/stream";

import { chartSlides, figuresPart } from "./chart-slides.ts";
import { deckTitle } from "./deck-title.ts";
import { choose, countWords, inBrief, MAX_WORDS } from "./in-brief.ts";
import { MAX_STATEMENTS, MAX_STATEMENT_WORDS, pointSlides, wordsOf } from "./point-slides.ts";
import type { Briefing, Section, Statement } from "./read-briefing.ts";
import { point, slideOf, type Slide } from "./slide-arguments.ts";
import { tableSlides } from "./table-slides.ts";
import { readWishes, type Wishes } from "./wishes.ts";

const MAX_AGENDA = 8;
const MAX_NOTES = 2_000;
const MAX_PARTS = 20;
/** A number that says how much, not the one in a name. */
const FIGURE =
  /\d\s?(?:%|percent|per cent|million|billion|thousand|hours|days|people)|(?:EUR|USD|GBP|€|\$|£)\s?\d/i;
/** `24.0 million in 2028`: what is said of a figure before its year has no other figure in it. */
const FIGURE_IN_YEAR = /(\d+(?:[.,]\d+)*)\D{0,60}?\b((?:in|by)\s(?:the end of\s)?(?:19|20)\d{2})\b/gi;
const YEAR = /\b(?:19|20)\d{2}\b/;

export interface Outline {
  readonly title: string;
  /** In order; each is the `slide` argument of powerpoint_add_slide. */
  readonly slides: readonly JsonObject[];
  /** What was asked and is not in the deck. */
  readonly remarks: readonly string[];
}

/** A deck by fixed rules: a slide or two a heading, one a chart, what it rests on at the end. */
export function outline(briefing: Briefing): Outline {
  const wishes = readWishes(briefing.answers, briefing.objective);
  const title =
    wishes.title ??
    deckTitle(
      briefing.objective,
      briefing.instruction,
      briefing.sections.some(({ charts }) => charts.length > 0),
    );
  const all = inFocus(briefing.sections, wishes.focus);
  const sections = all.slice(0, MAX_PARTS);
  const perPart = sections.length >= 4 ? 1 : sections.length >= 2 ? 2 : 4;
  const named = sections.map((section) => ({ ...section, heading: section.heading || title }));
  const body = named.flatMap((section) => sectionSlides(section, perPart));
  const parts = agendaItems(sections);
  const cited = sections.some((section) => section.statements.some((one) => one.citations.length > 0));
  const slides: readonly Slide[] = [
    slideOf(0, {
      kind: "title",
      title,
      ...subtitle(wishes),
      ...byline(wishes),
      notes: `Asked for: ${briefing.objective}`.slice(0, MAX_NOTES),
    }),
    ...(parts.length < 3 ? [] : [agenda(parts.slice(0, MAX_AGENDA))]),
    ...body,
    ...closing(sections),
    ...(cited ? [slideOf(0, { kind: "sources", title: "Sources" })] : []),
  ];
  const kept = atMost(slides, wishes.slides ?? slides.length);
  return {
    title,
    slides: kept.map((slide) => slide.argument),
    remarks: [
      ...(wishes.focus !== undefined && all === briefing.sections
        ? [`Not used: no part is about "${wishes.focus}"`]
        : []),
      ...wishes.unused.map(({ label, value }) => `Not used: ${label}: ${value}`),
      ...briefing.without.map((step) => `Not used: step ${step}, which came to no finding`),
      ...(kept.length < slides.length
        ? [`Left out to keep to ${wishes.slides} slides: ${slides.length - kept.length}`]
        : []),
      ...(all.length > MAX_PARTS ? [`Left out: ${all.length - MAX_PARTS} more headings`] : []),
    ],
  };
}

/** Slides with the highest rank go first, the last of them before the others; one chart stays. */
function atMost(slides: readonly Slide[], most: number): readonly Slide[] {
  const chart = slides.find((slide) => slide.argument["kind"] === "chart");
  const rankOf = (slide: Slide): number => (slide === chart ? 0 : slide.rank);
  const byRank = slides.toSorted((a, b) => rankOf(a) - rankOf(b));
  const kept = new Set(byRank.slice(0, most));
  return slides.filter((slide) => kept.has(slide));
}

/** Parts whose heading has a word of the focus come first. */
function inFocus(sections: readonly Section[], focus = ""): readonly Section[] {
  const words = focus.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const matches = ({ heading }: Section): boolean =>
    words.some((word) => heading.toLowerCase().includes(word));
  if (!sections.some(matches)) return sections;
  return [...sections.filter(matches), ...sections.filter((section) => !matches(section))];
}

/** The headings, those with charts together as one part. */
function agendaItems(sections: readonly Section[]): readonly string[] {
  const items = sections
    .filter((section) => section.charts.length > 0 || section.heading !== "")
    .map((section) => (section.charts.length > 0 ? figuresPart(section) : section.heading));
  return [...new Set(items)];
}

/** The parts, and in the notes how to say them. */
function agenda(items: readonly string[]): Slide {
  const notes = `${items.length} parts: ${items.join(", ")}.`.slice(0, MAX_NOTES);
  return slideOf(4, { kind: "agenda", title: "Agenda", items, notes });
}

/** The deck itself says what it rests on where nobody is named whom it is for. */
const subtitle = ({ audience }: Wishes): JsonObject =>
  audience === undefined ? {} : { subtitle: `For: ${audience}` };

const byline = ({ author, date }: Wishes): JsonObject => ({
  ...(author === undefined ? {} : { author }),
  ...(date === undefined ? {} : { date }),
});

function sectionSlides(section: Section, most: number): readonly Slide[] {
  if (section.charts.length > 0) return chartSlides(section);
  return section.table === undefined ? pointSlides(section, most) : tableSlides(section, section.table, most);
}

/** Its short form with the year of its figure, which is no message to take home without; else its main clause. */
function messageOf({ text, lead }: Statement): string {
  const brief = inBrief(text);
  if (lead === undefined) return brief;
  if (YEAR.test(lead)) return lead;
  const [figure] = lead.match(/\d+(?:[.,]\d+)*/g) ?? [];
  if (figure === undefined) return lead;
  const when = [...text.slice(0, MAX_NOTES).matchAll(FIGURE_IN_YEAR)].find(
    ([, value = ""]) => Number(value.replaceAll(",", "")) === Number(figure.replaceAll(",", "")),
  );
  if (when?.[2] !== undefined) return `${lead} ${when[2]}`;
  return YEAR.test(brief) ? brief : lead;
}

/** The message of each section once more, as many as one slide takes. */
function closing(sections: readonly Section[]): readonly Slide[] {
  const messages = sections.flatMap(({ statements }) => {
    const first = statements.find(({ lead }) => lead !== undefined) ?? statements[0];
    // What cites nothing, such as a finding in the data, has its source on its own slide only.
    if (first === undefined || first.citations.length === 0) return [];
    return [{ ...first, text: messageOf(first) }];
  });
  const title = "What to remember";
  const short = messages.filter((one) => wordsOf(one) <= MAX_STATEMENT_WORDS);
  // The first part is mostly a summary: what it puts first stands without a figure, too.
  const withFigures = short.filter(
    (one) => FIGURE.test(one.text) || (one === messages[0] && one.lead !== undefined),
  );
  const from = withFigures.length < 2 ? short : withFigures;
  const points = choose(from, wordsOf, MAX_WORDS - countWords(title), MAX_STATEMENTS);
  if (points.length < 2 || sections.length < 3) return [];
  return [slideOf(3, { kind: "closing", title, points: points.map(point) })];
}
