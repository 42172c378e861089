import { countName, MEASURE, TOTAL } from "./count-title.ts";
import { countWords, MAX_WORDS, tableWords } from "./in-brief.ts";
import { leadsOf } from "./point-slides.ts";
import type { Section, Table } from "./read-briefing.ts";
import { hiddenCells, noted, reference, slideOf, type Slide } from "./slide-arguments.ts";

/** Characters of a column's name that are looked at. */
const MAX_NAME = 200;
const AMOUNT = /^\d[\d.,]*$/;
const MAX_SOURCES = 40;

/** Short forms beside what their rows measure, with its total: `Kompass: an assistant for all | 1.2`. */
export function measuredLeads({ heading, statements }: Section, table: Table): Slide | undefined {
  const leads = leadsOf(statements);
  const at = table.columns.findIndex(
    (name, c) =>
      c > 0 && MEASURE.test(name.slice(0, MAX_NAME)) && table.rows.every((row) => AMOUNT.test(row[c] ?? "")),
  );
  const rowOf = (text: string): readonly (readonly string[])[] =>
    table.rows.filter(([name = ""]) => name !== "" && sameBeginning(text, name));
  const found = leads.map(({ text }) => ({ text, rows: rowOf(text) }));
  const used = new Set(found.flatMap(({ rows }) => rows));
  const others = table.rows.filter((row) => !used.has(row));
  const matched = found.every(({ rows }) => rows.length === 1) && used.size === leads.length;
  if (at === -1 || !matched || others.some(([name = ""]) => !TOTAL.test(name))) return undefined;
  const columns = ["", table.columns[at] ?? ""];
  const rows = [
    ...found.map(({ text, rows: [row] }) => [text, row?.[at] ?? ""]),
    ...others.map((row) => [row[0] ?? "", row[at] ?? ""]),
  ];
  const title = countName(heading, table) ?? heading;
  if (countWords(title) + tableWords([...columns, ...rows.flat()]) > MAX_WORDS) return undefined;
  const cited = [...new Set([...leads.flatMap(({ citations }) => citations), ...table.citations])];
  return slideOf(1, {
    kind: "table",
    title,
    columns,
    rows,
    sources: cited.slice(0, MAX_SOURCES).map(reference),
    ...noted(statements),
    notes: hiddenCells(table, [0, at], table.rows),
  });
}

/** `Watershed: one data platform` is about `Watershed data platform`. */
function sameBeginning(lead: string, name: string): boolean {
  const head = (lead.split(":", 1)[0] ?? "").toLowerCase();
  const cell = name.toLowerCase();
  return cell === head || cell.startsWith(`${head} `) || head.startsWith(`${cell} `);
}
