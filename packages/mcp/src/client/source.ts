import {
  ToolError,
  type ArtifactStore,
  type Log,
  type Tool,
  type ToolContext,
  type ToolSource,
} from "@troupe/core";
import type { Clock, Json, JsonObject } from "@troupe/stream";

import { startDeadline } from "../wire/deadline.ts";
import { writeMeta } from "../wire/meta.ts";
import { argumentCheck } from "./argument-check.ts";
import { createBreaker } from "./breaker.ts";
import { callWithPolicy, type Call, type CallPolicy } from "./call-policy.ts";
import type { ResolvedConfig } from "./config.ts";
import type { Connection } from "./connection.ts";
import { convertResult, type ResourceContent } from "./convert-result.ts";
import { explain } from "./explain.ts";
import { LinkFailure } from "./failure.ts";
import { createLimiter } from "./limiter.ts";
import { createLink } from "./link.ts";
import { listRemoteTools } from "./list-tools.ts";
import { callResultSchema, resourceSchema, type RemoteTool } from "./wire-schemas.ts";

export interface SourceOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly artifacts?: ArtifactStore;
  /** W3C trace context of the running span, handed on in `_meta`. */
  readonly traceparent?: () => string | undefined;
  readonly breaker?: { readonly threshold?: number; readonly cooldownMs?: number };
  /** Pause before the first retry, doubled for each further one, in milliseconds. Default 500. */
  readonly backoffMs?: number;
}

const MAX_DESCRIPTION = 8_000;

/** The tools of one server. Every call, listing included, goes through one breaker and one line. */
export function createSource(config: ResolvedConfig, options: SourceOptions): ToolSource {
  const { clock } = options;
  const log = options.log.child({ server: config.name });
  const link = createLink(config, { clock, log });
  const policy: CallPolicy<Connection> = {
    link,
    breaker: createBreaker({
      clock,
      ...options.breaker,
      onOpen: () => {
        log.warn("mcp server fails, its breaker opens", {});
        // The trial call starts afresh: a child that hangs is replaced, a dead socket forgotten.
        link.reset();
      },
    }),
    limiter: createLimiter(config.maxConcurrent),
    clock,
    log,
    timeoutMs: config.callTimeoutMs,
    maxRetries: config.maxRetries,
    backoffMs: options.backoffMs ?? 500,
  };
  const run = <T>(tool: string | undefined, call: Call<Connection, T>): Promise<T> =>
    callWithPolicy(policy, call).catch((error: unknown) => {
      call.signal.throwIfAborted();
      throw explain(error, config, tool);
    });

  const callTool = async (name: string, idempotent: boolean, args: Json, context: ToolContext) => {
    const endsAt = clock.now() + config.callTimeoutMs;
    const traceparent = options.traceparent?.();
    const answer = await run(name, {
      idempotent,
      signal: context.signal,
      async work(connection, deadline) {
        const meta = writeMeta({
          runId: context.runId,
          callId: context.callId,
          agent: context.agent,
          ...(context.userId !== undefined && { userId: context.userId }),
          ...(context.collectionId !== undefined && { collectionId: context.collectionId }),
          ...(traceparent !== undefined && { traceparent }),
          deadlineMs: deadline.remaining(),
        });
        const params = { name, arguments: args, _meta: meta };
        const result = await connection.request(
          { method: "tools/call", params },
          callResultSchema,
          deadline.signal,
        );
        return { connection, result };
      },
    });
    // The call has run: from here on its answer counts, whatever becomes of its files.
    const deadline = startDeadline(clock, Math.max(0, endsAt - clock.now()), context.signal);
    try {
      return await convertResult(answer.result, {
        ...(options.artifacts && { artifacts: options.artifacts }),
        owner: context.userId ?? "",
        maxTextBytes: config.maxTextBytes,
        ...(answer.connection.hasResources && {
          read: (uri: string) => readResource(answer.connection, uri, deadline.signal),
        }),
        signal: context.signal,
        log: context.log,
      });
    } finally {
      deadline.dispose();
    }
  };

  const toTools = (remotes: readonly RemoteTool[]): readonly Tool[] => {
    const tools = new Map<string, Tool>();
    for (const remote of remotes) {
      if (config.tools && !config.tools.includes(remote.name)) continue;
      const name = modelName(remote.name);
      if (tools.has(name)) {
        log.warn("two tools with one name, the later is left out", { tool: name });
        continue;
      }
      const inputSchema = remote.inputSchema as JsonObject;
      const { readOnlyHint, idempotentHint } = remote.annotations ?? {};
      const idempotent = readOnlyHint === true || idempotentHint === true;
      tools.set(name, {
        definition: { name, description: describe(remote, config.name), inputSchema },
        idempotent,
        parse: argumentCheck(inputSchema, (reason) => {
          log.warn("a tool's schema is checked in outline only", { tool: name, reason });
        }),
        execute: (args, context) => callTool(remote.name, idempotent, args, context),
      });
    }
    const served = new Set(remotes.map((remote) => remote.name));
    const missing = (config.tools ?? []).filter((name) => !served.has(name));
    if (missing.length > 0) log.warn("mcp server lacks tools it is asked for", { missing });
    return [...tools.values()];
  };

  let cached: { connection: Connection; version: number; tools: readonly Tool[] } | undefined;
  return {
    name: config.name,
    list: ({ signal }) =>
      run(undefined, {
        idempotent: true,
        signal,
        async work(connection, deadline) {
          const version = connection.toolsVersion;
          if (cached?.connection === connection && cached.version === version) return cached.tools;
          const listing = { server: config.name, signal: deadline.signal, log };
          const tools = toTools(await listRemoteTools(connection, listing));
          cached = { connection, version, tools };
          return tools;
        },
      }),
    close: () => link.close(),
  };
}

function describe(remote: RemoteTool, server: string): string {
  const description = remote.description?.trim() ?? "";
  return description === "" ? `${remote.name} of ${server}` : description.slice(0, MAX_DESCRIPTION);
}

async function readResource(
  connection: Connection,
  uri: string,
  signal: AbortSignal,
): Promise<ResourceContent> {
  const request = { method: "resources/read", params: { uri } };
  const read = await connection.request(request, resourceSchema, signal).catch((error: unknown) => {
    const reason = error instanceof LinkFailure ? error.detail : "time ran out";
    throw new ToolError("tool.failed", `it could not be read (${reason})`, { cause: error });
  });
  return read.contents[0] ?? {};
}

/** Providers take letters, digits, `_` and `-` only, at most 64. */
function modelName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}
