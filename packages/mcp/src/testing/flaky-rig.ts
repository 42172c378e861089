import { randomUUID } from "node:crypto";

import { silentLog, type ToolContext, type ToolOutput } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import { onTestFinished } from "vitest";

import type { McpServerConfig } from "../client/config.ts";
import { createMcpServer, type McpServer } from "../server/create-mcp-server.ts";
import { flakyMcpServer, type CallFault } from "./flaky-mcp-server.ts";
import { poolRig, type PoolRig } from "./pool-rig.ts";
import { sampleTools, type Seen } from "./sample-tools.ts";

/** A maker of servers with the sample tools, and what those saw. */
export function sampleServer(): { readonly seen: Seen; readonly create: () => McpServer } {
  const artifacts = memoryArtifactStore();
  const { tools, seen } = sampleTools(artifacts);
  const create = (): McpServer =>
    createMcpServer({ name: "sample", version: "1", tools, artifacts, log: silentLog, newId: randomUUID });
  return { seen, create };
}

/** A pool over a server that misbehaves as scripted; both end with the test. */
export async function flakyRig(config: Partial<McpServerConfig> = {}, ...faults: CallFault[]) {
  const { seen, create } = sampleServer();
  const server = await flakyMcpServer({ create, newId: randomUUID });
  server.script(...faults);
  const artifacts = memoryArtifactStore();
  const rig = poolRig({ name: "sample", url: server.url, ...config }, { artifacts });
  onTestFinished(async () => {
    await rig.pool.close();
    await server.close();
  });
  return { ...rig, server, seen, artifacts };
}

export const echo = (
  rig: Pick<PoolRig, "call">,
  text = "hi",
  context?: Partial<ToolContext>,
): Promise<ToolOutput> => rig.call("echo", { text }, context);
