import type { JsonObject } from "@troupe/stream";

import { dated } from "./dated.ts";
import { deckTitle } from "./deck-title.ts";
import { choose, countWords, inBrief, tableWords } from "./in-brief.ts";
import type { Briefing, Section, Statement, Table } from "./read-briefing.ts";
import { noted, point, reference, slideOf, tableArgument, type Slide } from "./slide-arguments.ts";
import { readWishes, type Wishes } from "./wishes.ts";

/** Words of a slide, its line of sources apart. */
const MAX_WORDS = 40;
/** Statements on one slide, and short forms, which are read at a glance. */
const MAX_STATEMENTS = 3;
const MAX_ROWS = 4;
const MAX_LEADS = 5;
/** Short forms or dates that make a slide of their own. */
const MIN_LEADS = 3;
/** A statement of more words stands by its main clause. */
const MAX_STATEMENT_WORDS = 18;
const MAX_REMARK_WORDS = 24;
const MAX_AGENDA = 7;
const MAX_PARTS = 20;
/** A number that says how much, not the one in a name. */
const FIGURE =
  /\d\s?(?:%|percent|per cent|million|billion|thousand|hours|days|people)|(?:EUR|USD|GBP|€|\$|£)\s?\d/i;

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
  const title = wishes.title ?? deckTitle(briefing.objective);
  const all = inFocus(briefing.sections, wishes.focus);
  const sections = all.slice(0, MAX_PARTS);
  const perPart = sections.length >= 4 ? 1 : sections.length >= 2 ? 2 : 4;
  const named = sections.map((section) => ({ ...section, heading: section.heading || title }));
  const body = named.flatMap((section) => sectionSlides(section, perPart));
  const parts = agendaItems(sections);
  const cited = sections.some((section) => section.statements.some((one) => one.citations.length > 0));
  const slides: readonly Slide[] = [
    slideOf(0, { kind: "title", title, subtitle: subtitle(sections, wishes), ...byline(wishes) }),
    ...(parts.length < 3
      ? []
      : [slideOf(4, { kind: "agenda", title: "Agenda", items: parts.slice(0, MAX_AGENDA) })]),
    ...body,
    ...closing(sections),
    ...(cited ? [slideOf(0, { kind: "sources", title: "Sources" })] : []),
  ];
  const kept = atMost(slides, wishes.slides ?? slides.length);
  return {
    title,
    slides: kept.map((slide) => slide.argument),
    remarks: [
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
  return [...sections.filter(matches), ...sections.filter((section) => !matches(section))];
}

/** The headings, those with charts together as one part. */
function agendaItems(sections: readonly Section[]): readonly string[] {
  const items = sections
    .filter((section) => section.charts.length > 0 || section.heading !== "")
    .map((section) => (section.charts.length > 0 ? figuresPart(section) : section.heading));
  return [...new Set(items)];
}

/** What the part of the deck is called that holds a chart. */
const figuresPart = ({ heading, statements }: Section): string =>
  [heading, ...statements.map((one) => one.text)].some((text) => /\b(sales|revenue|turnover)\b/i.test(text))
    ? "Sales figures"
    : "The figures";

function subtitle(sections: readonly Section[], { audience }: Wishes): string {
  const charts = sections.some((section) => section.charts.length > 0);
  const cited = sections.some((section) => section.statements.some((one) => one.citations.length > 0));
  const what =
    cited && charts
      ? "What our documents and figures say"
      : charts
        ? "The figures"
        : cited
          ? "What our documents say"
          : "Overview";
  return audience === undefined ? what : `${what} – for: ${audience}`;
}

const byline = ({ author, date }: Wishes): JsonObject => ({
  ...(author === undefined ? {} : { author }),
  ...(date === undefined ? {} : { date }),
});

function sectionSlides(section: Section, most: number): readonly Slide[] {
  if (section.charts.length > 0) return chartSlides(section);
  return section.table === undefined ? pointSlides(section, most) : withTable(section, section.table);
}

/** Each chart under what is said about it; other statements stand beside the first one. */
function chartSlides(section: Section): readonly Slide[] {
  const [headline, ...rest] = section.statements;
  const part = figuresPart(section);
  return section.charts.map((chart, i): Slide => {
    if (i > 0)
      return slideOf(2, { kind: "chart", title: `${part}: ${section.heading}`, chart: reference(chart) });
    const title = headline === undefined ? section.heading : inBrief(headline.text);
    const others = [...(headline === undefined ? [] : afterTitle(headline, title)), ...rest];
    const room = MAX_REMARK_WORDS - Math.max(0, countWords(title) - 8);
    const fitting = choose(others, (one) => countWords(one.text), room, 2).filter(
      (one) => countWords(one.text) <= room,
    );
    return slideOf(1, {
      kind: "chart",
      title: `${part}: ${title}`,
      chart: reference(chart),
      ...(fitting.length === 0 ? {} : { takeaways: fitting.map(point) }),
      ...noted(section.statements),
    });
  });
}

/** What a title leaves out of its statement. */
function afterTitle(statement: Statement, title: string): readonly Statement[] {
  const rest = statement.text.slice(title.length).replace(/^[,;:.\s]+/, "");
  if (countWords(rest) < 3) return [];
  return [{ ...statement, text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` }];
}

/** A statement as a slide shows it. */
interface Shown extends Statement {
  readonly of: Statement;
  /** Says less than the statement itself, which then stands in the notes. */
  readonly brief: boolean;
}

/** The short forms or dates on one slide where there are enough, else statements as they fit. */
function pointSlides(
  section: Section,
  most: number,
  statements: readonly Statement[] = section.statements,
): readonly Slide[] {
  if (statements.length === 0) return [];
  const title = section.heading;
  // One word for the `(1/2)` of a slide that goes on.
  const room = MAX_WORDS - countWords(title) - 1;
  const leads = leadsOf(statements);
  const brief = leads.length > 0 ? leads : dated(statements).map((one) => ({ ...one, brief: false }));
  const slides: (readonly Shown[])[] = [];
  if (brief.length > 0) slides.push(choose(brief, wordsOf, room, MAX_LEADS));
  let left = brief.length > 0 ? [] : statements.map(shortened);
  const together = left.length <= MAX_ROWS && left.reduce((n, one) => n + wordsOf(one), 0) <= room;
  // Four in rows where they are all, else no slide of a crumb after one of three.
  const parts = Math.ceil(left.length / MAX_STATEMENTS);
  const each = together || most === 1 ? MAX_ROWS : Math.ceil(left.length / Math.max(1, parts));
  while (left.length > 0 && slides.length < most) {
    const shown = choose(left, wordsOf, room, each);
    slides.push(shown);
    left = left.filter((one) => !shown.includes(one));
  }
  const said = new Set(slides.flat().flatMap((one) => (one.brief ? [] : [one.of])));
  const last = slides.length - 1;
  return slides.map((shown, i) =>
    slideOf(i === 0 ? 1 : 2, {
      kind: "bullets",
      title: slides.length > 1 ? `${title} (${i + 1}/${slides.length})` : title,
      points: shown.map(point),
      ...(i === last ? noted(statements.filter((one) => !said.has(one))) : {}),
    }),
  );
}

const wordsOf = ({ text }: Statement): number => countWords(text);

/** Short forms of statements, each once, where there are enough for a slide. */
function leadsOf(statements: readonly Statement[]): readonly Shown[] {
  const leads = new Map(
    statements.flatMap((of) =>
      of.lead === undefined
        ? []
        : [[of.lead, { text: of.lead, citations: of.citations, of, brief: true }] as const],
    ),
  );
  return leads.size < MIN_LEADS ? [] : [...leads.values()];
}

function shortened(of: Statement): Shown {
  const text = countWords(of.text) > MAX_STATEMENT_WORDS ? inBrief(of.text) : of.text;
  return { ...of, text, of, brief: text.length < of.text.length - 1 };
}

/**
 * A table, its title the statement that says it in words, where that fits on the slide; and a slide of
 * what the table does not say. Where short forms say the same as the table, the table is enough.
 */
function withTable(section: Section, table: Table): readonly Slide[] {
  const { heading, statements } = section;
  const numbers = new Set([...table.columns, ...table.rows.flat()].flatMap(numbersOf));
  const told = statements.filter((one) => sharedNumbers(one.text, numbers) >= 2);
  const { sources, ...argument } = tableArgument(table, MAX_WORDS - countWords(heading) - 2);
  const words = tableWords([argument["columns"], argument["rows"]].flat(2).map(String));
  const says = told.length === 0 && statements.length === 1 ? statements : told;
  const fitting = says.flatMap((of) =>
    [`${heading}: ${inBrief(of.text)}`, inBrief(of.text)].flatMap((title) =>
      countWords(title) + words <= MAX_WORDS ? [{ of, title }] : [],
    ),
  );
  const headline = fitting.find(({ title }) => title.startsWith(`${heading}: `)) ?? fitting[0];
  const others =
    leadsOf(statements).length > 0
      ? []
      : pointSlides(
          section,
          1,
          statements.filter((one) => !told.includes(one) && one !== headline?.of),
        );
  const cited = headline?.of.citations.map(reference) ?? [];
  const slide = slideOf(1, {
    kind: "table",
    title: headline?.title ?? (others.length === 0 ? heading : `${heading} in figures`),
    ...argument,
    sources: [...cited, ...(Array.isArray(sources) ? sources : [])].slice(0, 40),
    ...noted(
      (others.length === 0 ? statements : told).filter((one) => !headline?.title.endsWith(whole(one))),
    ),
  });
  const [first] = statements;
  const rest = others.map((other): Slide => ({ ...other, rank: 2 }));
  if (headline === undefined || headline.of !== first) return [...rest, slide];
  const title = `${heading} in detail`;
  return [slide, ...rest.map((other): Slide => ({ ...other, argument: { ...other.argument, title } }))];
}

const whole = ({ text }: Statement): string => text.replace(/\.$/, "");

const numbersOf = (text: string): readonly string[] =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).filter((n) => n.length > 1 && !/^(19|20)\d\d$/.test(n));

const sharedNumbers = (text: string, numbers: ReadonlySet<string>): number =>
  new Set(numbersOf(text).filter((n) => numbers.has(n))).size;

/** The message of each section once more, as many as one slide takes. */
function closing(sections: readonly Section[]): readonly Slide[] {
  const messages = sections.flatMap(({ statements: [first] }) => {
    // What cites nothing, such as a finding in the data, has its source on its own slide only.
    if (first === undefined || first.citations.length === 0) return [];
    return [{ ...first, text: first.lead ?? inBrief(first.text) }];
  });
  const title = "What to remember";
  const short = messages.filter((one) => wordsOf(one) <= MAX_STATEMENT_WORDS);
  const withFigures = short.filter(({ text }) => FIGURE.test(text));
  const from = withFigures.length < 2 ? short : withFigures;
  const points = choose(from, wordsOf, MAX_WORDS - countWords(title), MAX_STATEMENTS);
  if (points.length < 2 || sections.length < 3) return [];
  return [slideOf(3, { kind: "closing", title, points: points.map(point) })];
}
