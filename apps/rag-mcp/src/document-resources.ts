import type { ResourceProvider } from "@troupe/service/mcp";

import type { IndexOf } from "./tools/readable-index.ts";

const ADDRESS = /^troupe-document:\/\/([\w-]{1,200})(?:\/(\d{1,6}))?$/;
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
    ],
    async list(caller) {
      const documents = await (await indexOf(caller)).documents();
      return documents.map(({ documentId, title, source, collection }) => ({
        uri: `troupe-document://${documentId}`,
        name: source,
        title,
        description: `In collection "${collection}".`,
        mimeType: "text/plain",
      }));
    },
    async read(uri, caller) {
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
