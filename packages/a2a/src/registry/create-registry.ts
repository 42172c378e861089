import {
  AgentError,
  isTroupeError,
  randomId,
  silentLog,
  suggestNames,
  systemClock,
  type AgentDirectory,
  type AgentEntry,
  type Fetch,
  type Log,
  type RunnableAgent,
} from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { CallHeaders } from "../client/call-headers.ts";
import { connectAgent } from "../client/connect-agent.ts";
import type { AgentConnection } from "../client/connection.ts";
import { localConnection } from "./local-connection.ts";

export interface RegistryOptions {
  /** Addresses of remote agents. */
  readonly urls?: readonly string[];
  /** Agents of this process. */
  readonly agents?: readonly RunnableAgent[];
  readonly clock?: Clock;
  readonly log?: Log;
  readonly newId?: () => string;
  readonly fetch?: Fetch;
  /** In its place where each agent has one of its own, by the address it was added with, so that its card leads nowhere else. */
  readonly fetchFor?: (url: string) => Fetch;
  /** Headers for every call to a remote agent. */
  readonly headers?: CallHeaders;
  /** Milliseconds between two checks of a remote agent, 10 s by default. */
  readonly checkIntervalMs?: number;
  /** Milliseconds after which a card counts as unreachable, 5 s by default. */
  readonly checkTimeoutMs?: number;
}

/** Agents by name, with a way to call each. */
export interface AgentRegistry extends AgentDirectory {
  /** Throws `agent.unknown` with the nearest names, or `agent.unreachable` with the reason. */
  connection(name: string): Promise<AgentConnection>;
  add(source: string | RunnableAgent): void;
  /** Checks every remote agent now. */
  refresh(): Promise<void>;
  /** Ends the checks. */
  close(): void;
}

interface Remote {
  readonly url: string;
  /** The last one made; kept while the agent is away, for its name. */
  connection: AgentConnection | undefined;
  /** Why it is down; undefined while it is up. */
  down: string | undefined;
  checking: Promise<void> | undefined;
}

/**
 * The agents there are. Remote ones are looked at by their card every interval: who leaves is
 * reported with the reason, who comes back is used again, also with another card. An agent is never
 * reported down without a look just then.
 */
