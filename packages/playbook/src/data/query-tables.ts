import { readDelegationPrompt, type ModelRequest } from "@troupe/core";

import { finishCall, finishIncomplete } from "../policy/finish-call.ts";
import type { PlaybookMove } from "../policy/playbook.ts";
import { lastUserText, toolResults, type PlaybookResult } from "../policy/read-request.ts";
import { listed, answerTakesModel } from "../words.ts";
import { markdownTable, readTable } from "./markdown-table.ts";
import { readQuestion } from "./read-question.ts";
import { readSchema } from "./read-schema.ts";
import { writeQueries, type Query } from "./write-queries.ts";

const SQL =
  /^\s*(?:```(?:sql)?\s*)?((?:select\s[^]+\sfrom\s|with\s+[\w"]+\s+as\s*\()[^]*?)(?:;?\s*```)?\s*$/i;
const MAX_FINDINGS = 2;
/** Of a longer table only the first rows are shown. */
const MAX_ROWS = 12;
const SHOWN_ROWS = 10;

/** Runs SQL as given; else adds up the named measure by the named dimension and period. */
export function queryTables(request: ModelRequest): PlaybookMove {
  const { instruction } = readDelegationPrompt(lastUserText(request));
  const sql = SQL.exec(instruction)?.[1]?.trim();
  if (sql !== undefined) return answer(request, [{ title: "Result", sql, note: "", hasDimension: true }], []);
  const [described] = toolResults(request, "describe_data");
  if (described === undefined)
    return { say: "Looking at the tables.", calls: [{ name: "describe_data", arguments: {} }] };
  if (described.isError) return finishIncomplete(`The data could not be read. ${described.text}`);
  const tables = readSchema(described.text);
  const question = readQuestion(instruction, tables);
  const holds = `What the tables hold:\n\n${described.text}`;
  if (question.turning !== undefined)
    return finishIncomplete(
      `${answerTakesModel(`A question with "${question.turning}"`)}\n\nFixed rules add up a measure by a dimension or a period.\n\n${holds}`,
    );
  const written = writeQueries(question, tables);
  if ("cannot" in written) return finishIncomplete(written.cannot);
  const { queries, unused } = written;
  if (queries.length > 0) return answer(request, queries, [...new Set(unused)]);
  if (unused.length === 0) return { calls: [finishCall({ content: holds })] };
  return finishIncomplete(
    `${notUsed([...new Set(unused)])}\n\n${answerTakesModel("Reading it")}\n\n${holds}`,
  );
}

function answer(request: ModelRequest, queries: readonly Query[], unused: readonly string[]): PlaybookMove {
  const results = toolResults(request, "query_db");
  if (results.length === 0)
    return { calls: queries.map(({ sql }) => ({ name: "query_db", arguments: { sql } })) };
  const read = queries.map((query, at) => ({ query, result: results[at], ...headOf(results[at]) }));
  const drawable = read.filter(({ query, id, rows }) => query.hasDimension && id !== undefined && rows > 1);
  const charts = toolResults(request, "visualize");
  if (charts.length === 0 && drawable.length > 0) {
    return {
      calls: drawable.flatMap(({ query: { title }, id = "" }) => [
        {
          name: "visualize",
          arguments: { result_id: id, ...(title === "Result" ? {} : { title: title.slice(0, MAX_TITLE) }) },
        },
        { name: "analyze", arguments: { result_id: id } },
      ]),
    };
  }
  const analyses = toolResults(request, "analyze");
  const sections = read.map((one) => {
    const at = drawable.indexOf(one);
    return section(one, charts[at], analyses[at]);
  });
  const failed = read.some(({ result }) => result?.isError !== false);
  const content = [
    ...(unused.length === 0 ? [] : [notUsed(unused)]),
    ...sections.map(({ text }) => text),
  ].join("\n\n");
  const chartIds = sections.flatMap(({ chart }) => chart ?? []);
  return { calls: [finishCall({ content, chartIds, complete: unused.length === 0 && !failed })] };
}

const MAX_TITLE = 120;

interface Answered {
  readonly query: Query;
  readonly result: PlaybookResult | undefined;
  readonly id?: string;
  readonly source: string;
  readonly rows: number;
}

/** `result-1a: 12 rows from sales.csv`, the first line of a result. */
function headOf(result: PlaybookResult | undefined): Omit<Answered, "query" | "result"> {
  const head =
    result?.isError === false
      ? /^([\w-]+): (?:more than )?(\d+) rows?(?: from (.+))?/.exec(result.text)
      : null;
  const [, id, rows, source = "the data"] = head ?? [];
  return id === undefined ? { source: "", rows: 0 } : { id, rows: Number(rows), source };
}

/** A heading with its chart, the findings of the analysis, the rows, and their source. */
function section(
  { query, result, rows, source }: Answered,
  chart: PlaybookResult | undefined,
  analysis: PlaybookResult | undefined,
): { readonly text: string; readonly chart?: string } {
  if (result?.isError !== false)
    return { text: `## ${query.title}\n\nThe query failed. ${result?.text ?? ""}\n\n\`${query.sql}\`` };
  const drawn = chart?.isError === false ? chart.text : "";
  const id = /^\[([\w-]+)\]/.exec(drawn)?.[1];
  const findings = analysis?.isError === false ? findingsOf(analysis.text) : [];
  const table = readTable(result.text, rows);
  const shown = table?.rows.slice(0, rows > MAX_ROWS ? SHOWN_ROWS : MAX_ROWS) ?? [];
  const extent =
    shown.length < rows ? `the first ${shown.length} of ${rows} rows` : rows === 1 ? "1 row" : `${rows} rows`;
  const said = `Table from ${source}: ${extent}. ${query.note}`.trim();
  const text = [
    `## ${query.title}${id === undefined ? "" : ` [${id}]`}`,
    ...(findings.length === 0 ? [] : [findings.map((finding) => `- ${finding}`).join("\n")]),
    ...(table === undefined ? [] : [markdownTable({ ...table, rows: shown })]),
    rows === 0 ? "No row matches." : said,
  ].join("\n\n");
  return { text, ...(id === undefined ? {} : { chart: id }) };
}

function findingsOf(text: string): readonly string[] {
  const block = /^Findings:\n((?:- .*\n?)*)/m.exec(text)?.[1] ?? "";
  return block
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .map((line) => line.slice(2))
    .slice(0, MAX_FINDINGS);
}

const notUsed = (words: readonly string[]): string => `Not used: ${listed(words)}.`;
