import type { JsonObject } from "@troupe/stream";
import { z } from "zod";

import { dataOf, type CallTool } from "./call-app.ts";

const table = z.object({
  name: z.string(),
  source: z.string(),
  rows: z.number(),
  columns: z.number(),
});
const page = z.object({
  documents: z.array(z.object({ documentId: z.string(), source: z.string() })).default([]),
  /** Of documents, where a server lists them page by page. */
  total: z.number().default(0),
  tables: z.array(table).default([]),
});

export type TableEntry = z.output<typeof table>;
export type Contents = Omit<z.output<typeof page>, "total">;

/** What a server holds under a collection it has. Throws when it does not tell. */
export async function contentsOf(call: CallTool, tool: string, collection: string): Promise<Contents> {
  const ask = async (more: JsonObject) => dataOf(page, tool, await call(tool, { collection, ...more }));
  const { tables, total, documents: first } = await ask({});
  const documents = [...first];
  while (documents.length < total) {
    const { documents: next } = await ask({ offset: documents.length });
    if (next.length === 0) break;
    documents.push(...next);
  }
  return { documents, tables };
}
