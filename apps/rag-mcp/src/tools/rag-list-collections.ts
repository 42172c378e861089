import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import { count } from "./present.ts";
import type { IndexOf } from "./readable-index.ts";

const collectionSchema = z.object({ name: z.string(), documents: z.number(), passages: z.number() });

export function ragListCollections(indexOf: IndexOf): Tool {
  return defineTool({
    name: "rag_list_collections",
    annotations: { title: "List document collections", readOnly: true, destructive: false, openWorld: false },
    output: { data: z.object({ collections: z.array(collectionSchema) }) },
    description: "Lists the collections of ingested documents with their sizes.",
    input: z.object({}),
    idempotent: true,
    async execute(_input, context) {
      const collections = await (await indexOf(context)).collections();
      const lines = collections.map(
        ({ name, documents, passages }) =>
          `- ${name}: ${count(documents, "document")}, ${count(passages, "passage")}`,
      );
      return {
        text:
          lines.length === 0 ? "There is no collection: nothing has been ingested yet." : lines.join("\n"),
        summary: count(collections.length, "collection"),
        data: { collections: collections.map((collection) => ({ ...collection })) },
      };
    },
  });
}
