// A workflow of three branches that take 0.8, 0.9 and 1 s, each on an A2A server of its own, with
// the journal on disk; the peer is the longest branch alone, asked directly.
import { built } from "../lib/built.mjs";
import { emptyHome } from "../lib/troupe.mjs";

export const unit = "ms";
export const pairs = 9;
export const warmup = 1;

const BRANCHES = { short: 800, middle: 900, long: 1000 };
const { home, remove } = emptyHome();
let orchestrator;
let servers = [];
let longest;

export async function prepare() {
  const { createOrchestrator, serveAgent, connectAgent } = await built("orchestrator", "server", "client");
  servers = await Promise.all(
    Object.entries(BRANCHES).map(([name, ms]) => serveAgent({ agent: sleeper(name, ms) })),
  );
  orchestrator = await createOrchestrator({
    agents: servers.map((server) => server.url),
    model: { id: "none", stream: joined },
    home,
  });
  longest = await connectAgent(servers[2].url);
}

export async function ours() {
  const start = performance.now();
  const outcome = await orchestrator.executeWorkflow("Wait.", {
    version: 1,
    name: "Three branches",
    mode: "parallel",
    steps: Object.keys(BRANCHES).map((agent) => ({ agent, instruction: "Wait.", expected_output: "" })),
    final: "synthesize",
  });
  const ms = performance.now() - start;
  if (outcome.steps.some((step) => step.outcome !== "completed"))
    throw new Error(JSON.stringify(outcome.steps));
  return ms;
}

export async function peer() {
  const start = performance.now();
  for await (const event of longest.stream({ text: "Wait." }, { signal: new AbortController().signal })) {
    if (event.type === "finish" && event.outcome !== "completed") throw new Error(event.outcome);
  }
  return performance.now() - start;
}

export async function close() {
  await orchestrator.close();
  await Promise.all(servers.map((server) => server.close()));
  remove();
}

function sleeper(name, ms) {
  return {
    profile: { name, title: name, description: "Waits.", version: "1", skills: [] },
    async *run({ runId }) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      const at = { v: 1, runId, attempt: 1, agent: name };
      yield { ...at, seq: 0, type: "text-start", itemId: "t", role: "answer" };
      yield { ...at, seq: 1, type: "text-delta", itemId: "t", delta: `${name} done` };
      yield { ...at, seq: 2, type: "text-end", itemId: "t" };
      yield {
        ...at,
        seq: 3,
        type: "finish",
        outcome: "completed",
        response: {
          is_task_complete: true,
          require_user_input: false,
          content: `${name} done`,
          metadata: { user_input: "", input_fields: [] },
          citations: [],
          data: null,
        },
        answerItems: ["t"],
      };
    },
  };
}

async function* joined() {
  yield { type: "text-delta", text: "All done." };
  yield { type: "stop", reason: "end" };
}
