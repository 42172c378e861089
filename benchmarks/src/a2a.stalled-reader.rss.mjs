// How much resident memory grows at most while 125 MB are written for a reader that took the first event
// and then nothing, beside the bare SDK. What is written are states of one artifact, each in place of the
// one before: the task itself stays small, so all that grows is what waits for the reader.
import { getTask, stall } from "../lib/a2a/client.mjs";
import { startSides } from "../lib/a2a/sides.mjs";
import { sized } from "../lib/smoke.mjs";

const WORK = { snapshots: sized(2_000, 100), bytes: 62_500 };
const LOOK_EVERY_MS = 50;

export const unit = "MB";
export const pairs = 5;
export const warmup = 1;

let sides;

export async function prepare() {
  sides = await startSides();
}

export const ours = () => growth("ours");
export const peer = () => growth("peer");
export const close = () => sides.close();

async function growth(who) {
  const side = sides[who];
  const before = await side.usage();
  const { taskId, leave } = await stall(side.url, WORK);
  let most = 0;
  for (let state = ""; state !== "TASK_STATE_COMPLETED";) {
    await pause(LOOK_EVERY_MS);
    state = (await getTask(side.url, taskId)).status.state;
    most = Math.max(most, (await side.usage()).rss - before.rss);
  }
  leave();
  await pause(LOOK_EVERY_MS);
  return most / 1e6;
}

function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
