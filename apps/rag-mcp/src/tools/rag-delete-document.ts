import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import { nameOf } from "./present.ts";
import { noSuchDocument, type IndexOf } from "./readable-index.ts";

export function ragDeleteDocument(indexOf: IndexOf): Tool {
  return defineTool({
    name: "rag_delete_document",
    annotations: { title: "Delete a document", readOnly: false, destructive: true, openWorld: false },
    output: { data: z.object({ deleted: z.string().describe("Its document_id") }) },
    description: "Takes one document out of the index. Its file stays; ingesting it again brings it back.",
    input: z.object({ document_id: z.string().min(1).max(200) }),
    idempotent: true,
    async execute({ document_id: documentId }, context) {
      const index = await indexOf(context);
      const document = (await index.documents()).find((candidate) => candidate.documentId === documentId);
      if (!document || !(await index.deleteDocument(documentId)))
        return {
          text: noSuchDocument(documentId),
          isError: true,
        };
      return {
        text: `Deleted ${nameOf(document)} from collection "${document.collection}".`,
        data: { deleted: documentId },
      };
    },
  });
}
