import type { PlaybookResult } from "@troupe/models";

import { markdownTable, readTable } from "./table.ts";

/** A statement that was run. */
export interface Answered {
  readonly title: string;
  readonly note: string;
  /** First days of the periods it shows that are not whole. */
  readonly partial: readonly string[];
  /** What its rows were filtered by, and how many were left. */
  readonly rows: string;
  readonly resultId: string;
  /** Names of the files it read. */
  readonly source: string;
  /** Rows of the result. */
  readonly count: number;
  /** What the query returned, in words. */
  readonly text: string;
}

export interface Section {
  readonly text: string;
  readonly charts: readonly string[];
}

/** One bar: what the total says already. */
export function isTrivial({ count, title }: Answered): boolean {
  return count === 1 && title.includes(" by ");
}

/** What is told of one result. */
export const MAX_FINDINGS = 3;

/** A heading with its chart, what the analysis found, the figures, and where they come from with `notes`. */
export function section(
  one: Answered,
  chart: PlaybookResult | undefined,
  analysis: PlaybookResult | undefined,
  {
    notes = [],
    findings: most = MAX_FINDINGS,
  }: { readonly notes?: readonly string[]; readonly findings?: number } = {},
): Section {
  const drawn = chart?.isError === false ? chart.text : "";
  const id = /^\[(chart-\d+)\]/.exec(drawn)?.[1];
  const findings = analysis?.isError === false ? findingsOf(analysis.text) : [];
  const table = figures(one, id === undefined ? "" : drawn);
  // One line under the table holds what is no finding: where the figures come from and what to know of them.
  const source = `Table from ${one.source === "" ? "the data" : one.source}: ${one.rows}.`;
  const said = [source, one.note, ...notes].filter((text) => text !== "").join(" ");
  const lines = [
    `## ${one.title}${id === undefined ? "" : ` [${id}]`}`,
    ...findings.slice(0, most).map((finding) => `- ${inFull(finding, one)}`),
    // Without the blank line, Markdown reads the source as one more row.
    ...(table === "" ? [said] : ["", table, "", said]),
  ];
  return {
    text: lines.join("\n"),
    charts: id === undefined ? [] : [id],
  };
}

/**
 * So many findings of all results and no table, first those that each begins with, and where they come from.
 * Undefined where nothing was found.
 */
export function inSentences(
  results: readonly { readonly one: Answered; readonly analysis: PlaybookResult | undefined }[],
  most: number,
): string | undefined {
  const found = results
    .flatMap(({ one, analysis }) =>
      (analysis?.isError === false ? findingsOf(analysis.text) : []).map((finding, rank) => ({
        one,
        finding,
        rank,
      })),
    )
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most);
  if (found.length === 0) return undefined;
  const said = found.map(({ one, finding }) => inFull(finding, one));
  const from = new Set(found.map(({ one }) => `${one.source === "" ? "the data" : one.source}: ${one.rows}`));
  return `${said.length === 1 ? (said[0] ?? "") : said.map((line) => `- ${line}`).join("\n")}\nFrom ${[...from].join("; ")}.`;
}

/**
 * A finding that stands alone, as on a slide: the figure of one row by its title, the others with the
 * filter and the year that the title has.
 */
function inFull(finding: string, { title, count }: Answered): string {
  const figure = / is .*$/.exec(finding);
  const [measure = ""] = finding.split(" is ", 1);
  if (count === 1 && figure !== null && title.startsWith(measure))
    return `${title}${/, \d/.test(title) ? "," : ""}${figure[0]}`;
  const [, filter] = / (\([^()]+\))/.exec(title) ?? [];
  const [, year] = / in (\d{4})$/.exec(title) ?? [];
  const told = [
    ...(filter === undefined ? [] : [filter]),
    ...(year === undefined || finding.includes(year) ? [] : [`in ${year}`]),
  ];
  const name = measureOf(title);
  const at = told.length === 0 || name === "" ? -1 : finding.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return finding;
  const end = at + name.length;
  return `${finding.slice(0, end)} ${told.join(" ")}${finding.slice(end)}`;
}

/** `revenue` of `Top 10 products by revenue in 2025` and of `Growth of revenue (DACH) by year`. */
function measureOf(title: string): string {
  const [, ranked] = /^(?:Top|Lowest) \d+ .* by (.+)$/.exec(title) ?? [];
  const [name = ""] = (ranked ?? title.replace(/^(?:Growth|Share) of /, "")).split(/ \(| by | in \d{4}$/, 1);
  return name;
}

/** The rows as the chart shows them, or as they came where the chart leaves columns out. */
function figures(one: Answered, drawn: string): string {
  const chart = readTable(drawn);
  const rows = readTable(one.text, one.count);
  if (rows === undefined) return "";
  return markdownTable(chart !== undefined && chart.header.length >= rows.header.length ? chart : rows);
}

function findingsOf(text: string): readonly string[] {
  const block = /^Findings:\n((?:- .*\n?)*)/m.exec(text)?.[1] ?? "";
  return block
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .map((line) => line.slice(2));
}
