import {
  describeSchema,
  describeTable,
  joinsByName,
  summarizeSchema,
  writeJoin,
  type DataSchema,
  type DataSource,
  type TableInfo,
} from "@troupe/analytics";
import { defineTool, InputError, nearestNames, type Tool } from "@troupe/core";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument } from "./arguments.ts";

/** Characters of an overview. Where it would be longer, tables are listed without ranges and samples. */
const MAX_OVERVIEW = 8_000;
const MAX_JOINS = 20;

const schemaOutput = z.object({
  collection: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      source: z.string(),
      rows: z.number(),
      columns: z.number(),
      rejected: z.number(),
      notes: z.array(z.string()),
    }),
  ),
});

export function describeData(sources: Sources): Tool {
  return defineTool({
    name: "describe_data",
    annotations: { title: "Describe tables", readOnly: true, destructive: false, openWorld: false },
    output: { data: schemaOutput },
    description:
      "Lists the tables with columns, types, ranges and sample values; with table, one of them with its key, joins and all values where they are few. Call it before writing SQL.",
    input: z.strictObject({
      table: z.string().min(1).max(200).optional().describe("Only this one, in full"),
      search: z.string().trim().min(1).max(100).optional().describe("Only tables with this word"),
      collection: collectionArgument,
    }),
    idempotent: true,
    async execute({ table, search, collection }, context) {
      const { signal, collectionId } = context;
      return sources.use(context, collection ?? collectionId, async (source) => {
        const schema = await source.schema();
        const tables =
          table === undefined
            ? tablesWith(search, schema)
            : [requireTable(table, schema)].filter((one) => search === undefined || hasWord(one, search));
        const shown = { ...schema, tables };
        const rows = tables.reduce((sum, one) => sum + one.rows, 0);
        const [only] = tables;
        return {
          text:
            table === undefined || only === undefined
              ? overview(shown)
              : await describeOne(source, only, signal),
          summary: `${tables.length} ${tables.length === 1 ? "table" : "tables"} with ${rows} rows in "${schema.collection}"`,
          data: {
            collection: schema.collection,
            tables: tables.map(({ name, source: file, rows: n, columns, rejected, notes = [] }) => ({
              name,
              source: file,
              rows: n,
              columns: columns.length,
              rejected,
              notes: [...notes],
            })),
          },
        };
      });
    },
  });
}

async function describeOne(source: DataSource, table: TableInfo, signal: AbortSignal): Promise<string> {
  const values = await source.values({ signal });
  const joins = await source.joins({ signal });
  return describeTable(table, { values, joins });
}

function overview(schema: DataSchema): string {
  const whole = describeSchema(schema);
  const joins = joinsByName(schema).slice(0, MAX_JOINS).map(writeJoin);
  return [
    whole.length <= MAX_OVERVIEW
      ? whole
      : `${summarizeSchema(schema, MAX_OVERVIEW)}\nCall again with table for one of them in full, or with search for a word.`,
    ...(joins.length === 0 ? [] : [`Joins by name: ${joins.join("; ")}`]),
  ].join("\n\n");
}

function requireTable(name: string, { tables }: DataSchema): TableInfo {
  const found = tables.find((table) => table.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = tables.map((table) => table.name);
  const near = nearestNames(name, names);
  throw new InputError(
    "input.not-found",
    `table: there is no table "${name}". ${near.length > 0 ? "Nearest" : "There is"}: ${(near.length > 0 ? near : names.slice(0, 20)).join(", ")}.`,
  );
}

function tablesWith(search: string | undefined, { tables }: DataSchema): readonly TableInfo[] {
  const found = search === undefined ? tables : tables.filter((table) => hasWord(table, search));
  if (found.length > 0 || search === undefined) return found;
  const words = tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
  const near = nearestNames(search, [...new Set(words)]);
  throw new InputError(
    "input.not-found",
    `search: no table, column or sample value has "${search}".${near.length === 0 ? "" : ` Nearest: ${near.join(", ")}.`} Leave search out to see all tables.`,
  );
}

function hasWord({ name, source, columns }: TableInfo, word: string): boolean {
  const texts = columns.flatMap((column) => [column.name, ...column.samples.map(String)]);
  return [name, source, ...texts].some((text) => text.toLowerCase().includes(word.toLowerCase()));
}
