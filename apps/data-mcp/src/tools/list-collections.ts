import { summarizeSchema } from "@troupe/analytics";
import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";

/** Characters of the text about one collection. */
export const MAX_COLLECTION_TEXT = 2_000;
/** With more collections only their names are listed. */
const MAX_DESCRIBED = 4;

export function listDataCollections(sources: Sources): Tool {
  return defineTool({
    name: "list_collections",
    annotations: { title: "List data collections", readOnly: true, destructive: false, openWorld: false },
    output: { data: z.object({ collections: z.array(z.string()) }) },
    description: "Lists the collections and, of a few, their tables with rows and columns.",
    input: z.strictObject({}),
    idempotent: true,
    async execute(_input, context) {
      const names = await sources.list(context);
      const described = names.length > MAX_DESCRIBED ? [] : names;
      const texts: string[] = [];
      for (const name of described)
        texts.push(
          await sources.use(context, name, async (source) =>
            summarizeSchema(await source.schema(), MAX_COLLECTION_TEXT),
          ),
        );
      return {
        text:
          names.length === 0
            ? "There is no data collection yet. Ingest CSV files first."
            : [`Data collections: ${names.join(", ")}`, ...texts].join("\n\n"),
        summary: `${names.length} data ${names.length === 1 ? "collection" : "collections"}`,
        data: { collections: [...names] },
      };
    },
  });
}
