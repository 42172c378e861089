import { capitalized } from "../words.ts";

/** Rows as a tool writes them: cells between bars. */
export interface TextTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/**
 * The table in a tool's text: after its first line, up to the first line with another number of cells. A
 * table of one cell is recognized by `count`, the number of rows.
 */
export function readTable(text: string, count?: number): TextTable | undefined {
  const [, ...lines] = text.split("\n");
  const [header, ...others] = lines.map(cellsOf);
  const [first] = others;
  if (header === undefined || (header.length < 2 && (count !== 1 || first?.length !== 1))) return undefined;
  if (count === 1 && first !== undefined) return { header, rows: [first] };
  const end = others.findIndex((cells) => cells.length !== header.length);
  const rows = end < 0 ? others : others.slice(0, end);
  return { header, rows };
}

/** Bars inside a cell are escaped, and stay escaped. */
function cellsOf(line: string): readonly string[] {
  return line.split(/(?<!\\) \| /).map((cell) => cell.trim());
}

/** The table in Markdown, with headings, periods and figures as people write them. */
export function markdownTable({ header, rows }: TextTable): string {
  return writeTable({
    header: header.map(heading),
    rows: rows.map((row) =>
      row.map((cell, i) =>
        i === 0 && row.length > 1 ? period(cell, header[i] ?? "") : figure(cell, header[i] ?? ""),
      ),
    ),
  });
}

/** The table in Markdown, cells as they are. */
export function writeTable({ header, rows }: TextTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [header, header.map(() => "---"), ...rows].map(line).join("\n");
}

const UNIT = /(?:^|_)(percent|eur|usd|gbp|sek|nok|dkk|chf)(?=_|$)/;

/** `share_percent` -> `Share (%)`, `revenue_eur_2024` -> `Revenue 2024 (EUR)`. */
function heading(name: string): string {
  const unit = UNIT.exec(name)?.[1];
  const text = (unit === undefined ? name : name.replace(UNIT, "")).replaceAll("_", " ").trim();
  const label = capitalized(text);
  return unit === undefined ? label : `${label} (${unit === "percent" ? "%" : unit.toUpperCase()})`.trim();
}

/** The first day of a period as the period: `2024`, `2024-Q2`, `2024-05`. */
function period(cell: string, header: string): string {
  const day = /^(\d{4})-(\d\d)-01$/.exec(cell);
  const [, year = "", month = ""] = day ?? [];
  if (day === null) return cell;
  if (header === "year") return year;
  if (header === "quarter") return `${year}-Q${Math.ceil(Number(month) / 3)}`;
  return header === "month" ? `${year}-${month}` : cell;
}

/** With thousands separators and at most two decimals; a year stays as it is. */
function figure(cell: string, header: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(cell) || /^year$/i.test(header)) return cell;
  return number.format(Number(cell));
}
