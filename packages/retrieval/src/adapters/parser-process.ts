import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

import { InputError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { ParsedDocument, ParseLimits } from "../parse/parsed-document.ts";
import { entryOf } from "./entry.ts";
import { fromWireError, type WireError } from "./wire-error.ts";

export interface ParseCall {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly limits: ParseLimits;
}

export type ParseReply =
  | { readonly id: number; readonly document: ParsedDocument }
  | { readonly id: number; readonly error: WireError };

export interface ParserProcessOptions {
  readonly clock: Clock;
  readonly limits: ParseLimits;
  /** Longest time for one file, in milliseconds. */
  readonly timeoutMs: number;
  /** Most memory the process may take, in megabytes: its heap, and on Linux all it has. */
  readonly memoryMb: number;
  /** Another program to run; for tests. */
  readonly entry?: URL;
}

export interface ParserProcess {
  /** One file at a time. Throws an `InputError`; a crash, a hang or too much memory is one too. */
  parse(bytes: Uint8Array, name: string): Promise<ParsedDocument>;
  close(): void;
}

const MEMORY_CHECK_MS = 250;

/**
 * Parses in one child process, started at the first file and again after a crash. It has no
 * environment, cannot write files or start programs, and is killed when it takes too long or too much.
 */
export function parserProcess(options: ParserProcessOptions): ParserProcess {
  let child: ChildProcess | undefined;
  let lastId = 0;

  const start = (): ChildProcess => {
    const { url, execArgv } = entryOf("parse-process");
    const started = fork(options.entry ?? url, [], {
      execArgv: [
        ...execArgv,
        `--max-old-space-size=${options.memoryMb}`,
        "--permission",
        "--allow-fs-read=*",
        "--disable-warning=SecurityWarning",
      ],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    return started;
  };

  const stop = (running: ChildProcess): void => {
    if (child === running) child = undefined;
    running.kill("SIGKILL");
  };

  const parse = (bytes: Uint8Array, name: string): Promise<ParsedDocument> => {
    const running = (child ??= start());
    const id = (lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<ParsedDocument>();
    const onMessage = (reply: ParseReply): void => {
      if (reply.id !== id) return;
      if ("error" in reply) reject(fromWireError(reply.error));
      else resolve(reply.document);
    };
    const giveUp = (error: InputError): void => {
      reject(error);
      stop(running);
    };
    const onGone = (): void => reject(crashed(name));
    running.on("message", onMessage).once("exit", onGone).once("error", onGone);
    running.send({ id, bytes, name, limits: options.limits } satisfies ParseCall, (error) => {
      if (error) giveUp(crashed(name));
    });
    const cancelTimeout = options.clock.schedule(options.timeoutMs, () =>
      giveUp(tooSlow(name, options.timeoutMs)),
    );
    const cancelMemory = watchMemory(running, options, () => giveUp(tooBig(name, options.memoryMb)));
    return promise.finally(() => {
      cancelTimeout();
      cancelMemory();
      running.off("message", onMessage).off("exit", onGone).off("error", onGone);
    });
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    parse(bytes, name) {
      const result = last.then(() => parse(bytes, name));
      last = result.catch(() => undefined);
      return result;
    },
    close() {
      if (child) stop(child);
    },
  };
}

/** The heap limit does not see buffers, so on Linux the process's resident size is watched as well. */
function watchMemory(
  child: ChildProcess,
  { clock, memoryMb }: ParserProcessOptions,
  onTooMuch: () => void,
): () => void {
  let cancel = clock.schedule(MEMORY_CHECK_MS, check);
  function check(): void {
    // Polling ends with the call: the timer is cancelled when it settles.
    const resident = child.pid === undefined ? 0 : residentMegabytes(child.pid);
    if (resident > memoryMb) onTooMuch();
    else cancel = clock.schedule(MEMORY_CHECK_MS, check);
  }
  return () => cancel();
}

function residentMegabytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return (pages * 4096) / 1e6;
  } catch {
    return 0;
  }
}

function crashed(name: string): InputError {
  return new InputError(
    "input.invalid",
    `"${name}" made its reader stop: it is damaged or needs too much memory. Export it again or split it.`,
  );
}

function tooSlow(name: string, ms: number): InputError {
  return new InputError(
    "input.too-large",
    `"${name}" was not read within ${ms / 1000} s and was given up. Split it or export it again.`,
  );
}

function tooBig(name: string, megabytes: number): InputError {
  return new InputError(
    "input.too-large",
    `"${name}" needs more than ${megabytes} MB of memory to read and was given up. Split it or export it again.`,
  );
}
