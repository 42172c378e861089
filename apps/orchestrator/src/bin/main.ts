import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { CliContext } from "../cli/context.ts";
import { EXIT } from "../cli/exit-codes.ts";
import { runProgram } from "../cli/program.ts";
import { report } from "../cli/report.ts";

/** A second Ctrl-C this soon is the first one again, sent to the whole process group. */
const SAME_SIGNAL_MS = 500;

/** The `troupe` process: signals, streams, and the exit code. */
export async function main(home: string): Promise<never> {
  const interrupted = interruptSignal();
  readersMayLeave();
  let code: number;
  try {
    code = await runProgram(process.argv.slice(2), {
      out,
      err,
      env: process.env,
      open: (options) => openContext(home, interrupted, options),
    });
  } catch (error) {
    code = interrupted.aborted ? EXIT.interrupted : await report(error, (text) => process.stderr.write(text));
  }
  await flushed();
  // Idle connections must not hold the process.
  process.exit(code);
}

/**
 * A reader that goes away, such as `head`, is no error: who reads the answer no more wants no more of it,
 * and without progress the answer is still wanted. A full disk behind the answer is one.
 */
function readersMayLeave(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.completed);
    process.stderr.write(`troupe: what it says cannot be written (${error.code}).\n`);
    process.exit(EXIT.failed);
  });
}

function interruptSignal(): AbortSignal {
  const interrupted = new AbortController();
  let interruptedAt = 0;
  const interrupt = (signal: NodeJS.Signals = "SIGINT"): void => {
    const now = Date.now();
    if (!interrupted.signal.aborted) {
      interruptedAt = now;
      interrupted.abort(new DOMException(signal, "AbortError"));
    } else if (now - interruptedAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return interrupted.signal;
}

/** What a command works with. Loaded for a command only: help and a wrong name need none of it. */
async function openContext(
  home: string,
  interrupted: AbortSignal,
  options: { readonly tokenFile?: string },
): Promise<CliContext> {
  const [{ systemClock }, { createLog, newId }, { wantsColor }, { takeToken }] = await Promise.all([
    import("@troupe/core"),
    import("@troupe/service"),
    import("../cli/render/color.ts"),
    import("../cli/take-token.ts"),
  ]);
  // Processes we start read compiled code from where this one does.
  const compileCache = { NODE_COMPILE_CACHE: join(home, "cache", "compile") };
  const { env, token } = takeToken({ ...compileCache, ...process.env }, options.tokenFile);
  const live = process.stderr.isTTY && env["TERM"] !== "dumb" && (env["CI"] ?? "") === "";
  const screen = () => ({
    columns: process.stdout.columns || 80,
    color: wantsColor(env, process.stdout.isTTY),
  });
  const appDir = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
  return {
    out,
    err,
    ...(live ? { terminal: process.stderr, status: showStatus } : {}),
    color: wantsColor(env, process.stderr.isTTY),
    ...(process.stdout.isTTY ? { screen } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    env,
    ...(token === undefined ? {} : { token }),
    cwd: process.cwd(),
    home,
    openFile: async (path) => (await import("../adapters/open-file.ts")).openFile(path, env),
    appsRoot: dirname(appDir),
    clock: systemClock,
    newId,
    log: createLog({ name: "troupe", level: env["TROUPE_LOG_LEVEL"] === "debug" ? "debug" : "silent" }),
    interrupted,
  };
}

/** Undefined at Ctrl-C and where the input ends. */
async function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads, Ctrl-C is a key to it, and no signal to us.
  lines.on("SIGINT", () => process.emit("SIGINT"));
  try {
    // A question is never answered once the input has ended.
    const ended = new Promise<undefined>((done) => lines.once("close", () => done(undefined)));
    const said = await Promise.race([lines.question(question, { signal }), ended]);
    if (said === undefined) process.stderr.write("\n");
    return said;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}

let statusShown = false;

/** Shows a line on stderr that the next output replaces. */
function showStatus(text: string): void {
  clearStatus();
  if (text === "") return;
  const columns = process.stderr.columns || 80;
  process.stderr.write(text.length < columns ? text : `${text.slice(0, columns - 2)}…`);
  statusShown = true;
}

function clearStatus(): void {
  if (statusShown) process.stderr.write("\r\u001b[K");
  statusShown = false;
}

function out(text: string): void {
  clearStatus();
  process.stdout.write(text);
}

function err(text: string): void {
  clearStatus();
  process.stderr.write(text);
}

/** Pipes are written in the background; `process.exit` would cut off what is left. */
async function flushed(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) =>
        new Promise<void>((done) => {
          stream.write("", () => done());
        }),
    ),
  );
}
