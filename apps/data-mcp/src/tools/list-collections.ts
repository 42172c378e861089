import { summarizeSchema } from "@troupe/analytics";
import { clip, defineTool, type Tool, type ToolContext } from "@troupe/core";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";

/** Characters of the text about one collection, or about all of them. */
const MAX_OVERVIEW = 2_000;
/** With more collections only their names are listed. */
const MAX_DESCRIBED = 4;
const MAX_NAME = 200;

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
      return {
        text: [
          ...(names.length > 0 && names.length <= MAX_DESCRIBED
            ? [`Data collections: ${names.join(", ")}`]
            : []),
          await overviewOf(sources, context),
        ].join("\n\n"),
        summary: `${names.length} data ${names.length === 1 ? "collection" : "collections"}`,
        data: { collections: [...names] },
      };
    },
  });
}

/** Tables of one collection, or of all that the caller may read, of many of which only the names are listed. */
export async function overviewOf(
  sources: Pick<Sources, "list" | "use">,
  caller: Pick<ToolContext, "userId">,
  collection?: string,
): Promise<string> {
  const names = await sources.list(caller);
  if (collection !== undefined && !names.includes(collection))
    return `Collection ${clip(collection, MAX_NAME)}: no tables.`;
  if (names.length === 0) return "There is no data collection yet. Ingest CSV files first.";
  const described = collection === undefined ? names : [collection];
  if (described.length > MAX_DESCRIBED)
    return clip(`Data collections: ${described.join(", ")}`, MAX_OVERVIEW);
  const share = Math.floor(MAX_OVERVIEW / described.length);
  const texts: string[] = [];
  for (const name of described)
    texts.push(
      await sources.use(caller, name, async (source) => summarizeSchema(await source.schema(), share)),
    );
  return texts.join("\n\n");
}
