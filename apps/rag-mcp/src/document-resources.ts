import type { Retriever } from "@troupe/retrieval";
import type { ResourceProvider } from "@troupe/service/mcp";

import { collectionOverview } from "./tools/collection-overview.ts";
import type { IndexOf } from "./tools/readable-index.ts";

const ADDRESS = /^troupe-document:\/\/([\w-]{1,200})(?:\/(\d{1,6}))?$/;
const COLLECTION = /^troupe-document:\/\/collections\/([^/?#]{1,300})\/overview$/;
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
        uriTemplate: "troupe-document://collections/{collection}/overview",
        name: "overview",
        title: "Overview of a collection",
        description: "Its documents with dates and sizes, at most 2,000 characters.",
        mimeType: "text/plain",
      },
    ],
    async list(caller) {
      const index = await indexOf(caller);
      const [collections, documents] = await Promise.all([index.collections(), index.documents()]);
      const overviews = collections.map(({ name }) => ({
        uri: `troupe-document://collections/${encodeURIComponent(name)}/overview`,
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
      const collection = COLLECTION.exec(uri)?.[1];
      if (collection !== undefined) return readOverview(await indexOf(caller), uri, decoded(collection));
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

async function readOverview(
  index: Pick<Retriever, "collections" | "documents">,
  uri: string,
  name: string,
): ReturnType<ResourceProvider["read"]> {
  const collections = await index.collections();
  if (!collections.some((collection) => collection.name === name)) return undefined;
  return [{ uri, mimeType: "text/plain", text: collectionOverview(name, await index.documents(name)) }];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
