import { defineTool, type Tool } from "@troupe/core";
import type { DocumentInfo } from "@troupe/retrieval";
import { z } from "zod";

import { count, nameOf } from "./present.ts";
import { requireCollection, type IndexOf } from "./readable-index.ts";

const MAX_LISTED = 200;

const referenceSchema = z.object({
  documentId: z.string(),
  title: z.string(),
  source: z.string(),
  published: z.string().exactOptional(),
  version: z.string().exactOptional(),
});
const documentSchema = referenceSchema.extend({
  collection: z.string(),
  mediaType: z.string(),
  pages: z.number(),
  paged: z.boolean(),
  bytes: z.number(),
  passages: z.number(),
  sha256: z.string(),
  ingestedAt: z.number().describe("Milliseconds since the Unix epoch"),
  withdrawn: z.boolean(),
  newerVersion: referenceSchema.exactOptional(),
});

export function ragListDocuments(indexOf: IndexOf): Tool {
  return defineTool({
    name: "rag_list_documents",
    annotations: { title: "List documents", readOnly: true, destructive: false, openWorld: false },
    output: { data: z.object({ documents: z.array(documentSchema), total: z.number() }) },
    description:
      "Lists documents with their id, pages, date and version, and which a newer version replaces.",
    input: z.object({
      collection: z.string().min(1).max(200).optional(),
      offset: z.number().int().min(0).max(1_000_000).default(0).describe("Documents to skip"),
    }),
    idempotent: true,
    async execute({ collection, offset }, context) {
      const index = await indexOf(context);
      const within = await requireCollection(index, collection ?? context.collectionId);
      const documents = await index.documents(within.collection);
      const shown = documents.slice(offset, offset + MAX_LISTED);
      const next = offset + shown.length;
      const more =
        documents.length > next
          ? [`... and ${documents.length - next} more: call again with offset ${next}.`]
          : [];
      return {
        text: documents.length === 0 ? "There are no documents." : [...shown.map(line), ...more].join("\n"),
        summary: count(documents.length, "document"),
        data: { documents: [...shown], total: documents.length },
      };
    },
  });
}

function line(document: DocumentInfo): string {
  const size = document.paged ? count(document.pages, "page") : count(document.passages, "passage");
  const replaced =
    document.newerVersion === undefined ? "" : ` OUTDATED: see ${nameOf(document.newerVersion)}.`;
  const withdrawn = document.withdrawn && document.newerVersion === undefined ? " No longer in force." : "";
  return `- ${nameOf(document)}: ${size}, collection ${document.collection}, document_id ${document.documentId}.${replaced}${withdrawn}`;
}
