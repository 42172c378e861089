import type { KeyTable, Statement } from "@troupe/retrieval";

import type { Citation } from "@troupe/stream";

import { count, inline, shownAs } from "../present.ts";

/** Where to look: one collection, or all. */
export interface Within {
  readonly collection?: string;
}

/** A heading that says it in short comes first. Brackets and asterisks of the document are not ours. */
export const line = (statement: Statement): string =>
  `- ${statementText(statement)} [${statement.citation.id}]`;

const statementText = ({ text, lead }: Statement): string =>
  lead === undefined ? plain(text) : `**${plain(lead)}.** ${plain(text)}`;

/** As Markdown, the source in a line of its own, with the date of the document: its plans are of that day. */
function tableText(table: KeyTable): string {
  const from = [table.citation, ...table.further].map(({ id }) => `[${id}]`).join("");
  const dated = table.published === undefined ? "" : `, published ${table.published}`;
  // Without the blank line, Markdown reads the source as one more row.
  return `${tableRows(table)}\n\nTable from ${from}${dated}`;
}

function tableRows({ columns, rows }: KeyTable): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => plain(cell).replaceAll("|", "/")).join(" | ")} |`;
  return [row(columns), row(columns.map(() => "---")), ...rows.map(row)].join("\n");
}

/** Statements, and a table after them, each only where there is one. */
export function bodyText(statements: readonly Statement[], table: KeyTable | undefined): string {
  return [
    ...(statements.length === 0 ? [] : [statements.map(line).join("\n")]),
    ...(table === undefined ? [] : [tableText(table)]),
  ].join("\n\n");
}

/** What those cite, each as it is shown: under the ids of a table stands the table as a whole. */
export function citationsOf(
  statements: readonly Statement[],
  table: KeyTable | undefined,
): readonly Citation[] {
  const cited = statements.map((statement) => shownAs(statement.citation, statementText(statement)));
  if (table === undefined) return cited;
  const { published } = table;
  const shown = `${tableRows(table)}${published === undefined ? "" : `\n\npublished ${published}`}`;
  return [...cited, ...[table.citation, ...table.further].map((citation) => shownAs(citation, shown))];
}

/** Says that something was found and is not told; it can be looked at by its id. */
export const withheldNote = (withheld: readonly Citation[]): readonly string[] =>
  withheld.length === 0
    ? []
    : [`Note: ${withheldText(withheld)}: ${withheld.map(({ id }) => `[${id}]`).join("")}.`];

/** Their text is not shown, so no statement can rest on it. */
export const withheldCitations = (withheld: readonly Citation[]): readonly Citation[] =>
  withheld.map((citation) => shownAs(citation, withheldText(withheld)));

const withheldText = (withheld: readonly Citation[]): string =>
  `${count(withheld.length, "passage")} withheld for marks of prompt injection`;

export const plain = (text: string): string => inline(text).replaceAll("*", "");
