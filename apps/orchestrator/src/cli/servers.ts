import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { InputError, StoreError } from "@troupe/core/errors";
import {
  parseConfigFile,
  readOwner,
  secretsOf,
  unknownKeys,
  unknownSwitches,
  unknownVariables,
} from "@troupe/service";
import type { Clock } from "@troupe/stream";

import { instanceAt } from "../adapters/probe.ts";
import { discoverApps, type AppManifest } from "../supervisor/discover.ts";
import { startServers, type AppState, type Servers } from "../supervisor/supervisor.ts";
import { openLogFile, wasKilled, type LogFile } from "../adapters/log-file.ts";
import { authIsOn } from "./auth-is-on.ts";
import type { CliContext } from "./context.ts";
import { configPath } from "./load-settings.ts";
import { proseWriter } from "./prose-writer.ts";
import { requireHome } from "./home.ts";
import { recordServers, type AppRecord } from "./server-record.ts";
import { announceStart, isStarting, otherUsers, signIn } from "./users.ts";
import { untilSettled, untilUnused } from "./wait-for-others.ts";

export interface UsedServers {
  readonly url: string;
  /** Present when this command started them. */
  readonly own?: Servers;
  release(): Promise<void>;
}

/**
 * Address of the orchestrator that owns the home folder, when that very one answers there. An owner
 * that was killed leaves its record behind, and another server may have its port by now.
 */
export async function findRunning(home: string): Promise<string | undefined> {
  const owner = existsSync(home) ? readOwner(home) : undefined;
  if (owner?.url === undefined || owner.instance === undefined) return undefined;
  return (await instanceAt(owner.url)) === owner.instance ? owner.url : undefined;
}

export interface StartOptions {
  /** Says nothing while servers start. */
  readonly quiet?: boolean;
}

const LOOK_MS = 250;
/** How long servers that another command is starting may take. */
const START_MS = 15_000;

/**
 * Uses the servers that are up, or starts its own on free ports. At release it stops those it
 * started, once no other command uses them any more.
 */
export async function useServers(context: CliContext, options: StartOptions = {}): Promise<UsedServers> {
  requireHome(context.home);
  const signOut = signIn(context.home);
  const borrow = (url: string): UsedServers => ({ url, release: () => Promise.resolve(signOut()) });
  try {
    await untilSettled(context);
  } catch (error) {
    signOut();
    throw error;
  }
  try {
    const url = await findRunning(context.home);
    if (url !== undefined) return borrow(url);
    const own = await startOwn(context, "free", options);
    const release = async (): Promise<void> => {
      signOut();
      const stopped = await untilUnused(context);
      await own.stop().finally(stopped);
    };
    return { url: own.orchestratorUrl, own, release };
  } catch (error) {
    // Two that start at the same time: one of them gets the home, the other goes along.
    const url = await startedByOthers(context);
    if (url !== undefined) return borrow(url);
    signOut();
    throw error;
  }
}

/** How long an orchestrator may take to be started again, by us or by whoever started it. */
const RESTART_MS = 30_000;
const MAX_PAUSE_MS = 4_000;

