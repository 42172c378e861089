import type { Tool } from "@troupe/core";
import type { RetrievalIndex } from "@troupe/retrieval";
import type { CollectionAccess } from "@troupe/service/mcp";

import { ragDeleteDocument } from "./rag-delete-document.ts";
import { ragGetPage } from "./rag-get-page.ts";
import { ragIngest } from "./rag-ingest.ts";
import { ragListCollections } from "./rag-list-collections.ts";
import { ragListDocuments } from "./rag-list-documents.ts";
import { ragOutline } from "./rag-outline.ts";
import { indexByCaller } from "./readable-index.ts";
import { ragSearch } from "./rag-search.ts";

/** All tools over one index. Only a trusted local caller gets the one that reads paths of this machine. */
export function ragTools(
  index: RetrievalIndex,
  options: { readonly mayReadPaths: boolean; readonly access: CollectionAccess },
): readonly Tool[] {
  const indexOf = indexByCaller(index, options.access);
  return [
    ragSearch(indexOf),
    ragGetPage(indexOf),
    ragOutline(indexOf),
    ragListCollections(indexOf),
    ragListDocuments(indexOf),
    ragDeleteDocument(indexOf),
    ...(options.mayReadPaths ? [ragIngest(index)] : []),
  ];
}
