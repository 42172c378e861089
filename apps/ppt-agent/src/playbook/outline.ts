import { readChanges } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

import { atMost, withoutSlide } from "./at-most.ts";
import { chartSlides } from "./chart-slides.ts";
import { deckTitle } from "./deck-title.ts";
import { dayOf, monthOf } from "./dated.ts";
import { countWords, MAX_WORDS } from "./in-brief.ts";
import { pointSlides } from "./point-slides.ts";
import type { Briefing, Section } from "./read-briefing.ts";
import { slideOf, type Slide } from "./slide-arguments.ts";
import { agendaItems, closing, inShort, isSummary } from "./summary-slides.ts";
import { tableSlides } from "./table-slides.ts";
import { toldBy, type Told } from "./told.ts";
import { readAllWishes, SINCE, type Answer, type Wishes } from "./wishes.ts";

const MAX_AGENDA = 10;
const SO_FAR = /\b(?:so far|to date|until now|where we stand|current status)\b/i;
const MAX_NOTES = 2_000;
const MAX_PARTS = 20;
/** Of a deck that is to be shorter. */
const FEWEST = 4;
export interface Outline {
  readonly title: string;
  /** In order; each is the `slide` argument of powerpoint_add_slide. */
  readonly slides: readonly JsonObject[];
  /** Of each part that is in the deck what its slides say first of it. */
  readonly told: readonly Told[];
  /** What was asked and is not in the deck. */
  readonly remarks: readonly string[];
  /** Whether all that was asked of the deck since it was made is followed. */
  readonly followed: boolean;
}

/** A deck by fixed rules: the whole in short, a slide or two a heading, one a chart, what comes next, what it rests on. `now` is in milliseconds since the epoch. */
export function outline(briefing: Briefing, now: number): Outline {
  const { first, changes } = readChanges(briefing.instruction);
  // What is wanted of a deck that is made again stands with it; the request names the last change alone.
  const wishes = readAllWishes(
    briefing.answers,
    changes.length === 0 ? briefing.objective : requestIn(first),
    changes,
  );
  const title =
    wishes.title ??
    deckTitle(
      briefing.objective,
      briefing.instruction,
      briefing.sections.some(({ charts }) => charts.length > 0),
    );
  const { left: wanted, unmet } = leaveOut(briefing.sections, wishes.without);
  const unused = [...unmet.map(({ label }) => ({ label: SINCE, value: label })), ...wishes.unused];
  const all = inFocus(wanted, wishes.focus);
  const sections = all.slice(0, MAX_PARTS);
  const perPart = sections.length >= 4 ? 1 : sections.length >= 2 ? 2 : 4;
  const summary = inShort(sections, now);
  const body = sections
    .filter((section) => summary.slides.length === 0 || !isSummary(section))
    .flatMap((section) => {
      const named = { ...section, heading: section.heading || title };
      return withUnused(sectionSlides(named, perPart, now), named).map((slide): Slide => ({
        ...asOf(slide, named),
        shows: [{ section }],
      }));
    });
  const parts = agendaItems(sections);
  const cited = sections.some(hasSources);
  const slides: readonly Slide[] = [
    slideOf(0, {
      kind: "title",
      title,
      ...subtitle(wishes),
      ...byline(wishes, now),
    }),
    ...summary.slides,
    ...(parts.length < 3 ? [] : [agenda(parts.slice(0, MAX_AGENDA))]),
    ...body,
    ...closing(sections, now, summary),
    ...(cited ? [slideOf(0, { kind: "sources", title: "Sources" })] : []),
  ];
  const most = mostSlides(wishes, slides.length);
  const kept = atMost(slides, most);
  const dropped = withoutSlide(kept, wanted);
  return {
    title,
    slides: kept.map((slide) => slide.argument),
    followed: dropped.length === 0 && !unused.some(({ label }) => label === SINCE),
    told: toldBy(kept, briefing.sections),
    remarks: [
      ...(wishes.focus !== undefined && all === wanted
        ? [`Not used: no part is about "${wishes.focus}"`]
        : []),
      ...unused.map(({ label, value }) => `Not used: ${label}: ${value}`),
      ...dropped.map(({ heading }) => `Not used: ${heading || title}, for which no slide is left`),
      ...briefing.unused,
      ...briefing.without.map((step) => `Not used: step ${step}, which came to no finding`),
      ...(kept.length < slides.length ? [`Limited to ${slideCount(most)}: other slides are left out`] : []),
      ...(all.length > MAX_PARTS ? [`Left out: headings after the first ${MAX_PARTS}`] : []),
    ],
  };
}

