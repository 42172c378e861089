/** A column as `describe_data` writes it. */
export interface Column {
  /** As it is written in SQL. */
  readonly sql: string;
  readonly name: string;
  readonly type: string;
  readonly role: string;
  readonly distinct: number;
  readonly from?: string;
  readonly to?: string;
  readonly samples: readonly string[];
}

export interface Table {
  readonly sql: string;
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly Column[];
}

const NAME = String.raw`("(?:[^"]|"")*"|[\w$]+)`;
const TABLE = new RegExp(`^Table ${NAME}: (\\d+) rows from `);
const COLUMN = new RegExp(`^- ${NAME} (\\S[^\\[]*) \\[(\\w+)\\]; (\\d+) different(.*)$`);
const RANGE = /; (\S[^;]*) to ([^;]+)$/;
const SAMPLES = /; such as (.+)$/;

/** The tables in what `describe_data` answered. */
export function readSchema(text: string): readonly Table[] {
  const tables: { sql: string; name: string; rows: number; columns: Column[] }[] = [];
  for (const line of text.split("\n")) {
    const [, table, rows] = TABLE.exec(line) ?? [];
    if (table !== undefined) tables.push({ sql: table, name: plain(table), rows: Number(rows), columns: [] });
    const [, sql, type = "", role = "", distinct, rest = ""] = COLUMN.exec(line) ?? [];
    if (sql === undefined) continue;
    const [, from, to] = RANGE.exec(rest) ?? [];
    tables.at(-1)?.columns.push({
      sql,
      name: plain(sql),
      type,
      role,
      distinct: Number(distinct),
      ...(from === undefined || to === undefined ? {} : { from, to }),
      samples: [...(SAMPLES.exec(rest)?.[1] ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
        ([, value = ""]) => value,
      ),
    });
  }
  return tables;
}

const plain = (sql: string): string => (sql.startsWith('"') ? sql.slice(1, -1).replaceAll('""', '"') : sql);
