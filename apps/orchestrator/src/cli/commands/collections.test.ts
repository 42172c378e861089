import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { defineTool, InputError, silentLog, StoreError } from "@troupe/core";
import { mcpSettings, startMcp } from "@troupe/service/mcp";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { settings } from "../../server/settings.ts";
import { start } from "../../server/start.ts";
import { testContext } from "../../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { recordServers } from "../server-record.ts";
import { collections } from "./collections.ts";

afterEach(cleanUp);

const listTool = defineTool({
  name: "list",
  description: "Lists.",
  input: z.object({}),
  execute: () => Promise.resolve({ text: "", data: { collections: ["shop", "torn"] } }),
});
const contentsTool = defineTool({
  name: "contents",
  description: "Describes.",
  input: z.object({ collection: z.string() }),
  execute: ({ collection }) => {
    if (collection === "torn") throw new StoreError("store.corrupt", 'The registry of "torn" is damaged.');
    if (collection !== "shop") throw new InputError("input.not-found", collection);
    const tables = [{ name: "sales", source: "sales.csv", rows: 2, columns: 3 }];
    return Promise.resolve({ text: "", data: { tables } });
  },
});

it("lists what can be read, and names a damaged collection with the reason", async () => {
  const home = join(temporaryFolder(), "home");
  const appsRoot = temporaryFolder();
  mkdirSync(join(appsRoot, "shop-mcp"));
  const ingest = { tool: "take", extensions: [], list: "list", contents: "contents" };
  const troupe = { kind: "mcp", port: 4001, ingest };
  writeFileSync(join(appsRoot, "shop-mcp", "package.json"), JSON.stringify({ name: "shop-mcp", troupe }));
  const orchestrator = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
  onTestFinished(() => orchestrator.close());
  const definition = {
    name: "shop-mcp",
    version: "1.0.0",
    instructions: "",
    open: () => Promise.resolve({ tools: [listTool, contentsTool], close: () => Promise.resolve() }),
  };
  const served = await startMcp(definition, mcpSettings(4001).parse({ home, port: 0 }), { log: silentLog });
  onTestFinished(() => served.close());
  recordServers(home, orchestrator.url, [{ name: "shop-mcp", kind: "mcp", url: new URL(served.url).origin }]);
  const written = { out: "", err: "" };
  const context = testContext(home, {
    appsRoot,
    interrupted: AbortSignal.timeout(30_000),
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  expect(await collections(context, { json: false })).toBe(1);
  expect(written.out).toBe("shop: 1 table\n    sales: 2 rows, 3 columns\ntorn: cannot be read\n");
  expect(written.err).toContain("Cannot be read: torn: ");
  expect(written.err).toContain('The registry of "torn" is damaged.');
});
