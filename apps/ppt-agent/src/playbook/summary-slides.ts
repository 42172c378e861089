import type { JsonObject } from "@troupe/stream";

import { figuresPart } from "./chart-slides.ts";
import { dateOf } from "./dated.ts";
import { choose, countWords, MAX_WORDS } from "./in-brief.ts";
import { AMOUNT, FIGURE, hasNumber, messageOf, shortMessageOf, standsAlone } from "./message.ts";
import { leadsOf, MAX_STATEMENT_WORDS, MAX_STATEMENTS, wordsOf } from "./point-slides.ts";
import type { Section, Statement } from "./read-briefing.ts";
import { noted, point, slideOf, type Slide } from "./slide-arguments.ts";
import { isPerson } from "./table-plan.ts";

const SUMMARY = /^(?:in short|in brief|at a glance|overview|(?:executive |management )?summary|abstract)$/i;
const MAX_POINTS = 4;
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

/** The slide, where there is one, and what it says. */
export interface Summary {
  readonly slides: readonly Slide[];
  readonly said: ReadonlySet<string>;
}

const NO_SUMMARY: Summary = { slides: [], said: new Set() };

interface Message extends Statement {
  readonly section: Section;
  /** What a part says first goes before the rest, and money before other figures. */
  readonly rank: number;
}

/**
 * The deck on one slide: what each part says with a figure, money and data before the rest. What the
 * documents' own summary says beside that is in the notes. Nothing where too little has a figure.
 */
export function inShort(sections: readonly Section[]): Summary {
  const summary = sections.find(isSummary);
  const parts = sections.filter((section) => section !== summary);
  const long = parts.filter(({ statements }) => statements.length > 1);
  if (parts.length < MIN_PARTS || (summary === undefined && long.length < MIN_LONG)) return NO_SUMMARY;
  const title = summary?.heading ?? "In short";
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
  const points = messages.filter((message) => kept.includes(message));
  const uncited = points.filter(({ citations }) => citations.length === 0);
  const slide = slideOf(summary === undefined ? 3 : 1, {
    kind: "bullets",
    title,
    points: points.map(point),
    ...noted(summary?.statements ?? []),
    ...(uncited.length === 0
      ? {}
      : {
          notes: uncited.map((one) => `From the data on "${one.section.heading}": ${one.text}.`).join("\n"),
        }),
  });
  return { slides: [slide], said: new Set(points.map(({ text }) => text)) };
}

/** The first statement of a part that has a figure and is short. */
function messageIn(section: Section): readonly Message[] {
  const statements = statementsOf(section);
  const at = statements.findIndex(
    (one) => FIGURE.test(shortMessageOf(one)) && countWords(shortMessageOf(one)) <= MAX_POINT_WORDS,
  );
  const of = statements[at];
  if (of === undefined) return [];
  const text = shortMessageOf(of);
  return [{ section, text, citations: of.citations, rank: (at === 0 ? 0 : 2) + (AMOUNT.test(text) ? 0 : 1) }];
}

/** A short form that few statements have is a heading above them: it says nothing without a figure. */
function statementsOf({ statements }: Section): readonly Statement[] {
  if (leadsOf(statements).length > 0) return statements;
  return statements
    .filter(standsAlone)
    .map((one) =>
      one.lead !== undefined && FIGURE.test(one.lead) ? one : { text: one.text, citations: one.citations },
    );
}

/** What is due after `now`, and who answers for it; else the messages of the parts once more. */
export function closing(
  sections: readonly Section[],
  now: number,
  said: ReadonlySet<string>,
): readonly Slide[] {
  if (sections.length < 3) return [];
  const points = [nextSteps(sections, now), toRemember(sections, said)].find(({ items }) => items.length > 1);
  return points === undefined
    ? []
    : [slideOf(3, { kind: "closing", title: points.title, points: points.items })];
}

interface Closing {
  readonly title: string;
  readonly items: readonly JsonObject[];
}

/** `31 December 2026: The licence ends (Ida Berg)`: rows of a table whose first column has dates. */
function nextSteps(sections: readonly Section[], now: number): Closing {
  const title = "What comes next";
  const room = MAX_WORDS - countWords(title);
  const steps = sections.flatMap(({ table }) => {
    const rows = (table?.rows ?? []).map((row) => ({ row, time: dateOf(row[0] ?? "") }));
    if (table === undefined || rows.some(({ time }) => time === undefined)) return [];
    return rows.flatMap(({ row: [date = "", what = "", ...rest], time = 0 }) => {
      const who = rest.find((cell) => isPerson(cell));
      const statement: Statement = { text: `${date}: ${what}`, citations: table.citations };
      return time < now || what === "" ? [] : [{ time, statement, who }];
    });
  });
  const next = steps.toSorted((a, b) => a.time - b.time).slice(0, MAX_STATEMENTS + 1);
  const kept = next.filter((_, i) => wordsIn(next.slice(0, i + 1).map((one) => one.statement)) <= room);
  if (kept.length < MIN_STEPS) return { title, items: [] };
  const named = kept.map(({ statement, who }) =>
    who === undefined ? statement : { ...statement, text: `${statement.text} (${who})` },
  );
  const shown = wordsIn(named) <= room ? named : kept.map(({ statement }) => statement);
  return { title, items: shown.map(point) };
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
    return [{ ...first, text: messageOf(first) }];
  });
  const short = messages.filter((one) => wordsOf(one) <= MAX_STATEMENT_WORDS);
  // The first part is mostly the result: what it says first stands without a number, too.
  const withNumbers = short.filter((one) => one === messages[0] || hasNumber(one.text));
  const from = withNumbers.length < 2 ? short : withNumbers;
  return {
    title,
    items: choose(from, wordsOf, MAX_WORDS - countWords(title), MAX_STATEMENTS).map(point),
  };
}

/** The headings, those with charts together as one part; the summary is none. */
export function agendaItems(sections: readonly Section[]): readonly string[] {
  const items = sections
    .filter((section) => !isSummary(section) && (section.charts.length > 0 || section.heading !== ""))
    .map((section) => (section.charts.length > 0 ? figuresPart(section) : section.heading));
  return [...new Set(items)];
}
