import { parseArgs } from "node:util";

import { simulateSeeds } from "./simulate-seeds.ts";

// npm run --silent simulate -- --seeds 100000
// npm run --silent simulate -- --seed 4914
const { values } = parseArgs({
  options: { seed: { type: "string" }, from: { type: "string" }, seeds: { type: "string" } },
});
const from = Number(values.seed ?? values.from ?? 1);
const count = values.seed === undefined ? Number(values.seeds ?? 2_000) : 1;
if (!Number.isInteger(from) || !Number.isInteger(count) || count < 1) {
  process.stderr.write("Usage: npm run --silent simulate -- [--seeds N] [--from N] | --seed N\n");
  process.exitCode = 2;
} else {
  const each = (done: number): void => {
    if (done % 10_000 === 0) process.stderr.write(`${done} of ${count}\n`);
  };
  const report = await simulateSeeds({ from, count, each });
  for (const failure of report.failures) process.stderr.write(`${failure}\n`);
  process.stdout.write(`${JSON.stringify({ from, count, ...report })}\n`);
  if (report.failures.length > 0) process.exitCode = 1;
}
