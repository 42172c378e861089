import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

import { InputError, ProcessError, type Log } from "@troupe/core";
import { scrub } from "@troupe/service";
import type { Clock } from "@troupe/stream";
import { z } from "zod";

import { causeOf, loggedError } from "./cause-of.ts";
import type { AppManifest } from "./discover.ts";
import { tooManyFiles } from "./too-many-files.ts";

export interface ChildOptions {
  readonly app: AppManifest;
  readonly env: { readonly [name: string]: string | undefined };
  /** Values that must not be in any line of it, beside what looks like a secret. */
  readonly secrets: readonly string[];
  /** Where its log goes, line by line, scrubbed. */
  readonly onLine: (line: string) => void;
  /** Ends the process as long as it is not ready. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  /** Resolves with a description when it is gone, wanted or not. */
  readonly exited: Promise<string>;
  /** SIGTERM, then SIGKILL after 12 s; resolves when it is gone. */
  stop(): Promise<void>;
}

const readyMessage = z.union([
  z.object({ ready: z.literal(true), url: z.string() }),
  z.object({ ready: z.literal(false), message: z.string(), portTaken: z.boolean().default(false) }),
]);

const STOP_MS = 12_000;
/** How long the last lines of one that is gone may take, where another process holds its pipes. */
const LAST_LINES_MS = 1_000;
/** What an app exits with whose settings cannot be used; it says why on stderr. */
const EXIT_CONFIG = 78;
/** Of its log, to look for the cause in when it does not start. */
const TAIL_LINES = 50;

/**
 * Starts an app in a process and session of its own, so a Ctrl-C reaches only us, and waits until
 * it says it is ready; throws a `ProcessError` when it does not, and an `InputError` where its settings
 * cannot be used. It stops by itself when we are gone, because its channel to us closes.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { app } = options;
  const child = spawn(process.execPath, [...app.nodeFlags, app.entry], {
    env: { ...options.env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const exited = describeExit(child, app.name);
  const closed = once(child, "close").catch(() => undefined);
  const tail: string[] = [];
  // It may be no process of ours, or print past its log: what Node says of a crash, for one.
  const clean = (text: string): string => scrub(text, options.secrets);
  const keep = (raw: string): void => {
    const line = clean(raw);
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    options.onLine(line);
  };
  forwardLines(child, keep);
  const giveUp = (): void => void child.kill("SIGTERM");
  if (options.signal.aborted) giveUp();
  options.signal.addEventListener("abort", giveUp);
  const url = await ready(child, exited, app.name, { tail, clean }).finally(() =>
    options.signal.removeEventListener("abort", giveUp),
  );
  return {
    name: app.name,
    pid: child.pid ?? 0,
    url,
    exited,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const cancel = options.clock.schedule(STOP_MS, () => {
        options.log.warn("killed, it did not stop in time", { app: app.name });
        child.kill("SIGKILL");
      });
      await exited;
      cancel();
      const late = new AbortController();
      const timeout = options.clock.sleep(LAST_LINES_MS, late.signal).catch(() => undefined);
      await Promise.race([closed, timeout]);
      late.abort();
    },
  };
}

function ready(
  child: ChildProcess,
  exited: Promise<string>,
  name: string,
  { tail, clean }: { readonly tail: readonly string[]; readonly clean: (text: string) => string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let refusal: { readonly message: string; readonly portTaken: boolean } | undefined;
    child.once("message", (message) => {
      const parsed = readyMessage.safeParse(message);
      if (!parsed.success) refusal = { message: "it said something unknown", portTaken: false };
      else if (parsed.data.ready) resolve(parsed.data.url);
      else refusal = { ...parsed.data, message: clean(parsed.data.message) };
    });
    // What it wrote or said last may still be on its way when it is gone; one that never ran said nothing.
    const closed = once(child, "close").catch(() => undefined);
    const gone = async (): Promise<void> => {
      const how = await exited;
      if (child.pid !== undefined) await closed;
      if (child.exitCode === EXIT_CONFIG) {
        // A line of its own for each setting, indented.
        const said = tail.slice(tail.findLastIndex((line) => !line.startsWith(" "))).join("\n");
        reject(new InputError("input.invalid", said === "" ? how : said));
        return;
      }
      reject(startError(name, reasonOf(refusal?.message, tail, how), refusal?.portTaken === true));
    };
    void gone();
  });
}

/** What it said of it, with the error of its log; one that said nothing is judged by its last lines. */
function reasonOf(said: string | undefined, tail: readonly string[], how: string): string {
  if (said === undefined) {
    const cause = causeOf(tail);
    return cause === undefined ? how : `${cause} (${how})`;
  }
  const logged = loggedError(tail);
  const same = logged === undefined || said.includes(logged) || logged.includes(said);
  return same ? said : `${said} ${logged}`;
}

function startError(name: string, why: string, portTaken: boolean): ProcessError {
  return new ProcessError(
    portTaken ? "process.port-taken" : "process.start",
    `${name} did not start: ${why}`,
  );
}

function describeExit(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) =>
      resolve(`${name} could not be run: ${tooManyFiles(error) ?? error.message}`),
    );
    child.once("exit", (code, signal) =>
      resolve(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
    );
  });
}

function forwardLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") onLine(line);
    });
  }
}
