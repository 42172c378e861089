import { isNumberType } from "../names/column-role.ts";
import { exactNumber } from "../names/exact-number.ts";
import type { Cell, ColumnRole } from "../types/result.ts";
import type { ColumnInfo, DataSchema, TableInfo } from "../types/schema.ts";

const NAME = String.raw`("(?:[^"]|"")*"|[a-z_][a-z0-9_]*)`;
const TABLE = new RegExp(
  String.raw`^Table ${NAME}: (\d+) rows from ("(?:[^"\\]|\\.)*")(?:, (\d+) rows of the file left out)?$`,
);
const COLUMN = new RegExp(
  String.raw`^- ${NAME} (.+?) \[(measure|date|category|id|constant)\]; (\d+) different(.*)$`,
);

/**
 * The schema out of the text of `describeSchema`, for a reader that has only the words: a playbook
 * sees what a model sees. Undefined when the text is no such description.
 */
export function readSchema(text: string): DataSchema | undefined {
  const lines = text.split("\n");
  const collection = /^Collection ([A-Za-z0-9_-]+): \d+ tables?\./.exec(lines[0] ?? "")?.[1];
  if (collection === undefined) return undefined;
  const tables: (TableInfo & { columns: ColumnInfo[] })[] = [];
  for (const line of lines) {
    const table = TABLE.exec(line);
    const column = table === null ? COLUMN.exec(line) : null;
    if (table !== null) {
      tables.push({
        name: unquote(table[1] ?? ""),
        source: JSON.parse(table[3] ?? '""') as string,
        rows: Number(table[2]),
        rejected: Number(table[4] ?? 0),
        columns: [],
      });
    } else if (column !== null) {
      tables.at(-1)?.columns.push(readColumn(column));
    }
  }
  return { collection, tables };
}

function readColumn(parts: RegExpExecArray): ColumnInfo {
  const type = parts[2] ?? "";
  const rest = parts[5] ?? "";
  const range = /^(?:; \d+ empty)?; (?!such as )(.+?) to (.+)$/.exec(rest);
  const samples = range === null ? /; such as (.*)$/.exec(rest)?.[1] : undefined;
  const cell = (text: string | undefined): Cell => {
    if (text === undefined) return null;
    return isNumberType(type) ? exactNumber(text) : text;
  };
  return {
    name: unquote(parts[1] ?? ""),
    type,
    role: parts[3] as ColumnRole,
    nulls: Number(/^; (\d+) empty/.exec(rest)?.[1] ?? 0),
    distinct: Number(parts[4]),
    min: cell(range?.[1]),
    max: cell(range?.[2]),
    samples: samples === undefined ? [] : (JSON.parse(`[${samples}]`) as Cell[]),
  };
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
