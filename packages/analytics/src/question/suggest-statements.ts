import { formatNumber } from "../names/format-number.ts";
import type { DataSource } from "../types/data-source.ts";
import { dayOf } from "./periods/written-day.ts";
import { questionToSql, type QuestionReading } from "./question-to-sql.ts";

/** A statement with the rows it reads. */
export interface SuggestedStatement {
  readonly title: string;
  readonly sql: string;
  /** What was left out on purpose, and which periods are not whole; empty when nothing and none. */
  readonly note: string;
  /** First days of the periods it shows of which the data has only a part, for `analyze`. */
  readonly partial: readonly string[];
  /** What the rows are filtered by and how many are left, such as `region is DACH; 13,759 of 53,995 rows`. */
  readonly rows: string;
}

export interface Suggestions {
  readonly statements: readonly SuggestedStatement[];
  /** What the question says and no statement does; each begins with `Not used: `. */
  readonly unused: readonly string[];
  /** What a reader has to know beside the figures. */
  readonly notes: readonly string[];
}

/** How far a period may reach past the data before it is said: rows of a month often have its first day. */
const SLACK_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Statements for a question by fixed rules, tried against the data: one that no row would meet is left
 * out, and the range of the data is said where the question goes beyond it. `today`, an ISO day, is what
 * `last year` is told from.
 */
export async function suggestStatements(
  source: DataSource,
  question: string,
  options: { readonly signal: AbortSignal; readonly today?: string },
): Promise<Suggestions> {
  const { signal, today } = options;
  const schema = await source.schema();
  const reading = questionToSql(question, schema, await source.values({ signal }), today);
  const counts = new Map<string, Counted>();
  for (const { countSql } of reading.statements) {
    if (!counts.has(countSql)) counts.set(countSql, await countRows(source, countSql, signal));
  }
  const statements: SuggestedStatement[] = [];
  const notes = [...reading.notes];
  const unused = [...reading.unused];
  for (const { title, sql, note = "", partial, filter, countSql } of reading.statements) {
    const counted = counts.get(countSql);
    if (counted === undefined) continue;
    const covers = coverage(counted);
    if (counted.kept > 0) {
      const rows = filter === "" ? allRows(counted) : `${filter}; ${keptRows(counted)}`;
      statements.push({ title, sql, note, partial, rows });
      if (covers !== "" && reachesBeyond(reading, counted)) add(notes, covers);
    } else {
      const beyond = reachesBeyond(reading, counted);
      if (beyond) add(unused, `Not used: ${filter}: no row has it.`);
      else add(notes, `No row has ${filter}.`);
      if (covers !== "") add(notes, covers);
    }
  }
  return { statements, unused, notes };
}

interface Counted {
  readonly kept: number;
  readonly all: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
}

async function countRows(source: DataSource, sql: string, signal: AbortSignal): Promise<Counted> {
  const [row = []] = (await source.query(sql, { signal })).rows;
  const [kept, all, first, last] = row;
  const time = (cell: typeof first): string | undefined =>
    cell === null || cell === undefined ? undefined : String(cell).replace(/ 00:00:00$/, "");
  return { kept: Number(kept), all: Number(all), first: time(first), last: time(last) };
}

const coverage = ({ first, last }: Counted): string =>
  first === undefined || last === undefined ? "" : `The data covers ${first} to ${last}.`;

const allRows = ({ all }: Counted): string => `${formatNumber(all)} ${all === 1 ? "row" : "rows"}`;

const keptRows = (counted: Counted): string => `${formatNumber(counted.kept)} of ${allRows(counted)}`;

/** Whether a period that was asked for begins before the data or ends after it. */
function reachesBeyond({ periods }: QuestionReading, { first, last }: Counted): boolean {
  if (first === undefined || last === undefined) return false;
  const from = dayOf(first, false);
  const until = dayOf(last, true);
  return periods.some(
    (period) =>
      (period.from !== undefined && from - Date.parse(period.from) > SLACK_DAYS * DAY_MS) ||
      (period.until !== undefined && Date.parse(period.until) - until > SLACK_DAYS * DAY_MS) ||
      (period.from !== undefined && Date.parse(period.from) > until) ||
      (period.until !== undefined && Date.parse(period.until) <= from),
  );
}

function add(list: string[], text: string): void {
  if (!list.includes(text)) list.push(text);
}
