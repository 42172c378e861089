import { dated } from "./dated.ts";
import { choose, chooseFrom, countWords, inBrief, MAX_WORDS } from "./in-brief.ts";
import { FIGURE, standsAlone, titlesOf } from "./message.ts";
import type { Section, Statement } from "./read-briefing.ts";
import { noted, point, reference, slideOf, type Slide } from "./slide-arguments.ts";

/** Statements on one slide, and short forms, which are read at a glance. */
export const MAX_STATEMENTS = 3;
const MAX_ROWS = 4;
const MAX_LEADS = 6;
const MAX_DATED = 5;
/** Short forms that make a slide of their own. */
const MIN_LEADS = 3;
/** Statements under one that is the title. */
const MIN_UNDER = 2;
/** A statement of more words stands by its main clause. */
export const MAX_STATEMENT_WORDS = 18;

/** Characters of a statement that are looked at. */
const MAX_READ = 1_000;

/** A statement as a slide shows it. */
interface Shown extends Statement {
  readonly of: Statement;
  /** Says less than the statement itself, which then stands in the notes. */
  readonly brief: boolean;
}

/** The short forms or dates on one slide where there are enough, else statements as they fit. */
export function pointSlides(
  section: Section,
  most: number,
  statements: readonly Statement[] = section.statements,
): readonly Slide[] {
  if (statements.length === 0) return [];
  const title = section.heading;
  // One word for the `(1/2)` of a slide that goes on.
  const room = MAX_WORDS - countWords(title) - 1;
  const leads = leadsOf(statements);
  const dates = leads.length > 0 ? [] : dated(statements).map((one) => ({ ...one, brief: false }));
  const slides: (readonly Shown[])[] = [...allOf(leads, room)];
  if (dates.length > 0) slides.push(choose(dates, wordsOf, room, MAX_DATED));
  const alone = statements.filter(standsAlone);
  // On the one slide of a part the sentence before may be missing.
  const shownOf = most > 1 || alone.length === 0 ? statements : figuresFirst(alone);
  const headed = slides.length === 0 && most === 1 ? underHeadline(section, shownOf, statements) : undefined;
  if (headed !== undefined) return [headed];
  let left = slides.length > 0 ? [] : shownOf.map(shortened);
  const together = left.length <= MAX_ROWS && left.reduce((n, one) => n + wordsOf(one), 0) <= room;
  // Four in rows where they are all, else no slide of a crumb after one of three.
  const parts = Math.ceil(left.length / MAX_STATEMENTS);
  const each = together || most === 1 ? MAX_ROWS : Math.ceil(left.length / Math.max(1, parts));
  while (left.length > 0 && slides.length < most) {
    const shown = chooseFrom(left, wordsOf, room, each);
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

/** What comes first stays first; of the rest a figure says more than none. */
function figuresFirst([first, ...rest]: readonly Statement[]): readonly Statement[] {
  const has = ({ text }: Statement): boolean => FIGURE.test(text);
  return [...(first === undefined ? [] : [first]), ...rest.filter(has), ...rest.filter((one) => !has(one))];
}

/** The first statement as the title over two others or more, where they fit on one slide. */
function underHeadline(
  { heading }: Section,
  shownOf: readonly Statement[],
  all: readonly Statement[],
): Slide | undefined {
  const [first, ...rest] = shownOf;
  if (first === undefined || rest.length < MIN_UNDER) return undefined;
  const others = rest.map(shortened);
  for (const title of titlesOf(heading, first)) {
    const room = MAX_WORDS - countWords(title);
    const shown = choose(others, wordsOf, room, MAX_STATEMENTS);
    const about = title.startsWith(heading) || shown.every((one) => shareWord(one.text, title));
    if (!about || shown.length < MIN_UNDER || shown.reduce((n, one) => n + wordsOf(one), 0) > room) continue;
    const whole = new Set(shown.flatMap((one) => (one.brief ? [] : [one.of])));
    return slideOf(1, {
      kind: "bullets",
      title,
      points: shown.map(point),
      sources: first.citations.map(reference),
      ...noted(all.filter((one) => !whole.has(one) && !title.endsWith(one.text.replace(/\.$/, "")))),
    });
  }
  return undefined;
}

/** Without its heading a title holds together what is about the same: a name, a thing. */
function shareWord(a: string, b: string): boolean {
  const words = new Set(longWords(a));
  return longWords(b).some((word) => words.has(word));
}

/** By their beginnings: `station` and `stations` are one word. */
const longWords = (text: string): readonly string[] =>
  (
    text
      .slice(0, MAX_READ)
      .toLowerCase()
      .match(/\p{L}{5,}/gu) ?? []
  ).map((word) => word.slice(0, 6));

/** A set is whole: as many slides as it takes, each with its share. */
function allOf(leads: readonly Shown[], room: number): readonly (readonly Shown[])[] {
  const total = leads.reduce((n, one) => n + wordsOf(one), 0);
  let count = Math.ceil(Math.max(total / room, leads.length / MAX_LEADS));
  for (; count < leads.length; count += 1) {
    const each = Math.ceil(leads.length / count);
    const slides = Array.from({ length: Math.ceil(leads.length / each) }, (_, i) =>
      leads.slice(i * each, (i + 1) * each),
    );
    if (slides.every((slide) => slide.reduce((n, one) => n + wordsOf(one), 0) <= room)) return slides;
  }
  return leads.map((lead) => [lead]);
}

export const wordsOf = ({ text }: Statement): number => countWords(text);

/** Short forms of statements, each once, where there are enough for a slide. */
export function leadsOf(statements: readonly Statement[]): readonly Shown[] {
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
