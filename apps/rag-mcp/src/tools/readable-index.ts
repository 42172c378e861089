import { InputError, type ToolContext } from "@troupe/core";
import type { Retriever } from "@troupe/retrieval";
import type { CollectionAccess, CollectionRights } from "@troupe/service/mcp";

/** The index as the caller of a tool may see it. */
export type IndexOf = (context: Pick<ToolContext, "userId">) => Promise<Retriever>;

export function indexByCaller(index: Retriever, access: CollectionAccess): IndexOf {
  return async ({ userId }) => readableIndex(index, await access.rightsOf(userId));
}

/** The same index without the collections that may not be read: they are as if they were not there. */
function readableIndex(index: Retriever, { mayRead, mayChange }: CollectionRights): Retriever {
  const collections = async () => (await index.collections()).filter(({ name }) => mayRead(name));
  const documents = async (collection?: string) => {
    if (collection !== undefined) await requireCollection({ collections }, collection);
    return (await index.documents(collection)).filter((document) => mayRead(document.collection));
  };
  return {
    collections,
    documents,
    search: async (query, options) =>
      index.search(query, { ...options, among: (await collections()).map(({ name }) => name) }),
    async page(documentId, page) {
      const found = await index.page(documentId, page);
      return found !== undefined && mayRead(found.collection) ? found : undefined;
    },
    async outline(documentId) {
      const found = await index.outline(documentId);
      return found !== undefined && mayRead(found.collection) ? found : undefined;
    },
    async passages(documentId) {
      const found = await index.passages(documentId);
      return found.filter(({ citation }) => mayRead(citation.collection));
    },
    async deleteDocument(documentId) {
      const document = (await documents()).find((candidate) => candidate.documentId === documentId);
      if (document === undefined) return false;
      if (!mayChange(document.collection))
        throw new InputError(
          "input.unsupported",
          `Collection "${document.collection}" belongs to somebody else: you may search it, and only its owner may delete from it.`,
        );
      return index.deleteDocument(documentId);
    },
    close: () => index.close(),
  };
}

/** The id may be of a document that the caller may not read. */
export function noSuchDocument(documentId: string): string {
  return `document_id: there is no document "${documentId}". Take document_id from rag_search or rag_list_documents.`;
}

/**
 * The collection to look in, all when none is wanted. Throws an `InputError` for one without documents: it
 * may hold tables, of which nothing is known here.
 */
export async function requireCollection(
  index: Pick<Retriever, "collections">,
  wanted: string | undefined,
): Promise<{ readonly collection?: string }> {
  if (wanted === undefined) return {};
  const names = (await index.collections()).map(({ name }) => name);
  if (names.includes(wanted)) return { collection: wanted };
  const there = names.map((name) => `"${name}"`).join(", ");
  throw new InputError(
    "input.not-found",
    `No documents were taken in under "${wanted}"${there === "" ? ", nor under any other name" : `; documents are in ${there}`}.`,
  );
}
