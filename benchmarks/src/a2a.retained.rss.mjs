// Growth of resident memory over 100,000 finished tasks, retention as it is by default, beside the bare
// SDK, which keeps them all. A first 20,000 come before, so that neither a heap that is still settling nor
// a retention that is not yet at work counts; what they take of a fresh process stands in `figures`.
import { load, send } from "../lib/a2a/client.mjs";
import { startSides } from "../lib/a2a/sides.mjs";
import { sized } from "../lib/smoke.mjs";

const TASKS = sized(100_000, 500);
const BEFORE = sized(20_000, 100);

export const unit = "MB";
export const pairs = 1;

let sides;
const counts = {};

export async function prepare() {
  sides = await startSides();
}

export const ours = () => growth("ours");
export const peer = () => growth("peer");
export const figures = async () => counts;
export const close = () => sides.close();

async function growth(who) {
  const side = sides[who];
  const fresh = await side.usage();
  await finish(side, BEFORE);
  const before = await side.usage();
  await finish(side, TASKS);
  const after = await side.usage();
  counts[`${who}WarmUpMB`] = Math.round((before.rss - fresh.rss) / 1e6);
  counts[`${who}RssMB`] = Math.round(after.rss / 1e6);
  counts[`${who}HeapMB`] = Math.round((after.heapUsed - before.heapUsed) / 1e6);
  return (after.rss - before.rss) / 1e6;
}

const finish = (side, times) => load(times, 16, () => send(side.url, { chunks: 1, size: 200 }).then(() => 0));
