// A tool served over MCP on loopback, and an agent that takes its tools from there.
import assert from "node:assert/strict";

import { createAgent, defineTool, silentLog, systemClock } from "@troupe/core";
import { createMcpPool } from "@troupe/mcp";
import { createMcpServer, serveHttp } from "@troupe/mcp/server";
import { finishCall, playbookModel, toolResults } from "@troupe/playbook";
import { z } from "zod";

const newId = (): string => crypto.randomUUID();
const readLevel = defineTool({
  name: "read_level",
  description: "Reads the level of a river, in metres.",
  input: z.strictObject({ river: z.string() }),
  idempotent: true,
  execute: async ({ river }) => ({ text: `${river}: 2.4 m` }),
});

const served = await serveHttp({
  port: 0,
  create: () =>
    createMcpServer({ name: "river-mcp", version: "1.0.0", tools: [readLevel], log: silentLog, newId }),
});
const pool = createMcpPool([{ name: "river-mcp", url: served.url }], {
  clock: systemClock,
  log: silentLog,
});
try {
  const agent = createAgent(
    {
      agent_type: "river",
      name: "river-agent",
      title: "River agent",
      description: "Knows river levels.",
      system_prompt: "Read the level.",
    },
    {
      model: playbookModel((request) => {
        const read = toolResults(request, "read_level").at(-1);
        if (read !== undefined) return { calls: [finishCall({ content: read.text })] };
        return { calls: [{ name: "read_level", arguments: { river: "Lunde" } }] };
      }),
      toolSources: pool.sources,
    },
  );
  const request = { runId: "run-1", text: "How high is the Lunde?", history: [] };
  for await (const event of agent.run(request, { signal: AbortSignal.timeout(10_000) })) {
    if (event.type === "tool-end") process.stdout.write(`${event.tool}: ${event.summary}\n`);
    if (event.type === "finish") assert.equal(event.response.content, "Lunde: 2.4 m");
  }
} finally {
  await pool.close();
  await served.close();
}
