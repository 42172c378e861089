import { silentLog, type Log, type Tool, type ToolOutput } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

/** Calls one of these tools outside a run. Throws where there is none of that name, or its arguments are refused. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: JsonObject,
  log: Log = silentLog,
): Promise<ToolOutput> {
  const tool = tools.find((one) => one.definition.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const parsed = tool.parse(args);
  if (!parsed.ok) throw new Error(parsed.issues.join("; "));
  return tool.execute(parsed.value, {
    runId: "run",
    callId: "call",
    agent: "test",
    signal: new AbortController().signal,
    shared: { v: 1, results: {} },
    log,
  });
}
