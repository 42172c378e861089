/** Begins a text that Postgres could not hold as it is, or that begins with it itself. */
const ESCAPED = "\u{10FFFF}";

/**
 * A text as a column can hold it, one to one: Postgres has no NUL and no half of a surrogate pair, and
 * ids come from clients.
 */
export function toColumn(text: string): string {
  const plain = text.isWellFormed() && !text.includes("\0") && !text.startsWith(ESCAPED);
  return plain ? text : ESCAPED + JSON.stringify(text);
}

export function fromColumn(column: string): string {
  return column.startsWith(ESCAPED) ? String(JSON.parse(column.slice(ESCAPED.length))) : column;
}
