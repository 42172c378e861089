import { silentLog } from "@troupe/core";
import { describe, expect, it } from "vitest";
import type { z } from "zod";

import type { Connection } from "./connection.ts";
import { listRemoteTools } from "./list-tools.ts";

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

/** A connection that answers `tools/list` page by page. */
function paging(page: (cursor: string | undefined) => unknown) {
  const asked: (string | undefined)[] = [];
  const connection: Connection = {
    kind: "http",
    open: () => true,
    toolsVersion: () => 0,
    hasResources: false,
    request: async <S extends z.ZodType>(request: { params?: { [key: string]: unknown } }, schema: S) => {
      const cursor = request.params?.["cursor"] as string | undefined;
      asked.push(cursor);
      return schema.parse(page(cursor));
    },
    retire: () => undefined,
    close: () => Promise.resolve(),
    closed: new Promise(() => undefined),
  };
  const list = () =>
    listRemoteTools(connection, { server: "x", signal: new AbortController().signal, log: silentLog });
  return { list, asked };
}

describe("listing the tools of a stranger", () => {
  it("asks for page after page", async () => {
    const { list, asked } = paging((cursor) =>
      cursor === undefined ? { tools: [tool("a")], nextCursor: "2" } : { tools: [tool("b")] },
    );
    expect((await list()).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(asked).toEqual([undefined, "2"]);
  });

  it("leaves out what is no tool and keeps the rest", async () => {
    const { list } = paging(() => ({
      tools: [7, { name: "no-schema" }, { name: "x", inputSchema: { type: "string" } }, tool("good")],
    }));
    expect((await list()).map(({ name }) => name)).toEqual(["good"]);
  });

  it("stops when the server would go on for ever", async () => {
    let page = 0;
    const endless = paging(() => ({ tools: [], nextCursor: String(++page) }));
    expect(await endless.list()).toEqual([]);
    expect(endless.asked).toHaveLength(50);
    const circle = paging(() => ({ tools: [], nextCursor: "same" }));
    await circle.list();
    expect(circle.asked).toHaveLength(2);
    const flood = paging(() => ({
      tools: Array.from({ length: 3_000 }, (_, i) => tool(`t${i}`)),
      nextCursor: "x",
    }));
    expect(await flood.list()).toHaveLength(1_000);
  });
});
