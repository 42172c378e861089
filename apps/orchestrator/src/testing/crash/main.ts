import { parseArgs } from "node:util";

import { killRounds } from "./kill-rounds.ts";

// npm run --silent crash:runs -- --rounds 200 --seed 1
const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const rounds = Number(values.rounds ?? 20);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  process.stderr.write("Usage: npm run --silent crash:runs -- [--rounds N] [--seed N]\n");
  process.exitCode = 2;
} else {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const report = await killRounds({ rounds, seed, say });
  process.stdout.write(`${JSON.stringify({ seed, ...report })}\n`);
  if (report.problems.length > 0) process.exitCode = 1;
}
