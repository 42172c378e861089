import { systemClock, type AgentGateway } from "@troupe/core";
import { createDagDriver, normalizeWorkflow, workflowSchema, type HostedEngine } from "@troupe/workflow";
import { memoryEventLog, scriptedGateway, watchSteps } from "@troupe/workflow/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openRestateEngine } from "./open-restate-engine.ts";
import { startCluster, type RestateCluster } from "./testing/restate-cluster.ts";

const RUNS = 60;

const step = (id: string, depends_on: string[] = []) => ({
  id,
  agent: id,
  instruction: `do ${id}`,
  depends_on,
});
const spec = normalizeWorkflow(
  workflowSchema.parse({
    version: 1,
    name: "fan",
    steps: [step("a"), step("b"), step("c"), step("d", ["a", "b", "c"]), step("e", ["d"])],
  }),
);

let onCall = (): unknown => undefined;
let killed = Promise.withResolvers<void>();
const agents = scriptedGateway(() => {
  onCall();
  return { ms: 100 };
}, systemClock);
/** What the last agent of a run did is told once the node is gone: until then no run ends. */
const gateway: AgentGateway = {
  send: (...request) => agents.send(...request),
  async await(agent, taskId, options) {
    if (agent === "e") await killed.promise;
    return agents.await(agent, taskId, options);
  },
  cancel: (...task) => agents.cancel(...task),
};
const events = memoryEventLog(() => Date.now());
const watch = watchSteps(createDagDriver({ gateway, eventLog: events }));

let cluster: RestateCluster;
let engine: HostedEngine;
beforeAll(async () => {
  cluster = await startCluster();
  engine = await openRestateEngine({ ...cluster, events, port: 0 });
  await engine.register(watch.driver);
});
afterAll(async () => {
  await engine.close();
  await cluster.stop();
});

it.each([1, 2])(
  "ends all of 60 runs in flight when node %i of three is killed, and does nothing finished again",
  async (number) => {
    const node = cluster.nodes[number - 1];
    const before = agents.calls.length;
    killed = Promise.withResolvers();
    const underWay = Promise.withResolvers<void>();
    // Half of the steps are asked for: some runs are in their first, others in their last.
    onCall = () => agents.calls.length - before >= (RUNS * 5) / 2 && underWay.resolve();
    const ids = Array.from({ length: RUNS }, (_, index) => `trial-${number}-run-${index}`);
    await Promise.all(ids.map((runId) => engine.start(spec, { objective: "survive" }, { runId })));
    await underWay.promise;
    await node?.kill();
    const ended = ids.filter((runId) => events.events(runId).at(-1)?.type === "finish");
    expect(ended).toEqual([]);
    killed.resolve();

    const outcomes = await Promise.all(ids.map((runId) => engine.result(runId)));
    expect(outcomes.filter(({ outcome }) => outcome === "completed")).toHaveLength(RUNS);
    expect(watch.redone).toEqual([]);
    // An agent was asked once for each step, by whichever attempt came first.
    expect(agents.calls.length - before).toBe(RUNS * 5);
    const ends = ids.map((runId) => events.events(runId).filter((event) => event.type === "finish").length);
    expect(new Set(ends)).toEqual(new Set([1]));
    await node?.restart();
  },
);
