import {
  isTroupeError,
  suggestNames,
  type ArtifactStore,
  type Log,
  type Tool,
  type ToolContext,
  type ToolProgress,
} from "@troupe/core";
import type { ArtifactRef, Clock, Json } from "@troupe/stream";
import { ErrorCode, McpError, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";

import { startDeadline } from "../wire/deadline.ts";
import { readMeta } from "../wire/meta.ts";
import { untilAborted } from "../wire/until-aborted.ts";
import { errorResult, imageContent, toCallResult } from "./to-result.ts";
import { unknownArguments } from "./unknown-arguments.ts";

export interface ToolCall {
  readonly name: string;
  readonly arguments: Json;
  readonly meta: { readonly [key: string]: unknown } | undefined;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Present when the client asked to hear of progress. */
  readonly progress?: (progress: ToolProgress) => void;
}

export interface ToolRunner {
  readonly tools: readonly Tool[];
  readonly server: string;
  /** Where images that tools return are read from. */
  readonly artifacts: ArtifactStore | undefined;
  readonly log: Log;
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface ToolRun {
  readonly result: CallToolResult;
  /** Files the result links to. */
  readonly artifacts: readonly ArtifactRef[];
}

/**
 * Runs one call. Whatever goes wrong inside a tool is a result that a model can act on. Throws an
 * `McpError` for a tool that is not there, and the signal's reason when the call is cancelled.
 */
export async function runTool(call: ToolCall, runner: ToolRunner): Promise<ToolRun> {
  const tool = runner.tools.find((candidate) => candidate.definition.name === call.name);
  if (!tool) {
    const names = runner.tools.map((candidate) => candidate.definition.name);
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no tool "${call.name.slice(0, 128)}" on ${runner.server}.${suggestNames(call.name, names)}`,
    );
  }

  const meta = readMeta(call.meta);
  const deadline = startDeadline(runner.clock, meta.deadlineMs, call.signal);
  const runId = meta.runId ?? runner.newId();
  const callId = meta.callId ?? runner.newId();
  const log = runner.log.child({
    tool: call.name,
    runId,
    callId,
    ...(meta.traceparent !== undefined && { traceparent: meta.traceparent }),
  });
  const context: ToolContext = {
    runId,
    callId,
    agent: meta.agent ?? "mcp-client",
    signal: deadline.signal,
    shared: { v: 1, results: {} },
    ...(meta.userId !== undefined && { userId: meta.userId }),
    ...(meta.collectionId !== undefined && { collectionId: meta.collectionId }),
    ...(call.progress && { progress: call.progress }),
    log,
  };

  const startedAt = runner.clock.now();
  try {
    const unknown = unknownArguments(tool.definition.inputSchema, call.arguments);
    if (unknown.length > 0) return unusable(call.name, unknown);
    const checked = tool.parse(call.arguments);
    if (!checked.ok) return unusable(call.name, checked.issues);
    const output = await untilAborted(tool.execute(checked.value, context), deadline.signal);
    const images = await imageContent(runner.artifacts, output.images ?? [], {
      owner: meta.userId ?? "",
      signal: deadline.signal,
    });
    log.debug("tool done", { ms: runner.clock.now() - startedAt, isError: output.isError === true });
    return {
      result: toCallResult(output, tool.outputSchema !== undefined, images),
      artifacts: [
        ...(output.artifacts ?? []),
        ...[...(output.chartFiles ?? []), ...(output.revisions ?? [])].map(({ artifact }) => artifact),
      ],
    };
  } catch (error) {
    if (call.signal.aborted) {
      log.info("tool cancelled", { ms: runner.clock.now() - startedAt });
      throw error;
    }
    if (isTroupeError(error)) {
      log.warn("tool failed", { code: error.code, reason: error.message });
      return refused(error.message);
    }
    log.error("tool threw", { error });
    return refused(`internal error in "${call.name}" (call ${callId}); the log of ${runner.server} has it`);
  } finally {
    deadline.dispose();
  }
}

function unusable(tool: string, issues: readonly string[]): ToolRun {
  const lines = issues.map((issue) => `- ${issue}`).join("\n");
  return refused(`The arguments of "${tool}" cannot be used:\n${lines}\nCorrect them and call again.`);
}

function refused(text: string): ToolRun {
  return { result: errorResult(text), artifacts: [] };
}
