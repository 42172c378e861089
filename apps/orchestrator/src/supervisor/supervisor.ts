import { InputError, isTroupeError, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { startChild, type Child } from "./child.ts";
import type { AppManifest } from "./discover.ts";
import { freePorts, isFree } from "./free-port.ts";
import { trustEnv } from "./trust.ts";

/** What became of a process after it was launched. */
export type AppState =
  /** It was started again and is ready. */
  | { readonly status: "up" }
  /** It ended, or a start failed; the next attempt is `inMs` milliseconds from now. */
  | { readonly status: "restarting"; readonly reason: string; readonly inMs: number }
  /** Its settings are invalid; it is not tried again. */
  | { readonly status: "stopped"; readonly reason: string };

export interface SupervisorOptions {
  readonly apps: readonly AppManifest[];
  /** `declared` takes each app's own port, `free` whatever is free. */
  readonly ports: "declared" | "free";
  readonly home: string;
  /** Handed on to every process, such as keys. */
  readonly env: { readonly [name: string]: string | undefined };
  /** They ask who calls, and take the orchestrator's word for in whose name it does. */
  readonly auth?: boolean;
  /** Values that must not be in any line of a log or reason, beside what looks like a secret. */
  readonly secrets: readonly string[];
  readonly onLine: (app: string, line: string) => void;
  /** Called when a process ends, when it is up again, and when it is given up. */
  readonly onState: (app: string, state: AppState) => void;
  /** Called for each process that became ready during the start. */
  readonly onReady?: (app: string) => void;
  /** Gives up starting; processes that run by then are ended. Without effect once all are ready. */
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Servers {
  readonly orchestratorUrl: string;
  /** Address of every process by app name. */
  readonly urls: ReadonlyMap<string, string>;
  /** Address of every app by name, also of those that were left out. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Process id by app name, of those that run now. */
  pids(): ReadonlyMap<string, number>;
  /** Resolves with a reason when the orchestrator's settings became invalid, so it cannot be restarted. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

const MIN_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 30_000;
/** A process that was up this long counts as stable: its next restart is immediate. */
const STABLE_MS = 60_000;
/** How often ports of ours are chosen anew. */
const MAX_STARTS = 5;

/**
 * Milliseconds to wait before a restart, by how many times in a row the process ended or failed to start:
 * none at first, then 1 s, doubling up to 30 s.
 */
export function restartDelayMs(failures: number): number {
  return failures <= 1 ? 0 : Math.min(MIN_RESTART_DELAY_MS * 2 ** (failures - 2), MAX_RESTART_DELAY_MS);
}

/**
 * Starts every app at once, each in a process of its own, and keeps them running: one that dies or cannot
 * start is started again on the same port, with a growing delay while it keeps failing. One whose settings
 * turn out to be invalid is left out. If the orchestrator's first start fails, the others are stopped and its
 * error thrown. Where a free port was lost to somebody else before its app
 * had it, all start anew on others: each knows the addresses of the rest.
 */
export async function startServers(options: SupervisorOptions): Promise<Servers> {
  const orchestrator = options.apps.find((app) => app.kind === "orchestrator");
  if (!orchestrator)
    throw new InputError("input.not-found", "No orchestrator is installed beside the agents.");
  for (let starts = 1; ; starts++) {
    const ports = await assignPorts(options.apps, options.ports);
    const mayMove = options.ports === "free" && starts < MAX_STARTS;
    const servers = await startAt(ports, orchestrator, options, mayMove);
    if (servers !== "port-lost") return servers;
    options.log.warn("a free port was taken by another process; starting again on others");
  }
}

/** @param mayMove a port that was lost is told, and nothing left running, instead of its app left out */
async function startAt(
  ports: ReadonlyMap<string, number>,
  orchestrator: AppManifest,
  options: SupervisorOptions,
  mayMove: boolean,
): Promise<Servers | "port-lost"> {
  const { apps } = options;
  const address = (app: AppManifest): string => `http://127.0.0.1:${ports.get(app.name)}`;
  const mcpServers = Object.fromEntries(
    apps.filter((app) => app.kind === "mcp").map((app) => [app.name, `${address(app)}/mcp`]),
  );
  const agents = apps.filter((app) => app.kind === "agent").map(address);

  const live = new Map<string, Child>();
  const watchers = new Set<Promise<void>>();
  /** Ends the processes that are not ready yet. */
  const halt = new AbortController();
  const halted = options.signal ? AbortSignal.any([options.signal, halt.signal]) : halt.signal;
  let giveUp: (reason: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => {
    giveUp = resolve;
  });

  const launch = (app: AppManifest): Promise<Child> =>
    startChild({
      app,
      env: {
        TROUPE_ORCHESTRATOR_URL: address(orchestrator),
        ...options.env,
        ...(options.auth === true ? trustEnv(options.env, address(orchestrator)) : {}),
        TROUPE_HOME: options.home,
        TROUPE_PORT: String(ports.get(app.name)),
        TROUPE_MCP_SERVERS: JSON.stringify(mcpServers),
        TROUPE_AGENTS: JSON.stringify(agents),
      },
      secrets: options.secrets,
      onLine: (line) => options.onLine(app.name, line),
      signal: halted,
      clock: options.clock,
      log: options.log,
    });

  /** @param first the running process, or why it could not be started */
  const watch = (app: AppManifest, first: Child | string): void => {
    const watcher = keepRunning(app, first).finally(() => watchers.delete(watcher));
    watchers.add(watcher);
  };
  const keepRunning = async (app: AppManifest, first: Child | string): Promise<void> => {
    let child = typeof first === "string" ? undefined : first;
    let reason = typeof first === "string" ? first : "";
    let failures = 0;
    for (;;) {
      if (child !== undefined) {
        const upSince = options.clock.now();
        live.set(app.name, child);
        reason = await child.exited;
        live.delete(app.name);
        if (options.clock.now() - upSince >= STABLE_MS) failures = 0;
      }
      if (halt.signal.aborted) return;
      const inMs = restartDelayMs(++failures);
      options.log.warn("a process ended or did not start", {
        app: app.name,
        reason,
        failures,
        restartInMs: inMs,
      });
      options.onState(app.name, { status: "restarting", reason, inMs });
      if (inMs > 0) await options.clock.sleep(inMs, halt.signal).catch(() => undefined);
      if (halt.signal.aborted) return;
      try {
        child = await launch(app);
      } catch (error) {
        if (halt.signal.aborted) return;
        child = undefined;
        reason = messageOf(error);
        options.log.error("a process could not be restarted", { app: app.name, error });
        // Only the person who changes the settings can help.
        if (error instanceof InputError) {
          options.onState(app.name, { status: "stopped", reason });
          if (app === orchestrator) giveUp(reason);
          return;
        }
        continue;
      }
      // It may have become ready while the others were being stopped.
      if (halt.signal.aborted) return child.stop();
      options.onState(app.name, { status: "up" });
    }
  };

  const started = await Promise.allSettled(
    apps.map(async (app) => {
      try {
        const child = await launch(app);
        options.onReady?.(app.name);
        return child;
      } catch (error) {
        // Without it the others are of no use.
        if (app === orchestrator) halt.abort();
        throw error;
      }
    }),
  );
  const boss = started[apps.indexOf(orchestrator)];
  const broken = [boss, ...started].find((result) => result?.status === "rejected");
  const isLost = (result: PromiseSettledResult<Child> | undefined): boolean =>
    result?.status === "rejected" &&
    isTroupeError(result.reason) &&
    result.reason.code === "process.port-taken";
  const stopStarted = async (): Promise<void> => {
    await Promise.all(started.map(async (result) => result.status === "fulfilled" && result.value.stop()));
  };
  if (mayMove && broken !== undefined && options.signal?.aborted !== true) {
    // An orchestrator that cannot start for another reason could not elsewhere either.
    if ((broken === boss ? [boss] : started).some(isLost)) {
      await stopStarted();
      return "port-lost";
    }
  }
  if (broken !== undefined && (broken === boss || halted.aborted)) {
    await stopStarted();
    throw broken.reason;
  }
  const refusal = settingsRefused(apps, started);
  if (refusal !== undefined) {
    await stopStarted();
    throw refusal;
  }
  const urls = new Map<string, string>();
  apps.forEach((app, index) => {
    const result = started[index];
    if (result?.status === "fulfilled") {
      urls.set(app.name, result.value.url);
      watch(app, result.value);
    } else if (result?.reason instanceof InputError) {
      options.onState(app.name, { status: "stopped", reason: result.reason.message });
    } else if (result) watch(app, messageOf(result.reason));
  });

  return {
    orchestratorUrl: urls.get(orchestrator.name) ?? "",
    urls,
    addresses: new Map(apps.map((app) => [app.name, address(app)])),
    pids: () => new Map([...live].map(([name, child]) => [name, child.pid])),
    failed,
    async stop() {
      halt.abort();
      await Promise.all([...live.values()].map((child) => child.stop()));
      await Promise.all(watchers);
    },
  };
}

/** What is wrong with the settings where no agent can start for that reason: without any, none can be asked. */
function settingsRefused(
  apps: readonly AppManifest[],
  started: readonly PromiseSettledResult<Child>[],
): InputError | undefined {
  const errors = started.flatMap((result, index) => {
    if (apps[index]?.kind !== "agent") return [];
    return [result.status === "rejected" && result.reason instanceof InputError ? result.reason : undefined];
  });
  return errors.every((error) => error !== undefined) ? errors[0] : undefined;
}

function messageOf(error: unknown): string {
  return isTroupeError(error) ? error.message : String(error);
}

async function assignPorts(
  apps: readonly AppManifest[],
  how: "declared" | "free",
): Promise<ReadonlyMap<string, number>> {
  if (how === "free") {
    const ports = await freePorts(apps.length);
    return new Map(apps.map((app, index) => [app.name, ports[index] ?? 0]));
  }
  for (const app of apps) {
    const other = apps.find(({ port }) => port === app.port);
    if (other !== undefined && other !== app) {
      throw new InputError(
        "input.invalid",
        `"${other.name}" and "${app.name}" both declare port ${app.port} in their package.json. ` +
          "Give one of them another, or start with --free-ports.",
      );
    }
  }
  const taken: string[] = [];
  for (const app of apps) if (!(await isFree(app.port))) taken.push(`${app.port} (${app.name})`);
  if (taken.length > 0) {
    throw new InputError(
      "input.invalid",
      `${taken.length === 1 ? "Port" : "Ports"} ${taken.join(", ")} already in use. ` +
        "Stop what listens there, or start with --free-ports.",
    );
  }
  return new Map(apps.map((app) => [app.name, app.port]));
}
