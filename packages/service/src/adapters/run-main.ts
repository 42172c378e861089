import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { InputError, isTroupeError, type Log } from "@troupe/core";
import type { z } from "zod";

import { loadConfig, type LoadedConfig } from "../config/load-config.ts";
import type { SettingMeta } from "../config/setting.ts";
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

/** Settings that cannot be used, as sysexits.h has it. */
const EXIT_CONFIG = 78;
/** A shutdown that takes longer than this is cut short. */
const SHUTDOWN_MS = 10_000;

/**
 * Runs an app as a process: reads its settings, starts it, says `ready` (over IPC to a parent that
 * listens, else on stdout), and stops cleanly on SIGTERM, SIGINT, or when the parent is gone.
 */
export async function runMain<S extends z.ZodObject>(options: MainOptions<S>): Promise<void> {
  const config = settingsOrExit(options);
  if (config === undefined) return;
  const level = config.value["log_level"] as "debug" | "info" | "warn" | "error" | "silent" | undefined;
  const log = createLog({
    name: options.name,
    level: level ?? "info",
    secrets: secretValues(options.schema, config.value),
  });
  let running: Running;
  try {
    running = await options.start(config.value, { log });
  } catch (error) {
    fail(options.name, error, log);
    return;
  }
  stopOnSignal(running, log);
  // Over stdio the channel to the parent is the protocol, and stdout belongs to it.
  if (running.ended) return;
  // The callback is there for a parent that goes away right now.
  if (process.send) process.send({ ready: true, url: running.url }, undefined, undefined, () => undefined);
  else process.stdout.write(`${options.name} is ready at ${running.url}\n`);
}

function settingsOrExit<S extends z.ZodObject>(
  options: MainOptions<S>,
): LoadedConfig<z.output<S>> | undefined {
  try {
    return loadConfig(options.schema, {
      flags: readFlags(options.schema, options.argv),
      env: options.env,
      file: readConfigFile(options.env["TROUPE_CONFIG"] ?? "troupe.config.json", options.name),
      readSecret: (path) => readFileSync(path, "utf8"),
    });
  } catch (error) {
    process.stderr.write(`${options.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT_CONFIG;
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
      `${error instanceof Error ? error.message : String(error)}. Flags: ${flags}.`,
    );
  }
}

/**
 * The shared config file: settings at the top hold for every process, those under the process's
 * own name win.
 */
export function readConfigFile(path: string, name: string): { readonly [key: string]: unknown } {
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
  const all = parsed as Record<string, unknown>;
  const own = all[name];
  return { ...all, ...(typeof own === "object" && own !== null ? own : {}) };
}

function secretValues(schema: z.ZodObject, value: Record<string, unknown>): readonly string[] {
  return Object.entries(schema.shape).flatMap(([key, part]) => {
    const meta = (part as z.ZodType).meta() as SettingMeta | undefined;
    const secret = value[key];
    return meta?.secret === true && typeof secret === "string" ? [secret] : [];
  });
}

function fail(name: string, error: unknown, log: Log): void {
  log.error("did not start", { error });
  const message = isTroupeError(error) ? error.message : "could not start; see the log line above.";
  if (process.send) process.send({ ready: false, message });
  else process.stderr.write(`${name}: ${message}\n`);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}

function stopOnSignal(running: Running, log: Log): void {
  let stopping = false;
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.debug("stopping", { why });
    const late = setTimeout(() => process.exit(1), SHUTDOWN_MS);
    late.unref();
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error("did not stop cleanly", { error });
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", () => stop("SIGTERM"));
  process.once("SIGINT", () => stop("SIGINT"));
  if (process.send) {
    process.once("disconnect", () => stop("parent gone"));
    if (!process.connected) stop("parent gone");
  }
  void running.ended?.then(() => stop("client gone"));
}
