import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { defineTool, silentLog } from "@troupe/core";
import { mcpSettings, startMcp } from "@troupe/service/mcp";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";
import { testContext } from "../testing/test-context.ts";
import { cleanUp, startTroupe, temporaryFolder } from "../testing/troupe.ts";
import { checkCollections, sayCollections } from "./collections.ts";
import { readServers, recordServers } from "./server-record.ts";

afterEach(cleanUp);

const shop = ["shop"];
const listTool = defineTool({
  name: "list",
  description: "Lists.",
  input: z.object({}),
  execute: () => Promise.resolve({ text: "", data: { collections: [...shop] } }),
});

it("asks the server that is up for its collections, and starts none", async () => {
  const home = join(temporaryFolder(), "home");
  const appsRoot = temporaryFolder();
  mkdirSync(join(appsRoot, "shop-mcp"));
  const troupe = { kind: "mcp", port: 4001, ingest: { tool: "take", extensions: [], list: "list" } };
  // It has no code, so it could not be started.
  writeFileSync(join(appsRoot, "shop-mcp", "package.json"), JSON.stringify({ name: "shop-mcp", troupe }));
  const tools = { log: silentLog };
  const orchestrator = await start(settings.parse({ home, port: 0, agents: [] }), tools);
  onTestFinished(() => orchestrator.close());
  const definition = {
    name: "shop-mcp",
    version: "1.0.0",
    instructions: "",
    open: () => Promise.resolve({ tools: [listTool], close: () => Promise.resolve() }),
  };
  const served = await startMcp(definition, mcpSettings(4001).parse({ home, port: 0 }), tools);
  onTestFinished(() => served.close());
  let said = "";
  const context = testContext(home, {
    appsRoot,
    interrupted: AbortSignal.timeout(30_000),
    err: (text) => void (said += text),
  });
  const app = { name: "shop-mcp", kind: "mcp" as const, url: new URL(served.url).origin };
  const forget = recordServers(home, orchestrator.url, [app]);
  await expect(checkCollections(context, ["shop"])).resolves.toBeUndefined();
  await expect(checkCollections(context, ["shpo"])).rejects.toThrow('Known collections: "shop".');
  await sayCollections(context);
  expect(said).toBe("");
  shop.push("garage");
  await sayCollections(context);
  expect(said).toMatch(/^No --collection was given: .* need one of "garage", "shop"\.\n/);
  shop.length = 0;
  await sayCollections(context);
  expect(said).toMatch(
    /There are no documents or data yet\. To add some, run `troupe ingest PATHS --collection NAME/,
  );
  expect(readServers(home, "http://127.0.0.1:1")).toEqual([]);
  forget();
  expect(readServers(home, orchestrator.url)).toEqual([]);
});

it("says what is wrong with a damaged index, and what to do", async () => {
  const home = join(temporaryFolder(), "home");
  mkdirSync(join(home, "retrieval"), { recursive: true });
  writeFileSync(join(home, "retrieval", "index.db"), "no database");
  const { code, stderr } = await startTroupe(["collections"], { home }).finished;
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/"[^"]*retrieval\/index\.db" is not a usable index file\. Delete it and ingest/);
});
