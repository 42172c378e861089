// Measures, and prints one JSON line a measurement on stdout; everything else goes to stderr.
//
//   node benchmarks/run.mjs [NAME-PREFIX]
//
// Each file in src/ is one measurement and is named after it. It exports
//   unit      what the numbers are, such as "us"
//   pairs     how many times ours and the peer are measured, alternately
//   warmup    pairs that are thrown away first (0 by default)
//   prepare   optional: installs or builds what is needed, once
//   ours      measures ours once and gives a number
//   peer      optional: measures the peer once
//   figures   optional: further numbers beside them, measured once, last
//   close     optional: ends what prepare began
// and runs in a process of its own.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "src");
const prefix = process.argv[2] ?? "";
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

let failed = 0;
for (const name of names) {
  const code = await measure(name);
  if (code !== 0) {
    failed++;
    process.stderr.write(`${name} could not be measured (exit ${code}).\n`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;

function measure(name) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "lib/measure.mjs"), name], {
    stdio: "inherit",
  });
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
