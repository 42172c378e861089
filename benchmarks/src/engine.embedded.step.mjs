// One journaled step of the embedded engine, one run at a time, beside a bare insert that is as durable.
// `figures` have it for 32 runs at once, beside 32 rows in one transaction; each ratio must be at most 2.
import { built } from "../lib/built.mjs";
import { bareInsert, engineStep } from "../lib/engine/step.mjs";
import { sized } from "../lib/smoke.mjs";
import { emptyHome } from "../lib/troupe.mjs";

const ALONE = { runs: 1, steps: sized(1_000, 50) };
const MANY = { runs: 32, steps: sized(100, 5) };
const MANY_PAIRS = sized(15, 1);

export const unit = "us";
export const pairs = 15;
export const warmup = 3;

const { home, remove } = emptyHome();
let open;

export async function prepare() {
  open = (await built("workflow")).openEmbeddedEngine;
}

export const ours = () => engineStep(open, home, ALONE);
export const peer = async () => bareInsert(home, ALONE);

export async function figures() {
  const sides = { engine: [], bare: [] };
  for (let at = 0; at < MANY_PAIRS; at++) {
    sides.engine.push(await engineStep(open, home, MANY));
    sides.bare.push(bareInsert(home, MANY));
  }
  const [ours32, peer32] = [median(sides.engine), median(sides.bare)];
  return { ours32: short(ours32), peer32: short(peer32), ratio32: short(ours32 / peer32) };
}

export const close = async () => remove();

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const short = (value) => Number(value.toPrecision(4));
