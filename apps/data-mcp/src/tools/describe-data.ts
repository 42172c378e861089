import { describeSchema } from "@troupe/analytics";
import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument } from "./arguments.ts";

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
      "Lists the tables of a collection with columns, types, row counts, ranges and sample values. Call it before writing SQL.",
    input: z.strictObject({ collection: collectionArgument }),
    idempotent: true,
    async execute({ collection }, context) {
      const schema = await sources.use(context, collection ?? context.collectionId, (source) =>
        source.schema(),
      );
      const rows = schema.tables.reduce((sum, table) => sum + table.rows, 0);
      return {
        text: describeSchema(schema),
        summary: `${schema.tables.length} tables with ${rows} rows in "${schema.collection}"`,
        data: {
          collection: schema.collection,
          tables: schema.tables.map(({ name, source, rows: n, columns, rejected, notes = [] }) => ({
            name,
            source,
            rows: n,
            columns: columns.length,
            rejected,
            notes: [...notes],
          })),
        },
      };
    },
  });
}

export function listDataCollections(sources: Sources): Tool {
  return defineTool({
    name: "list_collections",
    annotations: { title: "List data collections", readOnly: true, destructive: false, openWorld: false },
    output: { data: z.object({ collections: z.array(z.string()) }) },
    description: "Lists the data collections that can be queried.",
    input: z.strictObject({}),
    idempotent: true,
    async execute(_input, context) {
      const names = await sources.list(context);
      return {
        text:
          names.length === 0
            ? "There is no data collection yet. Ingest CSV files first."
            : `Data collections: ${names.join(", ")}`,
        data: { collections: [...names] },
      };
    },
  });
}
