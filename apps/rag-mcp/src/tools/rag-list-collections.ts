import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import { collectionOverview } from "./collection-overview.ts";
import { count } from "./present.ts";
import type { IndexOf } from "./readable-index.ts";

/** With more collections only their sizes are listed. */
const MAX_DESCRIBED = 4;

const collectionSchema = z.object({ name: z.string(), documents: z.number(), passages: z.number() });

export function ragListCollections(indexOf: IndexOf): Tool {
  return defineTool({
    name: "rag_list_collections",
    annotations: { title: "List document collections", readOnly: true, destructive: false, openWorld: false },
    output: { data: z.object({ collections: z.array(collectionSchema) }) },
    description: "Lists the collections and, of a few, their documents with dates and sizes.",
    input: z.object({}),
    idempotent: true,
    async execute(_input, context) {
      const index = await indexOf(context);
      const collections = await index.collections();
      const isDescribed = collections.length <= MAX_DESCRIBED;
      const parts = await Promise.all(
        collections.map(async ({ name, documents, passages }) =>
          isDescribed
            ? collectionOverview(name, await index.documents(name))
            : `${name}: ${count(documents, "document")}, ${count(passages, "passage")}`,
        ),
      );
      return {
        text:
          parts.length === 0
            ? "There is no collection: nothing has been ingested yet."
            : parts.join(isDescribed ? "\n\n" : "\n"),
        summary: count(collections.length, "collection"),
        data: { collections: collections.map((collection) => ({ ...collection })) },
      };
    },
  });
}
