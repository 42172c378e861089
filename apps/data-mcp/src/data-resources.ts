import { describeSchema, summarizeSchema } from "@troupe/analytics";
import type { ResourceProvider } from "@troupe/service/mcp";

import type { Sources } from "./sources/sources.ts";
import { MAX_COLLECTION_TEXT } from "./tools/list-collections.ts";

const COLLECTION = /^troupe-data:\/\/collections\/([^/?#]{1,300})(\/overview)?$/;
const RESULT = /^troupe-data:\/\/results\/([\w-]{1,100})$/;

/** The tables and results that a caller may read. */
export function dataResources(sources: Sources): ResourceProvider {
  return {
    templates: [
      {
        uriTemplate: "troupe-data://collections/{collection}",
        name: "tables",
        title: "Tables of a collection",
        description: "Its tables with columns, types, row counts, ranges and sample values.",
        mimeType: "text/plain",
      },
      {
        uriTemplate: "troupe-data://collections/{collection}/overview",
        name: "overview",
        title: "Overview of a collection",
        description: "Its tables with rows and columns, at most 2,000 characters.",
        mimeType: "text/plain",
      },
      {
        uriTemplate: "troupe-data://results/{result_id}",
        name: "result",
        title: "Result of a query",
        description: "The statement, columns and kept rows of a result of query_db, while the server runs.",
        mimeType: "application/json",
      },
    ],
    async list(caller) {
      return (await sources.list(caller)).flatMap((name) => {
        const uri = `troupe-data://collections/${encodeURIComponent(name)}`;
        return [
          { uri, name, title: `Tables of ${name}`, mimeType: "text/plain" },
          {
            uri: `${uri}/overview`,
            name: `${name} overview`,
            title: `Tables of ${name} in short`,
            mimeType: "text/plain",
          },
        ];
      });
    },
    async read(uri, caller) {
      const [, name, isOverview] = COLLECTION.exec(uri) ?? [];
      const collection = decoded(name);
      if (collection !== undefined) {
        if (!(await sources.list(caller)).includes(collection)) return undefined;
        const schema = await sources.use(caller, collection, (source) => source.schema());
        const text =
          isOverview === undefined ? describeSchema(schema) : summarizeSchema(schema, MAX_COLLECTION_TEXT);
        return [{ uri, mimeType: "text/plain", text }];
      }
      const id = RESULT.exec(uri)?.[1];
      const result = id === undefined ? undefined : await sources.findResult(caller, id);
      if (result === undefined) return undefined;
      const { sql, source, columns, rows, total, truncated } = result;
      const shown = { result_id: result.id, sql, source, columns, rows, total, truncated };
      return [{ uri, mimeType: "application/json", text: JSON.stringify(shown) }];
    },
  };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
