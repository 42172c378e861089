#!/usr/bin/env node
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";

import { isTroupeError, systemClock } from "@troupe/core";
import { createLog, newId, scrub } from "@troupe/service";

import type { CliContext } from "../cli/context.ts";
import { EXIT, exitCodeOfError } from "../cli/exit-codes.ts";
import { runProgram } from "../cli/program.ts";
import { wantsColor } from "../cli/render/color.ts";

/** A second Ctrl-C this soon is the first one again, sent to the whole process group. */
const SAME_SIGNAL_MS = 500;

const interrupted = new AbortController();
let interruptedAt = 0;
const interrupt = (): void => {
  const now = Date.now();
  if (!interrupted.signal.aborted) {
    interruptedAt = now;
    interrupted.abort();
  } else if (now - interruptedAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
};
process.on("SIGINT", interrupt);
process.on("SIGTERM", interrupt);
// A reader that goes away, such as `head`, is no error.
process.stdout.on("error", () => process.exit(EXIT.completed));

const { env } = process;
const live = process.stderr.isTTY && env["TERM"] !== "dumb" && (env["CI"] ?? "") === "";
const appDir = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const context: CliContext = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ...(live ? { terminal: process.stderr } : {}),
  color: wantsColor(env, process.stderr.isTTY),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
  env,
  cwd: process.cwd(),
  home: resolve(env["TROUPE_HOME"] ?? ".troupe"),
  appsRoot: dirname(appDir),
  clock: systemClock,
  newId,
  log: createLog({ name: "troupe", level: env["TROUPE_LOG_LEVEL"] === "debug" ? "debug" : "silent" }),
  interrupted: interrupted.signal,
};

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}

try {
  process.exitCode = await runProgram(context, process.argv.slice(2));
} catch (error) {
  if (interrupted.signal.aborted) process.exitCode = EXIT.interrupted;
  else {
    const message = isTroupeError(error)
      ? error.message
      : `Something unexpected went wrong: ${String(error)}`;
    process.stderr.write(`troupe: ${scrub(message)}\n`);
    if (!isTroupeError(error))
      process.stderr.write("Run again with TROUPE_LOG_LEVEL=debug and see the logs folder of TROUPE_HOME.\n");
    process.exitCode = exitCodeOfError(error);
  }
}
// Idle connections must not hold the process.
process.exit();
