import { randomId, silentLog, systemClock } from "@troupe/core";
import { expect, it, onTestFinished } from "vitest";

import { createMcpServer } from "../server/create-mcp-server.ts";
import type { ResourceProvider } from "../server/provided-resources.ts";
import { serveHttp } from "../server/serve-http.ts";
import { sampleTools } from "../testing/sample-tools.ts";
import { createMcpPool } from "./pool.ts";

const signal = AbortSignal.timeout(60_000);

async function sourceOf(uriTemplate: string, read: ResourceProvider["read"]) {
  const resources: ResourceProvider = {
    templates: [
      { uriTemplate: "x://{id}", name: "document" },
      { uriTemplate, name: "overview" },
    ],
    list: () => Promise.resolve([]),
    read,
  };
  const parts = { name: "docs", version: "1", log: silentLog, clock: systemClock, newId: randomId };
  const server = await serveHttp({
    create: () => createMcpServer({ ...parts, tools: sampleTools().tools, resources }),
    port: 0,
    clock: systemClock,
    newId: randomId,
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const options = { clock: systemClock, log: silentLog, breaker: { threshold: 1 } };
  const pool = createMcpPool([{ name: "docs", url: server.url }], options);
  onTestFinished(() => pool.close());
  return pool.source("docs");
}

it("reads the resource named overview, of a collection or of all, in the name of the user", async () => {
  const source = await sourceOf("x://overview{?collection}", (uri, { userId = "nobody" }) =>
    Promise.resolve([{ uri, mimeType: "text/plain", text: `${uri} for ${userId}` }]),
  );
  expect(await source.overview?.({ collectionId: "a b", userId: "ann" }, { signal })).toBe(
    "x://overview?collection=a%20b for ann",
  );
  expect(await source.overview?.({}, { signal })).toBe("x://overview for nobody");
});

it("has none where the server names no such resource", async () => {
  const source = await sourceOf("x://{collection}/overview", () => Promise.resolve(undefined));
  expect(await source.overview?.({}, { signal })).toBeUndefined();
});

it("leaves the breaker closed where it cannot be read", async () => {
  const source = await sourceOf("x://overview{?collection}", () => Promise.resolve(undefined));
  await expect(source.overview?.({}, { signal })).rejects.toMatchObject({ name: "ToolError" });
  expect((await source.list({ signal })).length).toBeGreaterThan(0);
});
