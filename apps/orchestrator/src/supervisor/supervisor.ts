import { InputError, isTroupeError, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { startChild, type Child } from "./child.ts";
import type { AppManifest } from "./discover.ts";
import { freePorts, isFree } from "./free-port.ts";
import { trustEnv } from "./trust.ts";

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
  /** Told about one that ended and is being started again. */
  readonly onEnded: (app: string, how: string) => void;
  /** Told about one that ends again and again and is not started any more. */
  readonly onGone: (app: string, how: string) => void;
  /** Told about an agent or MCP server that could not be started at all, and is left out. */
  readonly onBroken: (app: string, why: string) => void;
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
  /** Resolves with a reason when the orchestrator is gone for good. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** A process that dies more often than this within a minute stays down. */
const MAX_RESTARTS = 3;
const WINDOW_MS = 60_000;
const RESTART_WAIT_MS = 5_000;
/** How often ports of ours are chosen anew. */
const MAX_STARTS = 5;

/**
 * Starts every app at once, each in a process of its own, and keeps them running: one that dies is
 * started again on the same port. One that cannot start is left out; if that is the orchestrator, the
 * others are stopped and its error thrown. Where a free port was lost to somebody else before its app
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

  const watch = (app: AppManifest, child: Child, deaths: readonly number[]): void => {
    live.set(app.name, child);
    const watcher = startAgain(app, child, deaths).finally(() => watchers.delete(watcher));
    watchers.add(watcher);
  };
  const startAgain = async (app: AppManifest, child: Child, deaths: readonly number[]): Promise<void> => {
    let how = await child.exited;
    live.delete(app.name);
    for (let recent = deaths; !halt.signal.aborted;) {
      const now = options.clock.now();
      recent = [...recent.filter((at) => now - at < WINDOW_MS), now];
      options.log.warn("a process ended", { app: app.name, how, recent: recent.length });
      if (recent.length > MAX_RESTARTS) {
        if (app === orchestrator) giveUp(how);
        else options.onGone(app.name, how);
        return;
      }
      options.onEnded(app.name, how);
      try {
        const next = await launch(app);
        // It may have become ready while the others were being stopped.
        if (halt.signal.aborted) await next.stop();
        else watch(app, next, recent);
        return;
      } catch (error) {
        if (halt.signal.aborted) return;
        options.log.error("a process could not be started again", { app: app.name, error });
        how = messageOf(error);
        // What stands in its way, such as a full disk, may be gone in a while.
        await options.clock.sleep(RESTART_WAIT_MS, halt.signal).catch(() => undefined);
      }
    }
  };

  const started = await Promise.allSettled(
    apps.map((app) =>
      launch(app).catch((error: unknown) => {
        // Without it the others are of no use.
        if (app === orchestrator) halt.abort();
        throw error;
      }),
    ),
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
      watch(app, result.value, []);
    } else if (result) options.onBroken(app.name, messageOf(result.reason));
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
