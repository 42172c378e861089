import { describeSchema } from "@troupe/analytics";
import type { ResourceProvider } from "@troupe/service/mcp";

import type { Sources } from "./sources/sources.ts";
import { overviewOf } from "./tools/list-collections.ts";

const COLLECTION = /^troupe-data:\/\/collections\/([^/?#]{1,300})$/;
const OVERVIEW = /^troupe-data:\/\/overview(?:\?collection=([^&#]{1,1000}))?$/;
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
        uriTemplate: "troupe-data://overview{?collection}",
        name: "overview",
        title: "Overview of a collection, or of all",
        description: "The tables with rows, columns and periods, at most 2,000 characters.",
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
            uri: `troupe-data://overview?collection=${encodeURIComponent(name)}`,
            name: `${name} overview`,
            title: `Tables of ${name} in short`,
            mimeType: "text/plain",
          },
        ];
      });
    },
    async read(uri, caller) {
      const overview = OVERVIEW.exec(uri);
      if (overview !== null) {
        const text = await overviewOf(sources, caller, decoded(overview[1]));
        return [{ uri, mimeType: "text/plain", text }];
      }
      const collection = decoded(COLLECTION.exec(uri)?.[1]);
      if (collection !== undefined) {
        if (!(await sources.list(caller)).includes(collection)) return undefined;
        const schema = await sources.use(caller, collection, (source) => source.schema());
        return [{ uri, mimeType: "text/plain", text: describeSchema(schema) }];
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
