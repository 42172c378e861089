// Time to the first event of an answer whose 13 events are there at once, at 16 such requests at a time,
// beside the bare SDK. Medians of a round of requests.
import { load, quantile, stream } from "../lib/a2a/client.mjs";
import { startSides } from "../lib/a2a/sides.mjs";
import { sized } from "../lib/smoke.mjs";

/** Ours: the start and the end of the text, ten chunks, the end. The peer's: the task, eleven chunks, the end. */
const BURST = { ours: { chunks: 10, size: 20 }, peer: { chunks: 11, size: 20 } };
const REQUESTS = sized(320, 32);
const CONCURRENCY = 16;

export const unit = "ms";
export const pairs = 15;
export const warmup = 5;

let sides;
const wholes = { ours: [], peer: [] };

export async function prepare() {
  sides = await startSides();
}

export const ours = () => first("ours");
export const peer = () => first("peer");
export const figures = async () => ({
  wholeMs: short(quantile(wholes.ours, 0.5)),
  peerWholeMs: short(quantile(wholes.peer, 0.5)),
});
export const close = () => sides.close();

async function first(who) {
  const answers = await load(REQUESTS, CONCURRENCY, () => stream(sides[who].url, BURST[who]));
  wholes[who].push(...answers.map((answer) => answer.whole));
  return quantile(
    answers.map((answer) => answer.first),
    0.5,
  );
}

function short(value) {
  return Number(value.toPrecision(3));
}
