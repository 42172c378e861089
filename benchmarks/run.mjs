// Measures, and prints one JSON line a measurement on stdout; everything else goes to stderr.
//
//   node benchmarks/run.mjs [--smoke] [NAME-PREFIX]
//
// With --smoke every measurement runs once and at its smallest: that shows that it works, and no more.
//
// Each file in src/ is one measurement and is named after it. It exports
//   unit      what the numbers are, such as "us"
//   pairs     how many times ours and the peer are measured, alternately
//   warmup    pairs that are thrown away first (0 by default)
//   prepare   optional: installs or builds what is needed, once; throws `Unavailable` where that cannot be had
//   ours      measures ours once and gives a number
//   peer      optional: measures the peer once
//   figures   optional: further numbers beside them, measured once, last
//   close     optional: ends what prepare began
// and runs in a process of its own.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { SKIPPED } from "./lib/unavailable.mjs";

/** A measurement that hangs in CI fails by name instead of holding the whole run. */
const SMOKE_LIMIT_MS = 120_000;

const folder = join(import.meta.dirname, "src");
const usage = "Usage: node benchmarks/run.mjs [--smoke] [NAME-PREFIX]";
const { smoke, prefix } = readArguments();
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => file.slice(0, -".mjs".length))
  .filter((name) => name.startsWith(prefix))
  .sort();
if (names.length === 0) {
  const known = readdirSync(folder).map((file) => file.replace(/\.mjs$/, ""));
  process.stderr.write(`No measurement begins with "${prefix}". There are: ${known.join(", ")}.\n`);
  process.exit(2);
}

const skipped = [];
const failed = [];
for (const name of names) {
  const code = await measure(name);
  if (code === SKIPPED) skipped.push(name);
  else if (code !== 0) {
    failed.push(name);
    process.stderr.write(`${name} could not be measured (exit ${code}).\n`);
  }
}
const measured = names.length - skipped.length - failed.length;
process.stderr.write(
  [`${measured} measured`, ...counted("skipped", skipped), ...counted("failed", failed)].join(", ") + "\n",
);
process.exitCode = failed.length === 0 ? 0 : 1;

function readArguments() {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg.startsWith("-") && arg !== "--smoke");
  if (unknown !== undefined) {
    process.stderr.write(`Unknown option "${unknown}". ${usage}\n`);
    process.exit(2);
  }
  return { smoke: args.includes("--smoke"), prefix: args.find((arg) => !arg.startsWith("-")) ?? "" };
}

function counted(what, list) {
  return list.length === 0 ? [] : [`${list.length} ${what} (${list.join(", ")})`];
}

function measure(name) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "lib/measure.mjs"), name], {
    stdio: "inherit",
    env: { ...process.env, BENCH_SMOKE: smoke ? "1" : "" },
    ...(smoke ? { timeout: SMOKE_LIMIT_MS, killSignal: "SIGKILL" } : {}),
  });
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
}
