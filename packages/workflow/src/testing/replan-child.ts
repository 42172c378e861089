import { appendFileSync } from "node:fs";

import { systemClock, type Model, type ModelEvent } from "@troupe/core";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import { openEmbeddedEngine } from "../embedded/engine.ts";
import { ADD_STEPS } from "../planner/add-steps.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { agentEntry } from "./agent-entries.ts";
import { scriptedGateway } from "./scripted-gateway.ts";

// A process to kill: `node replan-child.ts JOURNAL LOG hang|end`. Its model adds a step named after the mode. It notes
// every step that it really sends and every call of the model, says `added step runs` once only that step is left, and
// prints how the run ended.
const [journal = "", log = "", mode = ""] = process.argv.slice(2);
const note = (line: string): void => appendFileSync(log, `${line}\n`);

const step = (id: string, dependsOn: readonly string[] = []) => ({
  id,
  agent: "worker",
  instruction: `do ${id}`,
  depends_on: [...dependsOn],
  expected_output: "",
});

const model: Model = {
  id: "writer",
  async *stream({ messages }): AsyncGenerator<ModelEvent> {
    const added = messages.some(
      (message) => message.role === "user" && message.text.includes("Step added-by-"),
    );
    note(`asked ${added ? 1 : 0}`);
    if (added) yield { type: "text-delta", text: "the answer" };
    else {
      const delta = JSON.stringify({ reason: "more", steps: [step(`added-by-${mode}`, ["a"])] });
      yield { type: "tool-call-start", callId: "1", name: ADD_STEPS };
      yield { type: "tool-call-delta", callId: "1", delta };
      yield { type: "tool-call-end", callId: "1" };
    }
    yield { type: "stop", reason: added ? "end" : "tool-calls" };
  },
};

const gateway = scriptedGateway(({ messageId }) => {
  const id = messageId.slice(messageId.indexOf("/") + 1, messageId.indexOf("#"));
  note(id);
  if (!id.startsWith("added-by-") || mode !== "hang") return {};
  process.stdout.write("added step runs\n");
  return { never: true };
}, systemClock);

const engine = openEmbeddedEngine({ path: journal });
// Keeps the process alive while the last step hangs: a promise alone does not.
const alive = setInterval(() => undefined, 60_000);
await engine.register(
  createDagDriver({
    gateway,
    eventLog: engine.events,
    model,
    replan: {
      team: async () => ({ agents: [agentEntry("worker", [])] }),
      normalize: (workflow) => normalizeWorkflow(workflow),
    },
  }),
);
const spec = normalizeWorkflow(
  workflowSchema.parse({
    version: 1,
    name: "kill",
    mode: "parallel",
    steps: [step("a"), step("b")],
    max_replans: 2,
  }),
);
await engine.start(spec, { objective: "survive" }, { runId: "run" });
const { response, steps } = await engine.result("run");
const plans: (readonly string[])[] = [];
for await (const { event } of engine.events.read("run", { from: 0, signal: new AbortController().signal }))
  if (event.type === "plan-update") plans.push(event.plan.steps.map(({ id }) => id));
const ended = {
  content: response.content,
  steps: steps.map(({ stepId, state }) => `${stepId} ${state}`),
  plans,
};
process.stdout.write(`${JSON.stringify(ended)}\n`);
clearInterval(alive);
await engine.close();
