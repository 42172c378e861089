import {
  AgentError,
  randomId,
  silentLog,
  suggestNames,
  systemClock,
  systemRandom,
  type AgentDirectory,
  type AgentEntry,
  type Fetch,
  type Log,
  type RunnableAgent,
  type WorkflowRunnerFor,
} from "@troupe/core";
import { createLimiter } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { defaultFetch } from "../adapters/default-fetch.ts";
import { agentAddress } from "../client/agent-address.ts";
import { callHeaders, type GivenHeaders } from "../client/call-headers.ts";
import type { CallLimits } from "../client/call-limits.ts";
import type { AgentConnection } from "../client/connection.ts";
import type { GrpcClient } from "../client/grpc-client.ts";
import { localConnection } from "./local-connection.ts";
import { WatchedAgent, type AgentChange } from "./watched-agent.ts";

export interface RegistryOptions {
  /** Addresses of remote agents. */
  readonly urls?: readonly string[];
  /** Agents of this process. */
  readonly agents?: readonly RunnableAgent[];
  /** Lets these start workflows. */
  readonly workflowsFor?: WorkflowRunnerFor;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly newId?: () => string;
  readonly fetch?: Fetch;
  /** In its place where each agent has one of its own, by the address it was added with, so that its card leads nowhere else. */
  readonly fetchFor?: (url: string) => Fetch;
  /** Calls agents whose cards offer gRPC alone: `grpcClient()` of `@troupe/a2a/grpc`. */
  readonly grpc?: GrpcClient;
  /** Headers for every call to a remote agent. */
  readonly headers?: GivenHeaders;
  /** Milliseconds between two checks of a remote agent at most, 10 s by default; up to a quarter sooner. */
  readonly checkIntervalMs?: number;
  /** Milliseconds after which a card counts as unreachable, 5 s by default. */
  readonly checkTimeoutMs?: number;
  /** Bounds of the calls to each remote agent; one that has taken a task may be away for 20 s by default. */
  readonly limits?: CallLimits;
  /** More on why an agent cannot be reached, such as when its process is restarted; added to the reason. */
  readonly whyDown?: (url: string) => string | undefined;
  /** Told once of each remote agent that comes, leaves or comes back. */
  readonly onChange?: (change: AgentChange) => void;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number;
}

/** Agents by name, with a way to call each. */
export interface AgentRegistry extends AgentDirectory {
  /**
   * Throws `agent.unknown` with the nearest names, or `agent.unreachable` with the reason; both are
   * retryable where waiting may help. With `anyway` also where the agent is down, as long as it was ever
   * reached: for what it has begun already.
   */
  connection(name: string, options?: { readonly anyway?: boolean }): Promise<AgentConnection>;
  /** Throws `agent.config` for what is no address, and for one that holds a name or a password. */
  add(source: string | RunnableAgent): void;
  /** The agents as of the last look, without another: one that hangs holds up nobody. */
  known(): readonly AgentEntry[];
  /** Checks every remote agent now. */
  refresh(): Promise<void>;
  /**
   * Resolves once every remote agent was reached or has had 10 s since it was added: all processes start at
   * once. Throws the signal's reason when it aborts first.
   */
  started(signal: AbortSignal): Promise<void>;
  /** Ends the checks. */
  close(): void;
}

/** Looks at the same time, so that a hundred agents that hang hold up nobody for long. */
const MAX_LOOKS = 32;
/** How long an agent may take to start, in milliseconds. */
export const START_MS = 10_000;
/** Between two looks at one that starts. */
const LOOK_AGAIN_MS = 250;
/** It was there, so somebody may start it again. */
const AWAY_MS = 20_000;

/**
 * The agents there are. Remote ones are looked at every interval, each in its own time: its card, and
 * whether its model and tools answer where it tells. Who leaves is reported once with the reason, who
 * comes back is used again, also with another card. An agent is never reported down without a look
 * just then. Throws `agent.config` as `add` does, and an `InputError` for headers that cannot be sent.
 */
