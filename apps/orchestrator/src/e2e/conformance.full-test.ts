import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runConformance } from "@troupe/a2a/conformance";
import { silentLog } from "@troupe/core";
import * as dataAgent from "@troupe/data-agent";
import * as dataMcp from "@troupe/data-mcp";
import * as pptAgent from "@troupe/ppt-agent";
import * as pptMcp from "@troupe/ppt-mcp";
import * as ragAgent from "@troupe/rag-agent";
import * as ragMcp from "@troupe/rag-mcp";
import type { Running } from "@troupe/service";
import { afterAll, beforeAll, expect, it } from "vitest";

import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";

const folder = mkdtempSync(join(tmpdir(), "troupe-conformance-"));
const log = silentLog;
const running: Running[] = [];
const urls = new Map<string, string>();

/** Settings of a server of its own, on a free port and without a model. */
const own = (name: string) => ({ home: join(folder, name), port: 0, log_level: "silent" }) as const;

async function keep(name: string, starting: Promise<Running>): Promise<string> {
  const server = await starting;
  running.push(server);
  urls.set(name, server.url);
  return server.url;
}

/** All servers as their own `start()` makes them, in this process. */
beforeAll(async () => {
  const pairs = [
    ["rag", ragAgent, ragMcp],
    ["ppt", pptAgent, pptMcp],
    ["data", dataAgent, dataMcp],
  ] as const;
  const agents: string[] = [];
  for (const [name, agent, mcp] of pairs) {
    const tools = await keep(`${name}-mcp`, mcp.start(mcp.settings.parse(own(`${name}-mcp`)), { log }));
    const config = agent.settings.parse({ ...own(name), mcp_servers: { [`${name}-mcp`]: tools } });
    agents.push(await keep(name, agent.start(config, { log })));
  }
  await keep("orchestrator", start(settings.parse({ ...own("orchestrator"), agents }), { log }));
});

afterAll(async () => {
  for (const server of running.toReversed()) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Short work for all: what needs them to work for long or to ask back is seen where it is scripted. */
const HI = { plain: "Hi.", long: "Hi.", ask: "Hi.", authorize: "Hi." };

/** What is about an agent that asks back, which short work does not lead to. */
const ASKS_NOTHING = [
  "send.context-inferred",
  "send.context-mismatch",
  "send.continues",
  "auth-required.is-a-task",
  "auth-required.explained",
];

it.each(["rag", "ppt", "data", "orchestrator"])(
  "the %s server keeps to all that A2A asks of it, over each binding",
  async (name) => {
    const report = await runConformance(urls.get(name) ?? "", { prompts: HI });
    const failed = report.findings.filter(({ outcome }) => outcome === "failed" || outcome === "advised");
    expect(failed.map(({ requirement, binding, why }) => `${requirement.id} ${binding}: ${why}`)).toEqual([]);
    const left = new Set(
      report.findings
        .filter(({ outcome }) => outcome === "not-exercised")
        .map(({ requirement }) => requirement.id),
    );
    expect([...left]).toEqual(ASKS_NOTHING);
    expect(report.counts.passed).toBeGreaterThan(150);
    expect(report.ok).toBe(true);
  },
);
