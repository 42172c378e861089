// Server CPU of an answer of 4,000 chunks of 20 characters, tasks in memory, beside the bare SDK and its
// own store. Ours must leave at most 8 parts; `figures` tell how late another task's first event is
// meanwhile, as a multiple of an idle server's (must be at most 3).
import { appended, cpuOfAppends, oursOfAppends } from "../lib/a2a/append.mjs";
import { quantile, stream } from "../lib/a2a/client.mjs";
import { startSides } from "../lib/a2a/sides.mjs";
import { sized } from "../lib/smoke.mjs";

const CHUNKS = sized(4_000, 200);
const OTHERS = sized(101, 5);
const OTHER = { chunks: 1, size: 20 };

export const unit = "ms";
export const pairs = 5;
export const warmup = 1;

let sides;

export async function prepare() {
  sides = await startSides();
}

export const ours = () => oursOfAppends(sides.ours, CHUNKS);
export const peer = () => cpuOfAppends(sides.peer, CHUNKS);

export async function figures() {
  const mine = await lateness(sides.ours);
  const theirs = await lateness(sides.peer);
  return {
    firstEventIdleMs: mine.idle,
    firstEventMeanwhileMs: mine.meanwhile,
    timesAsLate: mine.ratio,
    peerTimesAsLate: theirs.ratio,
  };
}

export const close = () => sides.close();

/** Medians of another task's first event: on an idle server, and while the long answer is written. */
async function lateness({ url }) {
  for (let at = 0; at < OTHERS; at++) await stream(url, OTHER);
  const idle = await firsts(url, OTHERS, () => false);
  let written = false;
  const long = stream(url, appended(CHUNKS)).finally(() => (written = true));
  const meanwhile = await firsts(url, Infinity, () => written);
  await long;
  const [still, busy] = [quantile(idle, 0.5), quantile(meanwhile, 0.5)];
  return { idle: short(still), meanwhile: short(busy), ratio: short(busy / still) };
}

async function firsts(url, times, over) {
  const taken = [];
  while (taken.length < times && !over()) {
    const { first } = await stream(url, OTHER);
    if (!over()) taken.push(first);
  }
  return taken;
}

function short(value) {
  return Number(value.toPrecision(3));
}
