import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { descendants, isAlive, type ProcessInfo } from "./processes.ts";

const repository = resolve(import.meta.dirname, "..", "..", "..", "..");
const bin = join(repository, "apps", "orchestrator", "src", "bin", "troupe.ts");
/** Shared by all tests: what was compiled once is not compiled again in the next home. */
const { NODE_COMPILE_CACHE } = process.env;

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `troupe` process of a test. */
export interface Troupe {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The processes it started that run now. */
  children(): readonly ProcessInfo[];
  /** Resolves with the first match in what was or will be written to a stream. */
  waitFor(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

export interface TroupeOptions {
  readonly home: string;
  readonly env?: { readonly [name: string]: string | undefined };
}

const started: { readonly troupe: Troupe; readonly seen: Map<number, string> }[] = [];
const folders: string[] = [];

/** For `afterEach` or `afterAll`: whatever a test left running is ended, its folders are removed. */
export async function cleanUp(): Promise<void> {
  for (const { troupe, seen } of started.splice(0)) {
    troupe.children();
    troupe.kill("SIGKILL");
    // Only what it is known to have started, never whoever has that id by now.
    for (const [pid, command] of seen) if (isAlive(pid, command)) process.kill(pid, "SIGKILL");
    await troupe.finished;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A folder that `cleanUp` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "troupe-cli-"));
  folders.push(folder);
  return folder;
}

/** Starts the command line from its sources, as a process, without any setting of this machine. */
export function startTroupe(args: readonly string[], options: TroupeOptions): Troupe {
  const { home } = options;
  const child = spawn(
    process.execPath,
    ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning", bin, ...args],
    {
      cwd: resolve(home, ".."),
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        NODE_COMPILE_CACHE,
        TROUPE_HOME: home,
        ...options.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const pid = child.pid ?? 0;
  const written = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      written[name] += chunk;
      for (const look of waiting) look();
    });
  }
  const finished = new Promise<Finished>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => done({ code, signal, ...written }));
  });
  const seen = new Map<number, string>();
  const troupe: Troupe = {
    pid,
    finished,
    get stdout() {
      return written.stdout;
    },
    get stderr() {
      return written.stderr;
    },
    children() {
      const found = descendants(pid);
      for (const { pid: own, command } of found) seen.set(own, command);
      return found;
    },
    kill: (signal) => void child.kill(signal),
    waitFor: (stream, pattern) =>
      new Promise((found, fail) => {
        const look = (): void => {
          const match = pattern.exec(written[stream]);
          if (match === null) return;
          waiting.delete(look);
          found(match);
        };
        waiting.add(look);
        look();
        const missed = (end: Finished): void =>
          fail(new Error(`troupe ended (${end.code ?? end.signal}) without ${pattern}:\n${end.stderr}`));
        finished.then(missed, fail);
      }),
  };
  started.push({ troupe, seen });
  return troupe;
}

/** Runs the command line to its end. */
export function runTroupe(args: readonly string[], options: TroupeOptions): Promise<Finished> {
  return startTroupe(args, options).finished;
}