const slideCount = (n: number): string => `${n} ${n === 1 ? "slide" : "slides"}`;

/** They are listed on a slide of their own, which a deck has wherever there are any. */
const hasSources = ({ statements, charts, table }: Section): boolean =>
  charts.length > 0 ||
  [...statements, ...(table === undefined ? [] : [table])].some((one) => one.citations.length > 0);

/** A planner quotes the person's words in what it tells the step. */
const requestIn = (instruction: string): string => /"(.+)"/s.exec(instruction)?.[1] ?? instruction;

/** A shorter deck has two slides of three, but never less than says anything. */
function mostSlides({ slides, shorter = 0 }: Wishes, all: number): number {
  const most = Math.min(slides ?? all, all);
  return Math.min(most, Math.max(FEWEST, Math.floor(most * (2 / 3) ** shorter)));
}

/** Whether a heading has a word of these. */
function hasWordOf(words: string): (section: Section) => boolean {
  const known = words.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return ({ heading }) => known.some((word) => heading.toLowerCase().includes(word));
}

/** Without the parts that nobody wants any more; a wish that no part is about, or that every part is, is not followed. */
function leaveOut(
  sections: readonly Section[],
  wishes: Wishes["without"] = [],
): { readonly left: readonly Section[]; readonly unmet: readonly Answer[] } {
  let left = sections;
  const unmet: Answer[] = [];
  for (const wish of wishes) {
    const goes = hasWordOf(wish.value);
    const rest = left.filter((section) => !goes(section));
    if (rest.length === left.length || rest.length === 0) unmet.push(wish);
    else left = rest;
  }
  return { left, unmet };
}

/** Parts whose heading has a word of the focus come first. */
function inFocus(sections: readonly Section[], focus = ""): readonly Section[] {
  const matches = hasWordOf(focus);
  if (!sections.some(matches)) return sections;
  return [...sections.filter(matches), ...sections.filter((section) => !matches(section))];
}

/** The parts, and in the notes how to say them. */
function agenda(items: readonly string[]): Slide {
  const notes = `${items.length} parts: ${items.join(", ")}.`.slice(0, MAX_NOTES);
  return slideOf(4, { kind: "agenda", title: "Agenda", items, notes });
}

/** The deck itself says what it rests on where nobody is named whom it is for. */
const subtitle = ({ audience }: Wishes): JsonObject =>
  audience === undefined ? {} : { subtitle: `For: ${audience}` };

const byline = ({ author, date }: Wishes, now: number): JsonObject => ({
  ...(author === undefined ? {} : { author }),
  date: date ?? dayOf(now),
});

/** What a step left out of what was asked stands first in the notes of its first slide. */
function withUnused(slides: readonly Slide[], { unused }: Section): readonly Slide[] {
  if (unused === undefined) return slides;
  const said = unused.map((line) => `${line}.`).join("\n");
  return slides.map((slide, i) => {
    if (i > 0) return slide;
    const { notes } = slide.argument;
    const all = [said.slice(0, MAX_NOTES), ...(typeof notes === "string" ? [notes] : [])].join("\n");
    return { ...slide, argument: { ...slide.argument, notes: all } };
  });
}

/** `Results so far (January 2026)`: what is so far is so on the day of its document. */
function asOf(slide: Slide, { heading, table }: Section): Slide {
  const { title, points } = slide.argument;
  const day = table?.published === undefined ? NaN : Date.parse(table.published);
  if (title !== heading || !SO_FAR.test(heading) || Number.isNaN(day) || !Array.isArray(points)) return slide;
  const dated = `${heading} (${monthOf(day)})`;
  const words = points.reduce<number>(
    (n, one) => n + countWords(isPoint(one) ? one.text : ""),
    countWords(dated),
  );
  return words > MAX_WORDS ? slide : { ...slide, argument: { ...slide.argument, title: dated } };
}

const isPoint = (one: unknown): one is { readonly text: string } =>
  typeof one === "object" && one !== null && "text" in one && typeof one.text === "string";

function sectionSlides(section: Section, most: number, now: number): readonly Slide[] {
  if (section.charts.length > 0) return chartSlides(section);
  return section.table === undefined
    ? pointSlides(section, most)
    : tableSlides(section, section.table, most, now);
}
