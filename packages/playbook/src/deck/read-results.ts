import { readDelegationPrompt } from "@troupe/core";

/** A statement of a step's answer and its citations, as `step/id`. */
export interface Statement {
  readonly text: string;
  readonly citations: readonly string[];
}

/** The part of a step's answer under one heading. */
export interface Section {
  readonly step: string;
  readonly heading: string;
  readonly statements: readonly Statement[];
  readonly charts: readonly string[];
  readonly table?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly citations: readonly string[];
  };
}

export interface Results {
  readonly objective: string;
  readonly instruction: string;
  readonly sections: readonly Section[];
  /** `Label: value` lines that people answered in forms. */
  readonly answers: readonly string[];
  /** Steps without a statement that has a source, a table or a chart, with the first line of their answer. */
  readonly empty: readonly { readonly step: string; readonly says: string }[];
  /** `Not used: ...` lines of the steps. */
  readonly unused: readonly string[];
}

const FRAME = /^## Result of step (\S+) \(([^,]*), ([a-z-]+)/gm;
const HEADING = /^#{1,4}\s+(.+)$/;
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/;
const ROW = /^\|.*\|$/;
const RULE = /^:?-+:?$/;
const UNUSED = /^Not used: /;
/** Names of steps of earlier turns have a dot. */
const REFERENCE = /\[((?:[\w.-]+\/)?(?:\d{1,4}|chart-[\w-]+))\]/g;

/** The results in a delegation prompt that a deck is made of: headings, statements, tables, references. */
export function readResults(prompt: string): Results {
  const { objective, instruction, results } = readDelegationPrompt(prompt);
  const frames = new Map(
    [...prompt.matchAll(FRAME)].map(([, id = "", agent, outcome]) => [id, { agent, outcome }]),
  );
  const sections: Section[] = [];
  const answers: string[] = [];
  const empty: Results["empty"][number][] = [];
  const unused: string[] = [];
  for (const { stepId, answer } of results) {
    const frame = frames.get(stepId);
    if (frame?.agent === "") {
      answers.push(...answer.split("\n").filter((line) => line.includes(": ")));
      continue;
    }
    unused.push(...answer.split("\n").filter((line) => UNUSED.test(line)));
    const read = readAnswer(stepId, answer);
    const backed = read.filter(isBacked);
    // The text of a step that did not complete is often about the failure.
    const kept = backed.length > 0 ? backed : frame?.outcome === "completed" ? read : [];
    if (kept.length === 0) empty.push({ step: stepId, says: answer.trim().split("\n", 1)[0] ?? "" });
    sections.push(...kept);
  }
  return { objective, instruction, sections, answers, empty, unused };
}

const isBacked = ({ statements, charts, table }: Section): boolean =>
  charts.length > 0 || table !== undefined || isQuoting(statements);

function readAnswer(step: string, answer: string): readonly Section[] {
  return answer.split(/^(?=#{1,4}\s)/m).flatMap((block): readonly Section[] => {
    const section = readSection(step, block.split("\n"));
    return section.statements.length + section.charts.length > 0 || section.table !== undefined
      ? [section]
      : [];
  });
}

function readSection(step: string, lines: readonly string[]): Section {
  const own = (text: string): readonly string[] =>
    [...text.matchAll(REFERENCE)].map(([, id = ""]) => (id.includes("/") ? id : `${step}/${id}`));
  const isChart = (id: string): boolean => /(?:^|\/)chart-/.test(id);
  const heading = HEADING.exec(lines[0] ?? "")?.[1] ?? "";
  const rows = lines
    .filter((line) => ROW.test(line))
    .map(cellsOf)
    .filter((cells) => !cells.every((cell) => RULE.test(cell)));
  const others = lines.filter((line) => !ROW.test(line) && !HEADING.test(line) && !UNUSED.test(line));
  const caption = rows.length > 0 ? others.find((line) => line.startsWith("Table from ")) : undefined;
  const statements = others
    .filter((line) => line !== caption)
    .map((line) => BULLET.exec(line)?.[1] ?? line)
    .map((text) => ({ text: withoutMarks(text), citations: own(text).filter((id) => !isChart(id)) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const [columns, ...body] = rows;
  const charts = [...new Set(lines.flatMap(own).filter(isChart))];
  return {
    step,
    heading: withoutMarks(heading),
    statements: isQuoting(statements)
      ? statements.filter(({ citations }) => citations.length > 0)
      : statements,
    charts,
    ...(columns === undefined || body.length === 0
      ? {}
      : { table: { columns, rows: body, citations: caption === undefined ? [] : own(caption) } }),
  };
}

/** Whether some statements have a source; then those without one only introduce them. */
const isQuoting = (statements: readonly Statement[]): boolean =>
  statements.some(({ citations }) => citations.length > 0);

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutMarks(cell.replaceAll("\\|", "|")));

/** Without references and Markdown emphasis. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(REFERENCE, "")
    .replaceAll(/\*\*|__|`/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([.,;:])/g, "$1")
    .trim();
}