/** One absence of the orchestrator: attempts to reach it are spaced, and end after 30 s without progress. */
export class Outage {
  readonly #clock: Clock;
  #until = 0;
  #failures = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * To be called when an attempt failed. One that took longer than an outage may reached the orchestrator,
   * so it begins a new outage.
   * @param began when the attempt began
   * @returns whether an outage begins, and how long to wait before the next attempt, in milliseconds
   */
  failed(began: number): { readonly isNew: boolean; readonly pauseMs: number } {
    const now = this.#clock.now();
    const isNew = this.#failures === 0 || now - began > RESTART_MS;
    if (isNew) {
      this.#failures = 0;
      this.#until = now + RESTART_MS;
    }
    const pauseMs = isNew ? 0 : Math.min(LOOK_MS * 2 ** (this.#failures - 1), MAX_PAUSE_MS);
    this.#failures++;
    return { isNew, pauseMs };
  }

  /** To be called when the orchestrator sent something new. */
  recovered(): void {
    this.#failures = 0;
  }

  /** Milliseconds since the Unix epoch. */
  get until(): number {
    return this.#until;
  }

  get isOver(): boolean {
    return this.#clock.now() >= this.#until;
  }
}

/** Address of the orchestrator once it is back, checked; undefined when it does not come back in time. */
export async function reconnect(
  context: CliContext,
  servers: UsedServers,
  until: number = context.clock.now() + RESTART_MS,
): Promise<string | undefined> {
  const over = new AbortController();
  void servers.own?.failed.then(() => over.abort());
  while (!over.signal.aborted && !context.interrupted.aborted && context.clock.now() < until) {
    const url = await findRunning(context.home);
    if (url !== undefined) return url;
    await context.clock.sleep(LOOK_MS);
  }
  return undefined;
}

async function startedByOthers(context: CliContext): Promise<string | undefined> {
  let until = context.clock.now() + START_MS;
  // One that waits for us to end has signed out, and its servers are up.
  for (;;) {
    const starts = isStarting(context.home);
    // The orchestrator may answer before its agents do.
    const url = starts ? undefined : await findRunning(context.home);
    if (url !== undefined) return url;
    if (starts) until = context.clock.now() + START_MS;
    if (context.interrupted.aborted || context.clock.now() >= until || otherUsers(context.home).length === 0)
      return undefined;
    await context.clock.sleep(LOOK_MS);
  }
}

/**
 * Starts all servers; their logs go to `<home>/logs/<app>.log`. Throws a `StoreError` (`store.locked`) where
 * another command is starting those of this home.
 */
export async function startOwn(
  context: CliContext,
  ports: "declared" | "free",
  options: StartOptions = {},
): Promise<Servers> {
  requireHome(context.home);
  requireNoSharedPort(context.env);
  const started = announceStart(context.home);
  if (started === undefined)
    throw new StoreError(
      "store.locked",
      `Another command is starting the servers of "${context.home}". Try again once it has, or set TROUPE_HOME to another folder.`,
    );
  return startAll(context, ports, options).finally(started);
}

/** One port for gRPC cannot be that of every process. */
function requireNoSharedPort(env: CliContext["env"]): void {
  const port = (env["TROUPE_GRPC_PORT"] ?? "").trim();
  if (port === "" || port === "0") return;
  throw new InputError(
    "input.invalid",
    `TROUPE_GRPC_PORT=${JSON.stringify(port)} names one port for all the servers. Unset it, and set grpc_port for each process in troupe.config.json, such as { "rag-agent": { "grpc_port": 50051 } }.`,
  );
}

/** One sentence for each variable and key of the config file that looks like a setting and is none. */
function unknownNames(env: CliContext["env"], apps: readonly AppManifest[]): readonly string[] {
  const file = parseConfigFile(configPath(env));
  return [
    ...unknownSwitches(env),
    ...unknownVariables(env),
    ...unknownKeys(file, { servers: apps.map(({ name }) => name) }),
  ];
}

async function startAll(
  context: CliContext,
  ports: "declared" | "free",
  { quiet = false }: StartOptions,
): Promise<Servers> {
  const write = await proseWriter(context);
  const apps = discoverApps(context.appsRoot, (message) => write(`Left out: ${message}\n`));
  const starting = quiet
    ? undefined
    : startingStatus(
        context,
        apps.map((app) => app.name),
      );
  if (!quiet) for (const message of unknownNames(context.env, apps)) write(`${message}\n`);
  const logs = join(context.home, "logs");
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const files = new Map(apps.map((app) => [app.name, openAppLog(context, app.name)]));
  const close = (): void => files.forEach((file) => file.close());
  const problems = new Map<string, Problem>();
  const onState = (app: string, state: AppState): void => {
    // One that keeps failing for the same reason is named once; its log has every attempt.
    const known = state.status === "restarting" && problems.get(app)?.problem === state.reason;
    if (state.status === "up") problems.delete(app);
    else {
      const retry = state.status === "restarting" ? { retryAt: context.clock.now() + state.inMs } : {};
      problems.set(app, { problem: state.reason, ...retry });
    }
    const text = stateText(app, state);
    const line = { level: 40, time: context.clock.now(), name: app, msg: text };
    files.get(app)?.write(JSON.stringify(line));
    if (!known) write(`${text} Its log is in ${join(logs, `${app}.log`)}.\n`);
    note();
  };
  let note = (): void => undefined;
  const servers = await startServers({
    apps,
    ports,
    home: context.home,
    env: context.env,
    auth: authIsOn(context),
    secrets: secretsOf(context.env, tryToRead),
    onLine: (app, line) => files.get(app)?.write(line),
    onState,
    onReady: (app) => starting?.ready(app),
    signal: context.interrupted,
    clock: context.clock,
    log: context.log,
  })
    .catch((error: unknown) => {
      close();
      throw error;
    })
    .finally(() => starting?.end());
  let forget = (): void => undefined;
  note = () => {
    try {
      forget = recordServers(context.home, servers.orchestratorUrl, recordsOf(apps, servers, problems));
    } catch (error) {
      // They serve all the same; other commands only know less of them.
      context.log.warn("the record of the servers was not written", { error });
    }
  };
  note();
  return {
    ...servers,
    async stop() {
      forget();
      note = () => undefined;
      await servers.stop();
      close();
    },
  };
}

/** The log of a server, or of `up`. Its first line says so where the last run was killed. */
export function openAppLog({ home, clock }: CliContext, name: string): LogFile {
  const path = join(home, "logs", `${name}.log`);
  const killed = wasKilled(path);
  const file = openLogFile(path);
  const msg = "the last run ended without a stop line: it, or the process that started it, was killed";
  if (killed) file.write(JSON.stringify({ level: 40, time: clock.now(), name, msg }));
  return file;
}

function stateText(app: string, state: AppState): string {
  if (state.status === "up") return `${app} is up again.`;
  const reason = state.reason.replace(/\.$/, "");
  if (state.status === "stopped") return `Left out: ${reason}.`;
  return `${reason}; restarting${state.inMs > 0 ? ` in ${state.inMs / 1000} s` : ""}.`;
}

type Problem = Required<Pick<AppRecord, "problem">> & Pick<AppRecord, "retryAt">;

/** Says at once that servers are starting; at a terminal also which ones are not ready yet. */
function startingStatus(
  context: CliContext,
  apps: readonly string[],
): { readonly ready: (app: string) => void; readonly end: () => void } {
  const waiting = new Set(apps);
  const head = `Starting ${apps.length} ${apps.length === 1 ? "server" : "servers"} ...`;
  const show = (): void => {
    const ready = apps.length - waiting.size;
    context.status?.(ready === 0 ? head : `${head} ${ready} ready, waiting for ${[...waiting].join(", ")}`);
  };
  if (context.status === undefined) context.err(`${head}\n`);
  show();
  return {
    ready(app) {
      waiting.delete(app);
      if (waiting.size > 0) show();
    },
    end: () => context.status?.(""),
  };
}

function recordsOf(
  apps: readonly AppManifest[],
  { addresses }: Servers,
  problems: ReadonlyMap<string, Problem>,
): readonly AppRecord[] {
  return apps.map(({ name, kind }) => ({
    name,
    kind,
    url: addresses.get(name) ?? "",
    ...problems.get(name),
  }));
}

/** Undefined where it cannot be read: the process that needs it says so. */
function tryToRead(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
