import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

import { InputError, isTroupeError, type Log } from "@troupe/core";
import { requireSqlite } from "@troupe/core/sqlite";
import type { z } from "zod";

import { helpText } from "../config/help-text.ts";
import { loadConfig, type LoadedConfig } from "../config/load-config.ts";
import type { SettingMeta } from "../config/setting.ts";
import { requireKnownKeys, unknownKeys, unknownVariables } from "../config/unknown-settings.ts";
import { unknownSwitches } from "../config/unknown-switches.ts";
import { createLog } from "../log/create-log.ts";

/** What `start` of an app returns. */
export interface Running {
  readonly url: string;
  /** Resolves when there is nobody left to serve, as over stdio; absent where only a signal ends it. */
  readonly ended?: Promise<void>;
  close(): Promise<void>;
}

export interface MainOptions<S extends z.ZodObject> {
  /** Process name for logs and messages. */
  readonly name: string;
  readonly schema: S;
  readonly start: (config: z.output<S>, tools: { readonly log: Log }) => Promise<Running>;
  /** Raw values of the environment; `main.ts` is the only place that reads it. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly argv: readonly string[];
}

/** What the life of a program depends on; `process` is one. */
export interface HostProcess {
  readonly connected: boolean;
  /** There when the parent listens over IPC. */
  readonly send?:
    | ((message: object, handle: undefined, options: undefined, done: () => void) => unknown)
    | undefined;
  readonly stdout: { write(text: string, done?: () => void): unknown };
  readonly stderr: { write(text: string, done: () => void): unknown };
  once(event: "SIGTERM" | "SIGINT" | "disconnect", listener: () => void): unknown;
  /** Rejections that nobody handles arrive here too. */
  once(event: "uncaughtException", listener: (error: unknown) => void): unknown;
  exit(code: number): void;
}

/** Settings that cannot be used, as sysexits.h has it. */
const EXIT_CONFIG = 78;
/** A shutdown that takes longer than this is cut short. */
const SHUTDOWN_MS = 10_000;

/**
 * Runs an app as a process: reads its settings, starts it, says `ready` (over IPC to a parent that
 * listens, else on stdout), and stops cleanly on SIGTERM, SIGINT, or when the parent is gone. Exits
 * with 0 when it stopped cleanly or was asked for help, 1 when it did not start or stop or broke, 78 when its settings are
 * no good, each by itself or together.
 */
export async function runMain<S extends z.ZodObject>(
  options: MainOptions<S>,
  host: HostProcess = process,
): Promise<void> {
  if (options.argv.some((arg) => arg === "--help" || arg === "-h")) {
    host.stdout.write(helpText(options.name, options.schema), () => host.exit(0));
    return;
  }
  const loaded = settingsOrExit(options, host);
  if (loaded === undefined) return;
  const { config, file } = loaded;
  const level = config.value["log_level"] as "debug" | "info" | "warn" | "error" | "silent" | undefined;
  const log = createLog({
    name: options.name,
    level: level ?? "info",
    secrets: secretValues(options.schema, config.value),
  });
  const own = options.schema.shape;
  for (const message of unknownVariables(options.env, own)) log.warn(message);
  for (const message of unknownKeys(file, { own, servers: [options.name] })) log.warn(message);
  // Only agents have middleware; the others would only repeat it.
  if ("middleware" in options.schema.shape)
    for (const message of unknownSwitches(options.env)) log.warn(message);
  // The last line of every run that was not killed.
  const stopped = (reason: string): void => log.info("stopped", { reason });
  logCrash(options.name, { log, stopped }, host);
  let running: Running;
  try {
    // Told before anything else of a Node that is too old for us is met.
    requireSqlite();
    running = await options.start(config.value, { log });
  } catch (error) {
    fail(options.name, error, { log, stopped }, host);
    return;
  }
  log.info("started", {
    pid: process.pid,
    version: ownVersion(),
    address: running.url,
    home: config.value["home"],
    node: process.version,
  });
  stopOnSignal(running, { log, stopped }, host);
  // Over stdio the channel to the parent is the protocol, and stdout belongs to it.
  if (running.ended) return;
  // The callback is there for a parent that goes away right now.
  if (host.send) host.send({ ready: true, url: running.url }, undefined, undefined, () => undefined);
  else host.stdout.write(`${options.name} is ready at ${running.url}\n`);
}

function settingsOrExit<S extends z.ZodObject>(
  options: MainOptions<S>,
  host: HostProcess,
): { readonly config: LoadedConfig<z.output<S>>; readonly file: ConfigFile } | undefined {
  try {
    const file = parseConfigFile(options.env["TROUPE_CONFIG"] ?? "troupe.config.json");
    requireKnownKeys(file, options.name, options.schema.shape);
    const config = loadConfig(options.schema, {
      flags: readFlags(options.schema, options.argv),
      env: options.env,
      file: ofProcess(file, options.name),
      readSecret: (path) => readFileSync(path, "utf8"),
    });
    return { config, file };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    host.stderr.write(`${options.name}: ${message}\n`, () => host.exit(EXIT_CONFIG));
    return undefined;
  }
}

/** Flags declared in a schema's metadata, parsed; an unknown one is an error that lists them. */
export function readFlags(
  schema: z.ZodObject,
  argv: readonly string[],
): { [flag: string]: string | boolean | undefined } {
  const metas = Object.values(schema.shape).flatMap((part) => {
    const meta = (part as z.ZodType).meta() as SettingMeta | undefined;
    return meta?.flag === undefined
      ? []
      : [{ flag: meta.flag, type: meta.isSwitch === true ? ("boolean" as const) : ("string" as const) }];
  });
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(metas.map(({ flag, type }) => [flag, { type }])),
      strict: true,
    });
    return values;
  } catch (error) {
    const flags = metas.map(({ flag }) => `--${flag}`).join(", ");
    throw new InputError(
      "input.invalid",
      `${error instanceof Error ? error.message : String(error)}. Flags: ${flags}. --help says what each is for.`,
    );
  }
}

