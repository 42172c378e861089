// Runs one measurement file and prints its line. See ../run.mjs for what such a file exports.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { smoke } from "./smoke.mjs";
import { SKIPPED, Unavailable } from "./unavailable.mjs";

const name = process.argv[2];
const file = join(import.meta.dirname, "../src", `${name}.mjs`);
const measurement = await import(pathToFileURL(file).href);
const { unit, prepare, ours, peer, figures, close } = measurement;
const pairs = smoke ? 1 : measurement.pairs;
const warmup = smoke ? 0 : (measurement.warmup ?? 0);

try {
  await prepare?.();
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  process.stdout.write(`${JSON.stringify({ name, skipped: error.message })}\n`);
  process.exit(SKIPPED);
}
try {
  const mine = [];
  const theirs = [];
  for (let turn = -warmup; turn < pairs; turn++) {
    // Who comes first changes with every pair, so that neither always inherits the other's garbage.
    // No forced collection in between: it throws compiled code away and doubles what it should steady.
    const order = turn % 2 === 0 ? ["ours", "peer"] : ["peer", "ours"];
    for (const who of order) {
      if (who === "ours") keep(mine, turn, await ours());
      else if (peer) keep(theirs, turn, await peer());
    }
  }
  const left = median(mine);
  const right = peer ? median(theirs) : null;
  const line = {
    name,
    ours: round(left),
    peer: right === null ? null : round(right),
    unit,
    ratio: right === null ? null : round(left / right),
    n: pairs,
    ...(figures ? { figures: await figures() } : {}),
  };
  refuseNonNumbers(line.figures ?? {}, "figures");
  process.stdout.write(`${JSON.stringify(line)}\n`);
} finally {
  await close?.();
}

function keep(list, turn, value) {
  refuseNonNumbers({ value }, "a sample");
  if (turn >= 0) list.push(value);
}

/** JSON writes NaN as null, which would read as "has no peer". */
function refuseNonNumbers(values, where) {
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === "object" && value !== null) refuseNonNumbers(value, `${where}.${key}`);
    else if (!Number.isFinite(value)) throw new Error(`${where}: ${key} is ${value}, not a number`);
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Four significant digits: more would only look exact. */
function round(value) {
  return Number(value.toPrecision(4));
}
