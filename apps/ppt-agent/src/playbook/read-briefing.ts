import { readDelegationPrompt } from "@troupe/core";

import type { Answer } from "./wishes.ts";

/** A statement with the ids it cites, as `step/id`. */
export interface Statement {
  readonly text: string;
  /** The same in short, where the answer begins with it in bold. */
  readonly lead?: string;
  readonly citations: readonly string[];
}

/** A heading with what stands under it. */
export interface Section {
  /** That found it. */
  readonly step: string;
  readonly heading: string;
  readonly statements: readonly Statement[];
  /** As `step/id`. */
  readonly charts: readonly string[];
  readonly table?: Table;
  /** What its step left out of what was asked, on the first section of the step. */
  readonly unused?: readonly string[];
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly citations: readonly string[];
  /** ISO date of the document, as exact as it says. */
  readonly published?: string;
  /** Made of all rows of a data set. */
  readonly ofAllRows?: boolean;
}

export interface Briefing {
  readonly objective: string;
  readonly instruction: string;
  readonly sections: readonly Section[];
  /** What people answered in forms. */
  readonly answers: readonly Answer[];
  /** Steps that did not complete and left nothing with a source or a chart. */
  readonly without: readonly string[];
  /** What steps left out of what was asked: `Not used: ...`, without a full stop. */
  readonly unused: readonly string[];
}

const HEADING = /^#{1,4}\s+(.+)$/;
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/;
/** `**In short.** The whole sentence.` */
const LEAD = /^\*\*([^*]{8,120})\.\*\*\s+(?=\S)/;
const ROW = /^\|.*\|$/;
const MAX_LINE = 1_000;
/** `Table from sales.csv: 53,995 rows.`, not `2 of 3 rows`. */
const ALL_ROWS = /: [\d,]+ rows?\./;
/** At the end of the line that names the sources of a table. */
const PUBLISHED = /, published (\d{4}(?:-\d{2}){0,2})$/;
/** What a step left out of what was asked; it stands before the first heading. */
const UNUSED = /^Not used: /;
/** That there is nothing, and what was looked for, is no statement of a slide. */
const SILENCE = /^(?:No sentence found|The documents do not say)\b/;
/** The name of an earlier step has a dot. */
const REFERENCE = /\[((?:[\w.-]+\/)?(?:\d{1,4}|chart-\d+))\]/g;

/** The line above a result. A step that a person did names no agent. */
const FRAME = /^## Result of step (\S+) \(([^,]*), ([a-z-]+)/gm;

/** Reads what a deck can be made of out of a delegation prompt: Markdown headings, bullets, references. */
export function readBriefing(prompt: string): Briefing {
  const { objective, instruction, results } = readDelegationPrompt(prompt);
  const frames = new Map(
    [...prompt.matchAll(FRAME)].map(([, id = "", agent, outcome]) => [id, { agent, outcome }]),
  );
  const sections: Section[] = [];
  const answers: Answer[] = [];
  const without: string[] = [];
  const unused: string[] = [];
  for (const { stepId, answer } of results) {
    const frame = frames.get(stepId);
    if (frame?.agent === "") {
      answers.push(...answersOf(answer));
      continue;
    }
    if (SILENCE.test(answer)) {
      without.push(stepId);
      continue;
    }
    const left = unusedOf(answer);
    const read = withUnused(readAnswer(stepId, answer), left);
    unused.push(...left);
    const rests = read.some(
      (one) =>
        one.table !== undefined ||
        one.charts.length > 0 ||
        one.statements.some((s) => s.citations.length > 0),
    );
    // What a step says that failed halfway is about the failure.
    if (frame?.outcome === "completed" || rests) sections.push(...read);
    else without.push(stepId);
  }
  return { objective: objective.trim(), instruction: instruction.trim(), sections, answers, without, unused };
}

/** `Label: value` lines of a form. */
function answersOf(text: string): readonly Answer[] {
  return text.split("\n").flatMap((line) => {
    const at = line.indexOf(": ");
    return at < 1 ? [] : [{ label: line.slice(0, at), value: line.slice(at + 2) }];
  });
}

const unusedOf = (answer: string): readonly string[] =>
  answer
    .split("\n")
    .map((line) => withoutMarks(line.trim()).replace(/\.$/, ""))
    .filter((line) => UNUSED.test(line));

function withUnused([first, ...rest]: readonly Section[], unused: readonly string[]): readonly Section[] {
  if (first === undefined) return [];
  return [unused.length === 0 ? first : { ...first, unused }, ...rest];
}

function readAnswer(step: string, answer: string): readonly Section[] {
  const sections: {
    step: string;
    heading: string;
    statements: Statement[];
    charts: string[];
    table?: Table;
  }[] = [];
  let table: string[][] = [];
  let tableEnded = false;
  const open = (heading: string): (typeof sections)[number] => {
    const section: (typeof sections)[number] = { step, heading, statements: [], charts: [] };
    sections.push(section);
    return section;
  };
  let current = open("");
  for (const line of answer.split("\n")) {
    if (ROW.test(line)) {
      if (tableEnded) table = [];
      tableEnded = false;
      table.push(cellsOf(line));
      continue;
    }
    if (line.trim() === "" && table.length > 0) {
      // Its source may follow.
      tableEnded = true;
      continue;
    }
    const text = (HEADING.exec(line)?.[1] ?? BULLET.exec(line)?.[1] ?? line).trim();
    const references = [...text.matchAll(REFERENCE)].map(([, id = ""]) =>
      id.includes("/") ? id : `${step}/${id}`,
    );
    const plain = withoutMarks(text);
    if (table.length > 0 && line.startsWith("Table from ")) {
      const [columns = [], ...rows] = table.filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)));
      const published = PUBLISHED.exec(line.slice(-30))?.[1];
      current.table = {
        columns,
        rows,
        citations: references,
        ...(published === undefined ? {} : { published }),
        ...(ALL_ROWS.test(line.slice(0, MAX_LINE)) ? { ofAllRows: true } : {}),
      };
    }
    if (table.length > 0) {
      table = [];
      tableEnded = false;
      if (line.startsWith("Table from ")) continue;
    }
    if (HEADING.test(line)) current = open(plain);
    current.charts.push(...references.filter(isChart).filter((id) => !current.charts.includes(id)));
    if (HEADING.test(line) || plain === "" || !/[\p{L}\p{N}]/u.test(plain)) continue;
    if (UNUSED.test(plain)) continue;
    const lead = LEAD.exec(text);
    current.statements.push({
      text: withoutMarks(lead === null ? text : text.slice(lead[0].length)),
      ...(lead?.[1] === undefined ? {} : { lead: lead[1] }),
      citations: references.filter((id) => !isChart(id)),
    });
  }
  return sections.filter(
    ({ statements, charts, table: found }) =>
      statements.length > 0 || charts.length > 0 || found !== undefined,
  );
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => withoutMarks(cell.trim()));

const isChart = (id: string): boolean => /(^|\/)chart-\d+$/.test(id);

/** Text as it is spoken: without references and Markdown emphasis. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(REFERENCE, "")
    .replaceAll(/\*\*|__|`/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([.,;:])/g, "$1")
    .trim();
}
