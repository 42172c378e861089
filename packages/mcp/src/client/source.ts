import {
  nextSpan,
  ToolError,
  systemRandom,
  traceparentOf,
  type ArtifactStore,
  type Log,
  type Tool,
  type ToolSource,
} from "@troupe/core";
import { createBreaker, createLimiter } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { startDeadline } from "../wire/deadline.ts";
import { writeMeta } from "../wire/meta.ts";
import { untilAborted } from "../wire/until-aborted.ts";
import { toFailure } from "./classify.ts";
import { callWithPolicy, type Call, type CallPolicy } from "./call-policy.ts";
import type { ResolvedConfig } from "./config.ts";
import type { Connection } from "./connection.ts";
import { convertResult, type ResourceContent } from "./convert-result.ts";
import { explain } from "./explain.ts";
import { LinkFailure } from "./failure.ts";
import { createLink } from "./link.ts";
import { listRemoteTools } from "./list-tools.ts";
import { toTools, type CallTool } from "./to-tools.ts";
import {
  callResultSchema,
  emptyResultSchema,
  remoteTemplateSchema,
  resourceSchema,
  templatePageSchema,
} from "./wire-schemas.ts";

export interface SourceOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly artifacts?: ArtifactStore;
  readonly breaker?: { readonly threshold?: number; readonly cooldownMs?: number };
  /** Pause before the first retry, doubled for each further one up to 8 s, in milliseconds. Default 500. */
  readonly backoffMs?: number;
  /** Uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number;
}

/** A tool source that can be asked whether its server answers at all. */
export interface McpSource extends ToolSource {
  /** Throws a `ToolError` that says why not, or the signal's reason. Neither tried again nor counted by the breaker. */
  ping(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** The tools of one server. Every call, listing included, goes through one breaker and one line. */
export function createSource(config: ResolvedConfig, options: SourceOptions): McpSource {
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
    random: options.random ?? systemRandom,
  };
  const run = <T>(tool: string | undefined, call: Call<Connection, T>): Promise<T> =>
    callWithPolicy(policy, call).catch((error: unknown) => {
      call.signal.throwIfAborted();
      throw explain(error, config, tool, link.connectedBefore());
    });

  const callTool: CallTool = async (name, idempotent, args, context) => {
    const endsAt = clock.now() + config.callTimeoutMs;
    const user = context.userId === undefined ? {} : { userId: context.userId };
    const answer = await run(name, {
      idempotent,
      signal: context.signal,
      onWait: () =>
        context.progress?.({ message: `Waiting for the MCP server "${config.name}" to restart`, done: 0 }),
      async work(connection, deadline) {
        const meta = writeMeta({
          runId: context.runId,
          callId: context.callId,
          agent: context.agent,
          ...user,
          ...(context.collectionId !== undefined && { collectionId: context.collectionId }),
          ...(context.trace !== undefined && { traceparent: traceparentOf(nextSpan(context.trace)) }),
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
          read: (uri: string) =>
            readResource(answer.connection, { uri, _meta: writeMeta(user) }, deadline.signal),
        }),
        signal: context.signal,
        log: context.log,
      });
    } finally {
      deadline.dispose();
    }
  };

  /** For requests that are no tool calls: not retried, and not counted by the breaker. */
  const askOnce = async <T>(
    signal: AbortSignal,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    const attempt = async (): Promise<T> =>
      untilAborted(work(await untilAborted(link.get(), signal)), signal);
    try {
      return await attempt().catch((error: unknown) => {
        // A restarted server does not know the old session.
        if (signal.aborted || toFailure(error).kind !== "session-lost") throw error;
        link.reset();
        return attempt();
      });
    } catch (error) {
      signal.throwIfAborted();
      throw explain(toFailure(error), config, undefined, link.connectedBefore());
    }
  };
  const overviewAddresses = new WeakMap<Connection, Promise<string | undefined>>();
  const overviewAddress = (connection: Connection, signal: AbortSignal): Promise<string | undefined> => {
    const known = overviewAddresses.get(connection);
    if (known !== undefined) return known;
    const found = findOverview(connection, signal);
    overviewAddresses.set(connection, found);
    found.catch(() => overviewAddresses.delete(connection));
    return found;
  };

  let cached: { connection: Connection; version: number; tools: readonly Tool[] } | undefined;
  return {
    name: config.name,
    list: ({ signal }) =>
      run(undefined, {
        idempotent: true,
        signal,
        async work(connection, deadline) {
          const version = connection.toolsVersion();
          if (cached?.connection === connection && cached.version === version) return cached.tools;
          const listing = { server: config.name, signal: deadline.signal, log };
          const tools = toTools(await listRemoteTools(connection, listing), config, callTool, log);
          cached = { connection, version, tools };
          return tools;
        },
      }),
    overview: ({ collectionId, userId }, { signal }) =>
      askOnce(signal, async (connection) => {
        if (!connection.hasResources) return undefined;
        const address = await overviewAddress(connection, signal);
        if (address === undefined) return undefined;
        const query = collectionId === undefined ? "" : `?collection=${encodeURIComponent(collectionId)}`;
        const meta = writeMeta(userId === undefined ? {} : { userId });
        const params = { uri: `${address}${query}`, _meta: meta };
        return (await connection.request({ method: "resources/read", params }, resourceSchema, signal))
          .contents[0]?.text;
      }),
    async ping({ signal }) {
      await askOnce(signal, (connection) =>
        connection.request({ method: "ping" }, emptyResultSchema, signal),
      );
    },
    close: () => link.close(),
  };
}

const OVERVIEW_TEMPLATE = "overview";
const OVERVIEW_QUERY = "{?collection}";

/** Address of the resource `overview` without its query, where the server has one that takes a collection. */
async function findOverview(connection: Connection, signal: AbortSignal): Promise<string | undefined> {
  const listed = await connection.request({ method: "resources/templates/list" }, templatePageSchema, signal);
  return listed.resourceTemplates
    .map((template) => remoteTemplateSchema.safeParse(template).data)
    .find((template) => template?.name === OVERVIEW_TEMPLATE && template.uriTemplate.endsWith(OVERVIEW_QUERY))
    ?.uriTemplate.slice(0, -OVERVIEW_QUERY.length);
}

async function readResource(
  connection: Connection,
  params: { readonly uri: string; readonly _meta: { readonly [key: string]: string | number } },
  signal: AbortSignal,
): Promise<ResourceContent> {
  const request = { method: "resources/read", params };
  const read = await connection.request(request, resourceSchema, signal).catch((error: unknown) => {
    const reason = error instanceof LinkFailure ? error.detail : "time ran out";
    throw new ToolError("tool.failed", `it could not be read (${reason})`, { cause: error });
  });
  return read.contents[0] ?? {};
}
