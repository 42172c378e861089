// One journaled step of the engine on Restate, in a run of 200, beside a bare `ctx.run` in a bare workflow of
// 200: the same server, a process of its own on this machine, fetched from npm the first time. `figures` have
// it for 32 runs at once. Each ratio must be at most 1.5.
import { createServer } from "node:http2";
import { join } from "node:path";

import { built } from "../lib/built.mjs";
import { importFrom } from "../lib/installed.mjs";
import { sized } from "../lib/smoke.mjs";
import { Unavailable } from "../lib/unavailable.mjs";

const STEPS = sized(200, 10);
const MANY = { runs: 32, steps: sized(50, 3) };
const MANY_PAIRS = sized(15, 1);

export const unit = "us";
export const pairs = 15;
export const warmup = 3;

const spec = { v: 1, name: "bench", steps: [], final: "passthrough" };
let server;
let engine;
let bare;
let outcomeOf;
let ids = 0;

export async function prepare() {
  const parts = await built("restate", "restateTesting", "workflowTesting");
  outcomeOf = parts.outcomeOf;
  await parts.restateBinary().catch((error) => {
    throw new Unavailable("a Restate server, fetched from npm", error);
  });
  server = await parts.startRestate();
  engine = await parts.openRestateEngine({ ...server, events: parts.memoryEventLog(() => 0), port: 0 });
  await engine.register(driver);
  bare = await serveBare();
}

/** As the driver of workflows does it: what a person may do at any time is raced along with the step. */
async function driver(ctx, _spec, { steps }) {
  const canceled = ctx.waitSignal("$cancel");
  for (let n = 0; n < steps; n++) {
    const settled = await ctx.next([canceled, ctx.step(`step-${n}`, async () => n)]);
    if (settled.value !== n) throw new Error(`step ${n} gave ${JSON.stringify(settled)}`);
  }
  return outcomeOf(ctx, "done");
}

async function serveBare() {
  const project = join(import.meta.dirname, "../../packages/workflow-restate");
  const { endpoint, workflow } = await importFrom(project, "@restatedev/restate-sdk");
  const { connect } = await importFrom(project, "@restatedev/restate-sdk-clients");
  const service = workflow({
    name: "bare",
    handlers: {
      run: async (ctx, { steps }) => {
        for (let n = 0; n < steps; n++) {
          const value = await ctx.run(`step-${n}`, async () => n);
          if (value !== n) throw new Error(`step ${n} gave ${value}`);
        }
        return "done";
      },
    },
  });
  const http = createServer(
    endpoint()
      .bind(service)
      .setLogger(() => undefined)
      .http2Handler(),
  );
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const response = await fetch(`${server.adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${http.address().port}` }),
  });
  if (!response.ok) throw new Error(await response.text());
  return { client: connect({ url: server.ingressUrl }), close: () => http.close() };
}

async function ourRun(steps) {
  const runId = `ours-${++ids}`;
  await engine.start(spec, { objective: "bench", steps }, { runId });
  const { outcome } = await engine.result(runId);
  if (outcome !== "completed") throw new Error(outcome);
}

async function bareRun(steps) {
  const run = bare.client.workflowClient({ name: "bare" }, `bare-${++ids}`);
  await run.workflowSubmit({ steps });
  if ((await run.workflowAttach()) !== "done") throw new Error("not done");
}

/** Microseconds a step. */
async function timed(run, { runs, steps }) {
  const start = performance.now();
  await Promise.all(Array.from({ length: runs }, () => run(steps)));
  return ((performance.now() - start) * 1_000) / (runs * steps);
}

export const ours = () => timed(ourRun, { runs: 1, steps: STEPS });
export const peer = () => timed(bareRun, { runs: 1, steps: STEPS });

export async function figures() {
  const sides = { ours: [], bare: [] };
  for (let at = 0; at < MANY_PAIRS; at++) {
    sides.ours.push(await timed(ourRun, MANY));
    sides.bare.push(await timed(bareRun, MANY));
  }
  const [ours32, peer32] = [median(sides.ours), median(sides.bare)];
  return { ours32: short(ours32), peer32: short(peer32), ratio32: short(ours32 / peer32) };
}

export async function close() {
  bare?.close();
  await engine?.close();
  await server?.stop();
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const short = (value) => Number(value.toPrecision(4));
