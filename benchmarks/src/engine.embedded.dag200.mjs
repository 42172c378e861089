// 200 workflows at once, each three agents beside one another, then one, then one: wall time to the end of
// the middle one. Every agent takes 100 ms on a timer of this process and tells four events, the driver is
// the real one and the journal on disk. The ideal is 300 ms; the ratio to it stands in `figures`.
import { join } from "node:path";

import { built } from "../lib/built.mjs";
import { timedAgents } from "../lib/engine/timed-agents.mjs";
import { sized } from "../lib/smoke.mjs";
import { emptyHome } from "../lib/troupe.mjs";

const RUNS = sized(200, 10);
const AGENT_MS = 100;
const IDEAL_MS = 3 * AGENT_MS;

export const unit = "ms";
export const pairs = 9;
export const warmup = 2;

const { home, remove } = emptyHome();
const slowest = [];
const middle = [];
let loaded;
let spec;

export async function prepare() {
  loaded = await built("workflow");
  const step = (id, depends_on = []) => ({ id, agent: id, instruction: `Do ${id}.`, depends_on });
  const steps = [step("a"), step("b"), step("c"), step("d", ["a", "b", "c"]), step("e", ["d"])];
  spec = loaded.normalizeWorkflow(
    loaded.workflowSchema.parse({ version: 1, name: "Fan", mode: "parallel", steps }),
  );
}

export async function ours() {
  const engine = loaded.openEmbeddedEngine({ path: join(home, `${crypto.randomUUID()}.db`) });
  const gateway = timedAgents(AGENT_MS);
  await engine.register(loaded.createDagDriver({ gateway, eventLog: engine.events }));
  const started = performance.now();
  const took = await Promise.all(
    Array.from({ length: RUNS }, async (_, at) => {
      const runId = `run-${at}`;
      await engine.start(spec, { objective: "Fan out." }, { runId });
      const { outcome } = await engine.result(runId);
      if (outcome !== "completed") throw new Error(outcome);
      return performance.now() - started;
    }),
  );
  await engine.close();
  if (gateway.calls() !== RUNS * spec.steps.length) throw new Error(`${gateway.calls()} calls`);
  took.sort((a, b) => a - b);
  slowest.push(took.at(-1));
  middle.push(took[RUNS / 2]);
  return took[RUNS / 2];
}

export async function figures() {
  const median = (values) => {
    const measured = values.slice(-pairs);
    return measured.toSorted((a, b) => a - b)[measured.length >> 1];
  };
  return { timesIdeal: short(median(middle) / IDEAL_MS), slowestMs: short(median(slowest)) };
}

export const close = async () => remove();

const short = (value) => Number(value.toPrecision(4));
