// CPU of one streamed token, against OpenAI Agents JS: what a long answer costs more than a short
// one, divided by the tokens it has more. The cost of the run itself falls out.
import { pathToFileURL } from "node:url";

import { cpuPerRun } from "../lib/cpu.mjs";
import { oursLoop } from "../lib/loop-ours.mjs";
import { installCore } from "../lib/ours.mjs";
import { peerFolder } from "../lib/peers.mjs";
import { sized } from "../lib/smoke.mjs";

const SHORT = { rounds: 0, tokens: 500 };
const LONG = { rounds: 0, tokens: 5_500 };
const RUNS = sized(10, 1);

const mine = {};
const theirs = {};

export const unit = "us";
export const pairs = 31;
export const warmup = 6;

export async function prepare() {
  const project = installCore();
  const { agentsLoop } = await import(pathToFileURL(`${peerFolder("openai-agents")}/loop.mjs`).href);
  mine.short = await oursLoop(project, SHORT);
  mine.long = await oursLoop(project, LONG);
  theirs.short = await agentsLoop(SHORT);
  theirs.long = await agentsLoop(LONG);
}

export const ours = () => perToken(mine);
export const peer = () => perToken(theirs);

async function perToken({ short, long }) {
  const base = await cpuPerRun(short, RUNS);
  const all = await cpuPerRun(long, RUNS);
  return (all - base) / (LONG.tokens - SHORT.tokens);
}