export function createRegistry(options: RegistryOptions): AgentRegistry {
  const { clock = systemClock, log = silentLog, newId = randomId, random = systemRandom } = options;
  const { checkIntervalMs = 10_000, checkTimeoutMs = 5_000, onChange = () => undefined } = options;
  const headers = callHeaders(options.headers);
  const locals = new Map<string, { readonly entry: AgentEntry; readonly connection: AgentConnection }>();
  const remotes = new Map<string, WatchedAgent>();
  const places = createLimiter(MAX_LOOKS);

  const named = (name: string): readonly WatchedAgent[] =>
    [...remotes.values()].filter((remote) => remote.name === name);
  const warnOfNamesakes = (name: string): void => {
    const urls = named(name).map(({ url }) => url);
    if (urls.length + (locals.has(name) ? 1 : 0) > 1)
      log.warn("several agents have the same name; one that is up is asked", { agent: name, urls });
  };
  const lookAt = async (which: (remote: WatchedAgent) => boolean): Promise<void> => {
    await Promise.all([...remotes.values()].filter(which).map((remote) => remote.look()));
  };
  const add = (source: string | RunnableAgent): void => {
    if (typeof source !== "string") {
      const { profile, unpriced } = source;
      locals.set(profile.name, {
        entry: { ...profile, status: "up", ...(unpriced === undefined ? {} : { unpriced }) },
        connection: localConnection(source, {
          clock,
          newId,
          log,
          ...(options.workflowsFor === undefined ? {} : { workflowsFor: options.workflowsFor }),
        }),
      });
      return;
    }
    if (remotes.has(source)) return;
    agentAddress(source);
    const remote = new WatchedAgent(source, {
      // Once for each: who makes it may keep its connections in it.
      fetch: options.fetchFor?.(source) ?? options.fetch ?? defaultFetch,
      headers,
      limits: { awayMs: AWAY_MS, ...options.limits },
      ...(options.grpc === undefined ? {} : { grpc: options.grpc }),
      intervalMs: checkIntervalMs,
      timeoutMs: checkTimeoutMs,
      places,
      clock,
      random,
      newId,
      log,
      ...(options.whyDown === undefined ? {} : { whyDown: options.whyDown }),
      onNamed: warnOfNamesakes,
      onChange,
    });
    remotes.set(source, remote);
    remote.watch();
  };
  const remoteNamed = (name: string): WatchedAgent | undefined =>
    named(name).find(({ isUp }) => isUp) ?? named(name)[0];
  const entries = (): readonly AgentEntry[] => [
    ...[...locals.values()].map(({ entry }) => entry),
    ...[...remotes.values()].map(({ entry }) => entry),
  ];
  /** As of the last look: after another one the agent may be known, and said to be missing for good. */
  const unknown = (name: string): AgentError => {
    const names = entries().map((entry) => entry.name);
    const hint = names.length === 0 ? " No agents are registered." : suggestNames(name, names);
    // One that has not said its name yet may be the one.
    const retryable = [...remotes.values()].some(({ connection }) => connection === undefined);
    return new AgentError("agent.unknown", `There is no agent "${name}".${hint}`, { retryable });
  };

  const { agents = [], urls = [] } = options;
  // All of them before any is watched.
  for (const url of urls) agentAddress(url);
  for (const one of [...agents, ...urls]) add(one);

  const registry: AgentRegistry = {
    add,
    known: entries,
    refresh: () => lookAt(() => true),
    async started(signal) {
      const starts = ({ connection, addedAt }: WatchedAgent): boolean =>
        connection === undefined && clock.now() < addedAt + START_MS;
      for (;;) {
        await lookAt(starts);
        if (![...remotes.values()].some(starts)) return;
        await clock.sleep(LOOK_AGAIN_MS, signal);
      }
    },
    close() {
      for (const remote of remotes.values()) remote.stop();
    },
    async list() {
      // Who plans with the list must not miss one that just came up.
      await lookAt(({ isUp }) => !isUp);
      return entries();
    },
    async find(name) {
      return (await registry.list()).find((entry) => entry.name === name);
    },
    async connection(name, { anyway = false } = {}) {
      const local = locals.get(name);
      if (local !== undefined) return local.connection;
      await lookAt(({ isNew }) => isNew);
      // One that was never reached has no name yet, and may be up by now.
      if (remoteNamed(name) === undefined) await lookAt(({ connection }) => connection === undefined);
      const remote = remoteNamed(name);
      if (remote === undefined) throw unknown(name);
      if (anyway && remote.connection !== undefined) return remote.connection;
      // Down as of the last look; it may be back by now.
      if (!remote.isUp) await remote.look();
      if (remote.isUp && remote.connection !== undefined) return remote.connection;
      throw new AgentError("agent.unreachable", `Agent "${name}" is down: ${remote.reason ?? "never seen"}`, {
        retryable: true,
      });
    },
  };
  return registry;
}
