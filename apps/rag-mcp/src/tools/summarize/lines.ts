import type { KeyTable, Statement } from "@troupe/retrieval";

import { inline } from "../present.ts";

/** Where to look: one collection, or all. */
export interface Within {
  readonly collection?: string;
}

/** A heading that says it in short comes first. Brackets and asterisks of the document are not ours. */
export function line({ text, lead, citation }: Statement): string {
  const said = plain(text);
  return lead === undefined ? `- ${said} [${citation.id}]` : `- **${plain(lead)}.** ${said} [${citation.id}]`;
}

/** As Markdown, the source in a line of its own. */
export function tableText({ columns, rows, citation }: KeyTable): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => plain(cell).replaceAll("|", "/")).join(" | ")} |`;
  return [row(columns), row(columns.map(() => "---")), ...rows.map(row), `Table from [${citation.id}]`].join(
    "\n",
  );
}

export const plain = (text: string): string => inline(text).replaceAll("*", "");
