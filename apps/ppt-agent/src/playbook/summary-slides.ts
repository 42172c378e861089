import type { JsonObject } from "@troupe/stream";

import { figuresPart } from "./chart-slides.ts";
import { dateOf } from "./dated.ts";
import { choose, countWords, MAX_WORDS } from "./in-brief.ts";
import {
  AMOUNT,
  announced,
  asTarget,
  FIGURE,
  hasNumber,
  lastYear,
  messageOf,
  shortMessageOf,
  standsAlone,
} from "./message.ts";
import { leadsOf, MAX_STATEMENT_WORDS, MAX_STATEMENTS, wordsOf } from "./point-slides.ts";
import type { Section, Statement } from "./read-briefing.ts";
import { noted, point, reference, slideOf, type Shown, type Slide } from "./slide-arguments.ts";

const SUMMARY = /^(?:in short|in brief|at a glance|overview|(?:executive |management )?summary|abstract)$/i;
const MAX_POINTS = 4;
const MAX_OWN = 5;
/** A bare measure, and what became of it. */
const MEASURE = /^(?:revenue|sales|turnover) (?!of\b|by\b|per\b|in\b|from\b)\p{Ll}+/iu;
/** Fewer are no summary. */
const MIN_POINTS = 3;
/** Parts that need one. */
const MIN_PARTS = 4;
/** Parts with more to say than their message: without them a summary is the deck once more. */
const MIN_LONG = 2;
const MAX_POINT_WORDS = 13;
const MIN_STEPS = 2;

export const isSummary = ({ heading, charts }: Section): boolean =>
  charts.length === 0 && SUMMARY.test(heading);

/** The slides, where there are any, and what they say. */
export interface Summary {
  readonly slides: readonly Slide[];
  /** Messages as their parts say them. */
  readonly said: ReadonlySet<string>;
  /** Of those the ones about what is to come, and what has no year: goals and budgets. */
  readonly ahead: readonly Message[];
}

const NO_SUMMARY: Summary = { slides: [], said: new Set(), ahead: [] };

interface Message extends Statement {
  readonly section: Section;
  readonly of: Statement;
  /** As its part says it. */
  readonly raw: string;
  /** What a part says first goes before the rest, and money before other figures. */
  readonly rank: number;
}

/**
 * The deck in short: what the documents' own summary says in short forms, and what the parts say with
 * figures, in order of time, the data last. Nothing where too little has a figure.
 */
export function inShort(sections: readonly Section[], now: number): Summary {
  const summary = sections.find(isSummary);
  const parts = sections.filter((section) => section !== summary);
  const long = parts.filter(({ statements }) => statements.length > 1);
  if (parts.length < MIN_PARTS || (summary === undefined && long.length < MIN_LONG)) return NO_SUMMARY;
  const own = summary === undefined ? undefined : ownSummary(summary);
  const title = own === undefined ? (summary?.heading ?? "In short") : "In figures";
  const room = MAX_WORDS - countWords(title);
  const messages = parts.flatMap(messageIn);
  const data = messages.filter(({ section }) => section.charts.length > 0).slice(0, 1);
  const said = messages.filter(({ section }) => section.charts.length === 0);
  const kept: Message[] = [];
  for (const message of [...data, ...said.toSorted((a, b) => a.rank - b.rank)]) {
    const words = kept.reduce((n, one) => n + wordsOf(one), wordsOf(message));
    if (kept.length < MAX_POINTS && words <= room) kept.push(message);
  }
  if (kept.length < MIN_POINTS) return NO_SUMMARY;
  const yearOf = (one: Message): number =>
    one.section.charts.length > 0 ? Infinity : (lastYear(one.text) ?? Number.MAX_VALUE);
  const points = messages.filter((one) => kept.includes(one)).toSorted((a, b) => yearOf(a) - yearOf(b));
  const charts = points.flatMap(({ section }) => section.charts.slice(0, 1));
  const figures = slideOf(summary === undefined ? 3 : 1, {
    kind: "bullets",
    title,
    points: points.map(point),
    ...(charts.length === 0 ? {} : { data: charts.map(reference) }),
    ...noted([...points.map(({ of }) => of), ...(own === undefined ? (summary?.statements ?? []) : [])]),
  });
  const shows = points.map(({ section, of }): Shown => ({ section, statement: of }));
  const year = new Date(now).getUTCFullYear();
  const ahead = points.filter((one) => one.citations.length > 0 && (lastYear(one.text) ?? year) >= year);
  return {
    slides: [...(own === undefined ? [] : [own]), { ...figures, shows }],
    said: new Set(points.map(({ raw }) => raw)),
    ahead,
  };
}

/** The summary of the documents, where it has short forms, and what it announces before them. */
function ownSummary(section: Section): Slide | undefined {
  const { heading, statements } = section;
  const leads = leadsOf(statements);
  if (leads.length === 0) return undefined;
  const first = statements.flatMap((of) => {
    const text = of.lead === undefined ? announced(of.text) : undefined;
    return text === undefined ? [] : [{ ...of, text }];
  });
  const shown = choose([...first.slice(0, 1), ...leads], wordsOf, MAX_WORDS - countWords(heading), MAX_OWN);
  const slide = slideOf(1, {
    kind: "bullets",
    title: heading,
    points: shown.map(point),
    ...noted(statements),
  });
  return { ...slide, shows: [{ section }] };
}

