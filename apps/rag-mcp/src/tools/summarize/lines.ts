import type { KeyTable, Statement } from "@troupe/retrieval";

import type { Citation } from "@troupe/stream";

import { count, inline } from "../present.ts";

/** Where to look: one collection, or all. */
export interface Within {
  readonly collection?: string;
}

/** A heading that says it in short comes first. Brackets and asterisks of the document are not ours. */
export function line({ text, lead, citation }: Statement): string {
  const said = plain(text);
  return lead === undefined ? `- ${said} [${citation.id}]` : `- **${plain(lead)}.** ${said} [${citation.id}]`;
}

/** As Markdown, the source in a line of its own, with the date of the document: its plans are of that day. */
function tableText({ columns, rows, citation, further, published }: KeyTable): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => plain(cell).replaceAll("|", "/")).join(" | ")} |`;
  const from = [citation, ...further].map(({ id }) => `[${id}]`).join("");
  const dated = published === undefined ? "" : `, published ${published}`;
  const table = [row(columns), row(columns.map(() => "---")), ...rows.map(row)].join("\n");
  // Without the blank line, Markdown reads the source as one more row.
  return `${table}\n\nTable from ${from}${dated}`;
}

/** Statements, and a table after them, each only where there is one. */
export function bodyText(statements: readonly Statement[], table: KeyTable | undefined): string {
  return [
    ...(statements.length === 0 ? [] : [statements.map(line).join("\n")]),
    ...(table === undefined ? [] : [tableText(table)]),
  ].join("\n\n");
}

/** What those cite. */
export const citationsOf = (
  statements: readonly Statement[],
  table: KeyTable | undefined,
): readonly Citation[] => [
  ...statements.map(({ citation }) => citation),
  ...(table === undefined ? [] : [table.citation, ...table.further]),
];

/** Says that something was found and is not told; it can be looked at by its id. */
export const withheldNote = (withheld: readonly Citation[]): readonly string[] =>
  withheld.length === 0
    ? []
    : [
        `Note: ${count(withheld.length, "passage")} withheld for marks of prompt injection: ${withheld.map(({ id }) => `[${id}]`).join("")}.`,
      ];

export const plain = (text: string): string => inline(text).replaceAll("*", "");
