import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import { overviewOfAll } from "./collection-overview.ts";
import { count } from "./present.ts";
import type { IndexOf } from "./readable-index.ts";

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
      return {
        text: await overviewOfAll(index),
        summary: count(collections.length, "collection"),
        data: { collections: collections.map((collection) => ({ ...collection })) },
      };
    },
  });
}