interface ConfigFile {
  readonly [key: string]: unknown;
}

/**
 * The shared config file: settings at the top hold for every process, those under the process's
 * own name win.
 */
export function readConfigFile(path: string, name: string): ConfigFile {
  return ofProcess(parseConfigFile(path), name);
}

/** The shared config file as it is, with the sections of all processes; empty where there is none. */
export function parseConfigFile(path: string): ConfigFile {
  if (!existsSync(path)) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new InputError(
      "input.invalid",
      `"${path}" is not JSON: ${error instanceof Error ? error.message : ""}`,
      { cause: error },
    );
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new InputError("input.invalid", `"${path}" must hold one JSON object of settings.`);
  }
  return parsed as ConfigFile;
}

function ofProcess(file: ConfigFile, name: string): ConfigFile {
  const own = file[name];
  return { ...file, ...(typeof own === "object" && own !== null ? own : {}) };
}

function secretValues(schema: z.ZodObject, value: Record<string, unknown>): readonly string[] {
  return Object.entries(schema.shape).flatMap(([key, part]) => {
    const meta = (part as z.ZodType).meta() as SettingMeta | undefined;
    return meta?.secret === true ? stringsIn(value[key]) : [];
  });
}

/** A secret may be one string, or several by a name each. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

interface EndLog {
  readonly log: Log;
  /** Logs why the process ends. */
  readonly stopped: (reason: string) => void;
}

/** Of the package whose `src/main.ts` or `dist/main.js` this process runs. */
function ownVersion(): string {
  try {
    const file = join(dirname(process.argv[1] ?? ""), "..", "package.json");
    return String((JSON.parse(readFileSync(file, "utf8")) as { readonly version?: unknown }).version);
  } catch {
    return "unknown";
  }
}

/** Ends the process: what was half opened, such as a worker or a timer, must not keep it alive. */
function fail(name: string, error: unknown, { log, stopped }: EndLog, host: HostProcess): void {
  log.error("did not start", { error });
  stopped("did not start");
  const message = isTroupeError(error) ? error.message : "could not start; see the log line above.";
  const settings = isOfSettings(error);
  const exit = (): void => host.exit(settings ? EXIT_CONFIG : 1);
  // A parent that chose the port may choose another.
  const portTaken = systemCodeOf(error) === "EADDRINUSE";
  const say = (): void => void host.stderr.write(`${name}: ${message}\n`, exit);
  if (host.send) host.send({ ready: false, message, portTaken }, undefined, undefined, settings ? say : exit);
  else say();
}

/** Settings that do not go together. What the system has refused, such as a port, may go another time. */
function isOfSettings(error: unknown): boolean {
  if (!isTroupeError(error) || systemCodeOf(error) !== undefined) return false;
  return error.code.startsWith("input.") || error.code === "agent.config";
}

/** What the system calls that which an error comes from, such as `EADDRINUSE`. */
function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? String(error.code) : "";
  return /^E[A-Z0-9_]+$/.test(code) ? code : systemCodeOf(error.cause);
}

/** What Node would print of it is not scrubbed of secrets; the log is. */
function logCrash(name: string, { log, stopped }: EndLog, host: HostProcess): void {
  host.once("uncaughtException", (error) => {
    log.error("broke", { error });
    stopped("fatal error");
    host.stderr.write(`${name}: ended by an unexpected error; see the log line above.\n`, () => host.exit(1));
  });
}

function stopOnSignal(running: Running, { log, stopped }: EndLog, host: HostProcess): void {
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.debug("stopping", { reason });
    const exit = (code: number, how = ""): void => {
      stopped(`${reason}${how}`);
      host.exit(code);
    };
    const late = setTimeout(() => exit(1, `, cut short after ${SHUTDOWN_MS / 1_000} s`), SHUTDOWN_MS);
    late.unref();
    running.close().then(
      () => exit(0),
      (error: unknown) => {
        log.error("did not stop cleanly", { error });
        exit(1, ", not cleanly");
      },
    );
  };
  host.once("SIGTERM", () => stop("SIGTERM"));
  host.once("SIGINT", () => stop("SIGINT"));
  if (host.send) {
    host.once("disconnect", () => stop("parent gone"));
    if (!host.connected) stop("parent gone");
  }
  running.ended?.then(
    () => stop("client gone"),
    (error: unknown) => {
      log.error("serving broke off", { error });
      stop("serving broke off");
    },
  );
}
