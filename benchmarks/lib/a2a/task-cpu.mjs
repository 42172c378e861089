import { sized } from "../smoke.mjs";
import { load, send } from "./client.mjs";
import { cpuOf, startSides } from "./sides.mjs";

const WORK = { chunks: 1, size: 20 };

/** CPU a request, so many at a time: an agent that answers one chunk with a finished task. */
export function measureTask(concurrency) {
  const requests = sized(400, 64);
  let sides;
  const sample = async (side) =>
    (await cpuOf(side, () => load(requests, concurrency, () => task(side.url)))) / requests;
  return {
    prepare: async () => {
      sides = await startSides();
    },
    ours: () => sample(sides.ours),
    peer: () => sample(sides.peer),
    close: () => sides.close(),
  };
}

async function task(url) {
  const { task } = await send(url, WORK);
  const text = JSON.stringify(task.artifacts);
  if (task.status.state !== "TASK_STATE_COMPLETED" || !text.includes("x".repeat(WORK.size)))
    throw new Error(`not the task: ${JSON.stringify(task)}`);
}
