import type { DocumentInfo, Retriever } from "@troupe/retrieval";
import type { ResourceProvider } from "@troupe/service/mcp";

import { collectionOverview, overviewOfAll } from "./tools/collection-overview.ts";
import type { IndexOf } from "./tools/readable-index.ts";

const ADDRESS = /^troupe-document:\/\/([\w-]{1,200})(?:\/(\d{1,6}))?$/;
const OVERVIEW = /^troupe-document:\/\/overview(?:\?collection=([^&#]{1,1000}))?$/;
/** Text of one answer, in UTF-16 units; the pages behind it are read one by one. */
const MAX_TEXT = 2_000_000;

/** The ingested documents that a caller may read, as text. */
export function documentResources(indexOf: IndexOf): ResourceProvider {
  return {
    templates: [
      {
        uriTemplate: "troupe-document://{document_id}",
        name: "document",
        title: "Document",
        description: "The text of an ingested document, page by page.",
        mimeType: "text/plain",
      },
      {
        uriTemplate: "troupe-document://{document_id}/{page}",
        name: "page",
        title: "Page of a document",
        description: "The text of one page, counted from 1.",
        mimeType: "text/plain",
      },
      {
        uriTemplate: "troupe-document://overview{?collection}",
        name: "overview",
        title: "Overview of a collection, or of all",
        description: "The documents with dates and sizes, the newest first, at most 2,000 characters.",
        mimeType: "text/plain",
      },
    ],
    async list(caller) {
      const index = await indexOf(caller);
      const [collections, documents] = await Promise.all([index.collections(), index.documents()]);
      const overviews = collections.map(({ name }) => ({
        uri: `troupe-document://overview?collection=${encodeURIComponent(name)}`,
        name: `${name} overview`,
        title: `Documents of ${name}`,
        mimeType: "text/plain",
      }));
      const texts = documents.map(({ documentId, title, source, collection }) => ({
        uri: `troupe-document://${documentId}`,
        name: source,
        title,
        description: `In collection "${collection}".`,
        mimeType: "text/plain",
      }));
      return [...overviews, ...texts];
    },
    async read(uri, caller) {
      const overview = OVERVIEW.exec(uri);
      if (overview !== null) {
        const index = await indexOf(caller);
        const text =
          overview[1] === undefined
            ? await overviewOfAll(index)
            : collectionOverview(decoded(overview[1]), await documentsOf(index, decoded(overview[1])));
        return [{ uri, mimeType: "text/plain", text }];
      }
      const [, documentId = "", wanted] = ADDRESS.exec(uri) ?? [];
      const index = await indexOf(caller);
      const first = await index.page(documentId, wanted === undefined ? 1 : Number(wanted));
      if (first === undefined) return undefined;
      const contents = [first];
      let length = first.text.length;
      const last = wanted === undefined ? first.pages : 1;
      for (let page = 2; page <= last && length < MAX_TEXT; page++) {
        const next = await index.page(documentId, page);
        if (next !== undefined) contents.push(next);
        length += next?.text.length ?? 0;
      }
      return contents.map(({ page, text }) => ({
        uri: `troupe-document://${documentId}/${page}`,
        mimeType: "text/plain",
        text,
      }));
    },
  };
}

/** None of a collection that is not there for this caller. */
async function documentsOf(
  index: Pick<Retriever, "collections" | "documents">,
  name: string,
): Promise<readonly DocumentInfo[]> {
  const collections = await index.collections();
  return collections.some((collection) => collection.name === name) ? index.documents(name) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