/** The first statement of a part that has a figure and is short. */
function messageIn(section: Section): readonly Message[] {
  const statements = statementsOf(section);
  const at = statements.findIndex(
    (one) => FIGURE.test(shortMessageOf(one)) && countWords(shortMessageOf(one)) <= MAX_POINT_WORDS,
  );
  const of = statements[at];
  if (of === undefined) return [];
  const raw = shortMessageOf(of);
  const text = section.charts.length > 0 ? inTotal(raw, section) : asTarget(raw, of);
  const rank = (at === 0 ? 0 : 2) + (AMOUNT.test(text) ? 0 : 1);
  return [{ section, text, of, raw, citations: of.citations, rank }];
}

/** Beside what is sold or planned, `Revenue rose` leaves open whose: of all rows it is the total. */
const inTotal = (message: string, { table }: Section): string =>
  table?.ofAllRows === true && MEASURE.test(message)
    ? `Total ${message.charAt(0).toLowerCase()}${message.slice(1)}`
    : message;

/** A short form that few statements have is a heading above them: it says nothing without a figure. */
function statementsOf({ statements }: Section): readonly Statement[] {
  if (leadsOf(statements).length > 0) return statements;
  return statements
    .filter(standsAlone)
    .map((one) =>
      one.lead !== undefined && FIGURE.test(one.lead) ? one : { text: one.text, citations: one.citations },
    );
}

/** What lies ahead, and the next step of it; what is due after `now`; else the messages of the parts once more. */
export function closing(sections: readonly Section[], now: number, summary: Summary): readonly Slide[] {
  if (sections.length < 3) return [];
  const steps = nextSteps(sections, now);
  const points = [ahead(summary, steps), whatComes(steps), toRemember(sections, summary.said)].find(
    ({ items }) => items.length > 1,
  );
  return points === undefined
    ? []
    : [
        {
          ...slideOf(3, {
            kind: "closing",
            title: points.title,
            points: points.items,
            ...noted(points.notes ?? []),
          }),
          shows: points.shows,
        },
      ];
}

interface Closing {
  readonly title: string;
  readonly items: readonly JsonObject[];
  readonly notes?: readonly Statement[];
  readonly shows: readonly Shown[];
}

interface Step extends Statement {
  readonly section: Section;
  readonly time: number;
  readonly date: string;
}

/** Rows of tables whose first column has dates, from `now` on, in order. */
function nextSteps(sections: readonly Section[], now: number): readonly Step[] {
  const steps = sections.flatMap((section): readonly Step[] => {
    const { table } = section;
    const rows = (table?.rows ?? []).map((row) => ({ row, time: dateOf(row[0] ?? "") }));
    if (table === undefined || rows.some(({ time }) => time === undefined)) return [];
    return rows.flatMap(({ row: [date = "", what = ""], time = 0 }) =>
      time < now || what === "" ? [] : [{ section, time, date, text: what, citations: table.citations }],
    );
  });
  return steps.toSorted((a, b) => a.time - b.time);
}

/** The goal, the money and the next date. */
function ahead({ ahead: messages }: Summary, [step]: readonly Step[]): Closing {
  const title = "What to remember";
  if (step === undefined || messages.length === 0) return { title, items: [], shows: [] };
  const next = { ...step, text: `Planned for ${step.date}: ${step.text}` };
  const room = MAX_WORDS - countWords(title) - wordsOf(next);
  const shown = choose(messages, wordsOf, room, 2);
  if (wordsIn(shown) > room) return { title, items: [], shows: [] };
  return {
    title,
    items: [...shown, next].map(point),
    notes: shown.map(({ of }) => of),
    shows: [
      ...shown.map(({ section, of }) => ({ section, statement: of })),
      { section: next.section, statement: next },
    ],
  };
}

/** `31 December 2026: The licence ends`: the next three. */
function whatComes(steps: readonly Step[]): Closing {
  const title = "What comes next";
  const room = MAX_WORDS - countWords(title);
  const next = steps
    .slice(0, MAX_STATEMENTS)
    .map((step): Step => ({ ...step, text: `${step.date}: ${step.text}` }));
  const kept = next.filter((_, i) => wordsIn(next.slice(0, i + 1)) <= room);
  return {
    title,
    items: kept.length < MIN_STEPS ? [] : kept.map(point),
    shows: kept.map((step) => ({ section: step.section, statement: step })),
  };
}

const wordsIn = (statements: readonly Statement[]): number =>
  statements.reduce((n, one) => n + wordsOf(one), 0);

/** The message of each part that the summary did not have, as many as one slide takes. */
function toRemember(sections: readonly Section[], said: ReadonlySet<string>): Closing {
  const title = "What to remember";
  const messages = sections.flatMap((section) => {
    const statements = statementsOf(section).filter((one) => !said.has(shortMessageOf(one)));
    const first = statements.find(({ lead }) => lead !== undefined) ?? statements[0];
    // What cites nothing, such as a finding in the data, has its source on its own slide only.
    if (first === undefined || first.citations.length === 0) return [];
    return [{ ...first, section, of: first, text: messageOf(first) }];
  });
  const short = messages.filter((one) => wordsOf(one) <= MAX_STATEMENT_WORDS);
  // The first part is mostly the result: what it says first stands without a number, too.
  const withNumbers = short.filter((one) => one === messages[0] || hasNumber(one.text));
  const from = withNumbers.length < 2 ? short : withNumbers;
  const shown = choose(from, wordsOf, MAX_WORDS - countWords(title), MAX_STATEMENTS);
  return {
    title,
    items: shown.map(point),
    shows: shown.map(({ section, of }) => ({ section, statement: of })),
  };
}

/** The headings, those with charts together as one part; the summary is none. */
export function agendaItems(sections: readonly Section[]): readonly string[] {
  const items = sections
    .filter((section) => !isSummary(section) && (section.charts.length > 0 || section.heading !== ""))
    .map((section) => (section.charts.length > 0 ? figuresPart(section) : section.heading));
  return [...new Set(items)];
}
