import type { PlaybookResult } from "@troupe/models";

import { markdownTable, readTable } from "./table.ts";

/** A statement that was run. */
export interface Answered {
  readonly title: string;
  readonly note: string;
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
  /** One bar: what the total says already. */
  readonly trivial: boolean;
}

const MAX_FINDINGS = 3;

/** A heading with its chart, what the analysis found, the figures, and where they come from. */
export function section(
  one: Answered,
  chart: PlaybookResult | undefined,
  analysis: PlaybookResult | undefined,
): Section {
  const drawn = chart?.isError === false ? chart.text : "";
  const id = /^\[(chart-\d+)\]/.exec(drawn)?.[1];
  const findings = analysis?.isError === false ? findingsOf(analysis.text) : [];
  const table = one.count > 1 ? figures(one, id === undefined ? "" : drawn) : "";
  const source = `${one.source === "" ? "the data" : one.source}: ${one.rows}.`;
  const lines = [
    `## ${one.title}${id === undefined ? "" : ` [${id}]`}`,
    ...findings.slice(0, MAX_FINDINGS).map((finding) => `- ${inFull(finding, one)}`),
    ...(one.note === "" ? [] : [`- ${one.note}`]),
    ...(table === "" ? [`Figure from ${source}`] : ["", table, `Table from ${source}`]),
  ];
  return {
    text: lines.join("\n"),
    charts: id === undefined ? [] : [id],
    trivial: one.count === 1 && one.title.includes(" by "),
  };
}

/**
 * A finding that stands alone, as on a slide: the figure of one row by its title, the others with the
 * filter that the title has in brackets.
 */
function inFull(finding: string, { title, count }: Answered): string {
  const figure = / is .*$/.exec(finding);
  const [measure = ""] = finding.split(" is ", 1);
  if (count === 1 && figure !== null && title.startsWith(measure))
    return `${title}${title.includes(", ") ? "," : ""}${figure[0]}`;
  const [, head = "", filter] = /^([^()]+) \(([^()]+)\)/.exec(title) ?? [];
  const name = head.split(/ by |^Growth of |^Share of /).at(-1) ?? "";
  const at = filter === undefined || name === "" ? -1 : finding.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return finding;
  const end = at + name.length;
  return `${finding.slice(0, end)} (${String(filter)})${finding.slice(end)}`;
}

/** The rows as the chart shows them, or as they came where the chart leaves columns out. */
function figures(one: Answered, drawn: string): string {
  const chart = readTable(drawn);
  const rows = readTable(one.text);
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
