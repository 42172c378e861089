// How long a cancel takes to reach the last of 20 agents at work in one run: from the call to the moment at
// which that agent's own signal fires. Each agent is an A2A server of its own, the journal is on disk.
import { built } from "../lib/built.mjs";
import { emptyHome } from "../lib/troupe.mjs";

const AGENTS = 20;

export const unit = "ms";
export const pairs = 9;
export const warmup = 1;

const { home, remove } = emptyHome();
const names = Array.from({ length: AGENTS }, (_, at) => `worker-${at}`);
const work = { running: 0, aborted: 0, changed: () => undefined };
let orchestrator;
let servers = [];

export async function prepare() {
  const { createOrchestrator, serveAgent } = await built("orchestrator", "server");
  servers = await Promise.all(names.map((name) => serveAgent({ agent: waiting(name) })));
  const nobody = { id: "none", stream: neverAsked };
  const agents = servers.map((server) => server.url);
  orchestrator = await createOrchestrator({ agents, model: nobody, home });
}

export async function ours() {
  Object.assign(work, { running: 0, aborted: 0 });
  const task_id = crypto.randomUUID();
  const steps = names.map((agent) => ({ agent, instruction: "Wait." }));
  const ended = orchestrator.executeWorkflow(
    { task_id, description: "Wait." },
    { version: 1, name: "Wait", mode: "parallel", steps, final: "synthesize" },
  );
  await until(() => work.running === AGENTS);
  const start = performance.now();
  const told = await orchestrator.cancel(task_id, "enough");
  await until(() => work.aborted === AGENTS);
  const took = performance.now() - start;
  const { outcome } = await ended;
  if (told !== "accepted" || outcome !== "canceled") throw new Error(`${told}, ${outcome}`);
  return took;
}

export async function close() {
  await orchestrator.close();
  await Promise.all(servers.map((server) => server.close()));
  remove();
}

/** Works until it is told to stop. */
function waiting(name) {
  return {
    profile: { name, title: name, description: "Waits.", version: "1", skills: [] },
    async *run({ runId }, { signal }) {
      work.running++;
      work.changed();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      work.aborted++;
      work.changed();
      const response = {
        is_task_complete: false,
        require_user_input: false,
        content: "",
        metadata: { user_input: "", input_fields: [] },
        citations: [],
        data: null,
      };
      const at = { v: 1, runId, seq: 0, attempt: 1, agent: name };
      yield { ...at, type: "finish", outcome: "canceled", response, answerItems: [] };
    },
  };
}

function until(holds) {
  return new Promise((resolve) => {
    work.changed = () => holds() && resolve();
    work.changed();
  });
}

function neverAsked() {
  throw new Error("no model has a part in this");
}
