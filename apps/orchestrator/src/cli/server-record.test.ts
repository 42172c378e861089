import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { testContext } from "../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { readServers } from "./server-record.ts";
import { startOwn } from "./servers.ts";

afterEach(cleanUp);

const SERVES = `
  const server = require("node:http").createServer((_, res) => res.end());
  server.listen(Number(process.env.TROUPE_PORT), "127.0.0.1", () =>
    process.send({ ready: true, url: "http://127.0.0.1:" + process.env.TROUPE_PORT }));
  process.on("SIGTERM", () => process.exit(0));
  process.on("disconnect", () => process.exit(0));`;

it("is there for other commands while the servers run, and names those left out with the cause", async () => {
  const appsRoot = temporaryFolder();
  const app = (name: string, kind: string, port: number, script: string): void => {
    mkdirSync(join(appsRoot, name, "dist"), { recursive: true });
    writeFileSync(join(appsRoot, name, "package.json"), JSON.stringify({ name, troupe: { kind, port } }));
    writeFileSync(join(appsRoot, name, "dist", "main.js"), script);
  };
  app("boss", "orchestrator", 4000, SERVES);
  app("fine", "agent", 4001, SERVES);
  app("own", "agent", 4002, 'throw new Error("no such model as sesame-open")');
  const home = join(temporaryFolder(), "home");
  const config = join(temporaryFolder(), "troupe.config.json");
  writeFileSync(config, JSON.stringify({ log_levle: "debug", own: { anything: 1 } }));
  const said: string[] = [];
  const context = testContext(home, {
    err: (text) => void said.push(text),
    env: { MODEL_KEY: "sesame-open", ENABLE_POLICY_MIDDLWARE: "false", TROUPE_CONFIG: config },
    appsRoot,
  });
  const servers = await startOwn(context, "free");
  try {
    expect(readServers(home, servers.orchestratorUrl)).toEqual([
      { name: "boss", kind: "orchestrator", url: servers.orchestratorUrl },
      { name: "fine", kind: "agent", url: servers.urls.get("fine") },
      {
        name: "own",
        kind: "agent",
        url: servers.addresses.get("own"),
        problem: expect.stringContaining("no such model as ***"),
        retryAt: expect.any(Number) as unknown,
      },
    ]);
    expect(said).toEqual([
      "Starting 3 servers ...\n",
      'ENABLE_POLICY_MIDDLWARE has no effect: there is no such setting. Did you mean "ENABLE_POLICY_MIDDLEWARE"?\n',
      'The config file has the unknown key "log_levle". Did you mean "log_level"?\n',
      expect.stringMatching(/^own did not start: .*as \*\*\*.*; restarting\./),
    ]);
  } finally {
    await servers.stop();
  }
  expect(readServers(home, servers.orchestratorUrl)).toEqual([]);
});

it("names at a terminal the servers that are not ready yet, and clears that line at the end", async () => {
  const appsRoot = temporaryFolder();
  for (const [name, kind, port] of [
    ["boss", "orchestrator", 4000],
    ["fine", "agent", 4001],
  ] as const) {
    mkdirSync(join(appsRoot, name, "dist"), { recursive: true });
    writeFileSync(join(appsRoot, name, "package.json"), JSON.stringify({ name, troupe: { kind, port } }));
    writeFileSync(join(appsRoot, name, "dist", "main.js"), SERVES);
  }
  const shown: string[] = [];
  const status = (text: string): void => void shown.push(text);
  const context = testContext(join(temporaryFolder(), "home"), { status, appsRoot });
  const servers = await startOwn(context, "free");
  await servers.stop();
  expect(shown).toEqual([
    "Starting 2 servers ...",
    expect.stringMatching(/^Starting 2 servers \.\.\. 1 ready, waiting for (?:boss|fine)$/),
    "",
  ]);
});