export function createRegistry(options: RegistryOptions): AgentRegistry {
  const { clock = systemClock, log = silentLog, newId = randomId } = options;
  const { checkIntervalMs = 10_000, checkTimeoutMs = 5_000 } = options;
  const locals = new Map<string, AgentConnection>();
  const remotes = new Map<string, Remote>();
  let cancelTimer: () => void = () => undefined;
  let closed = false;

  const check = async (remote: Remote): Promise<void> => {
    const call = new AbortController();
    const late = new AgentError("agent.unreachable", `No answer within ${checkTimeoutMs} ms.`, {
      retryable: true,
    });
    const stop = clock.schedule(checkTimeoutMs, () => call.abort(late));
    const was = remote.down;
    const fetch = options.fetchFor?.(remote.url) ?? options.fetch;
    try {
      const connection = await connectAgent(remote.url, {
        signal: call.signal,
        clock,
        newId,
        log,
        ...(fetch === undefined ? {} : { fetch }),
        ...(options.headers === undefined ? {} : { headers: options.headers }),
      });
      // A connection remembers what its agent answered; only a changed card needs a new one.
      if (remote.connection === undefined || changed(remote.connection, connection)) {
        remote.connection = connection;
        warnOfNamesakes(connection.profile.name);
      }
      remote.down = undefined;
      if (was !== undefined) log.info("agent is up", { agent: connection.profile.name, url: remote.url });
    } catch (error) {
      remote.down = isTroupeError(error) ? error.message : "The check failed.";
      if (was === undefined || was === NOT_CHECKED)
        log.warn("agent is down", { url: remote.url, reason: remote.down });
    } finally {
      stop();
    }
  };
  const warnOfNamesakes = (name: string): void => {
    const urls = [...remotes.values()].filter((remote) => nameOf(remote) === name).map(({ url }) => url);
    if (urls.length + (locals.has(name) ? 1 : 0) > 1)
      log.warn("several agents have the same name; one that is up is asked", { agent: name, urls });
  };
  const look = (remote: Remote): Promise<void> =>
    (remote.checking ??= check(remote).finally(() => {
      remote.checking = undefined;
    }));
  const refresh = async (): Promise<void> => {
    await Promise.all([...remotes.values()].map(look));
  };
  const schedule = (): void => {
    if (closed || remotes.size === 0) return;
    cancelTimer = clock.schedule(checkIntervalMs, () => {
      void refresh().then(schedule);
    });
  };
  const first = async (): Promise<void> => {
    await Promise.all([...remotes.values()].filter((remote) => remote.down === NOT_CHECKED).map(look));
  };
  /** Down as of the last look, or not looked at yet: who plans with the list must not miss one that just came up. */
  const lookForDown = async (): Promise<void> => {
    await Promise.all([...remotes.values()].filter((remote) => remote.down !== undefined).map(look));
  };
  const lookForNew = async (): Promise<void> => {
    await Promise.all([...remotes.values()].filter((remote) => remote.connection === undefined).map(look));
  };
  const add = (source: string | RunnableAgent): void => {
    if (typeof source !== "string") {
      locals.set(source.profile.name, localConnection(source, { clock, newId, log }));
      return;
    }
    if (remotes.has(source)) return;
    remotes.set(source, { url: source, connection: undefined, down: NOT_CHECKED, checking: undefined });
    if (remotes.size === 1) schedule();
  };
  const remoteNamed = (name: string): Remote | undefined => {
    const named = [...remotes.values()].filter((remote) => nameOf(remote) === name);
    return named.find((remote) => remote.down === undefined) ?? named[0];
  };

  for (const agent of options.agents ?? []) add(agent);
  for (const url of options.urls ?? []) add(url);

  const registry: AgentRegistry = {
    add,
    refresh,
    close() {
      closed = true;
      cancelTimer();
    },
    async list() {
      await lookForDown();
      const here = [...locals.values()].map(({ profile }): AgentEntry => ({ ...profile, status: "up" }));
      return [...here, ...[...remotes.values()].map(entryOf)];
    },
    async find(name) {
      return (await registry.list()).find((entry) => entry.name === name);
    },
    async connection(name) {
      const local = locals.get(name);
      if (local !== undefined) return local;
      await first();
      // One that was never reached has no name yet, and may be up by now.
      if (remoteNamed(name) === undefined) await lookForNew();
      const remote = remoteNamed(name);
      if (remote === undefined) {
        const names = (await registry.list()).map((entry) => entry.name);
        const hint = names.length === 0 ? " No agents are registered." : suggestNames(name, names);
        throw new AgentError("agent.unknown", `There is no agent "${name}".${hint}`);
      }
      // Down as of the last check; it may be back by now.
      if (remote.down !== undefined) await look(remote);
      if (remote.down === undefined && remote.connection !== undefined) return remote.connection;
      throw new AgentError("agent.unreachable", `Agent "${name}" is down: ${remote.down ?? "never seen"}`, {
        retryable: true,
      });
    },
  };
  return registry;
}

const NOT_CHECKED = "not checked yet";

/** An agent that was never reached is known by its address only. */
function nameOf(remote: Remote): string {
  return remote.connection?.profile.name ?? remote.url;
}

function entryOf(remote: Remote): AgentEntry {
  const profile = remote.connection?.profile ?? {
    name: remote.url,
    title: remote.url,
    description: "",
    version: "",
    skills: [],
  };
  return remote.down === undefined
    ? { ...profile, url: remote.url, status: "up" }
    : { ...profile, url: remote.url, status: "down", reason: remote.down };
}

function changed(before: AgentConnection, now: AgentConnection): boolean {
  return JSON.stringify(before) !== JSON.stringify(now);
}
