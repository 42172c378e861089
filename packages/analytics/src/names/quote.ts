/** Words the engine reserves; a name among them needs quotes. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create " +
    "default deferrable desc describe distinct do else end except false fetch for foreign from glob group having " +
    "in initially intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer " +
    "pivot_wider placing primary qualify references returning select show some summarize symmetric table then to " +
    "trailing true union unique unpivot using variadic when where window with anti asof cross full inner is join " +
    "left like natural outer positional right semi similar tablesample"
  ).split(" "),
);

/** A name as SQL, always in quotes. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A name as a person would write it in SQL: quotes only where it needs them. */
export function writeName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : quoteName(name);
}

/** A text as an SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
