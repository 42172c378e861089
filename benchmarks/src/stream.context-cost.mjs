// What the answer of a sub-agent puts into the next step's prompt, over the length of that answer: a
// real workflow of two steps, two agents behind A2A servers, scripted models. The number is that for
// 20,000 characters; 359 and 2,000 are told on stderr, and held to 10 % or 200 characters as well.
import { built } from "../lib/built.mjs";
import { finishing } from "../lib/relay.mjs";
import { emptyHome } from "../lib/troupe.mjs";

const LENGTHS = [359, 2_000, 20_000];
/** What an answer is made of: more than one line, and characters that escaping would double. */
const PROSE = 'The pH of the lake is 7.4 ("neutral"), see [1].\n\n- Sampled at 3 m\tdepth \\ 12 °C\n';

export const unit = "characters";
export const pairs = 1;

let parts;
let added;

export async function prepare() {
  parts = await built("core", "orchestrator", "server");
  await run({ id: "silent", agent: silent() });
}

export async function ours() {
  for (const length of LENGTHS) {
    const answer = PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length - 1) + ".";
    const asked = [];
    const agent = await speaker("finder", answer, asked);
    const prompt = await run({ id: "finder", agent });
    if (!prompt.includes(answer)) throw new Error("the answer does not stand in the prompt as it was given");
    added = prompt.length - (await run()).length;
    const share = (added / length).toFixed(4);
    process.stderr.write(`answer of ${length} characters: ${added} in the next prompt, ratio ${share}\n`);
    if (added > length + Math.max(200, length / 10)) throw new Error("that is more than is allowed");
  }
  return added;
}

export const peer = () => LENGTHS.at(-1);

/** Runs the workflow, with the agent of a first step or without one, and gives the last step's prompt. */
async function run(first) {
  const { createOrchestrator, serveAgent } = parts;
  const { home, remove } = emptyHome();
  const asked = [];
  const agents = [...(first ? [first.agent] : []), await speaker("writer", "Done.", asked)].map(counted);
  const servers = await Promise.all(agents.map((agent) => serveAgent({ agent })));
  const urls = servers.map(({ url }) => url);
  const orchestrator = await createOrchestrator({ agents: urls, model: nobody, home });
  const steps = agents.map(({ profile }) => ({ agent: profile.name, instruction: "Do your part." }));
  try {
    const outcome = await orchestrator.executeWorkflow("Find it and write it up.", {
      version: 1,
      name: "Steps",
      steps,
      final: "passthrough",
    });
    if (outcome.outcome !== "completed") throw new Error(JSON.stringify(outcome.steps));
    for (const { profile, calls } of agents)
      if (calls() !== 1) throw new Error(`${profile.name} was called ${calls()} times, not once`);
    const [request] = asked;
    return [request.system, ...request.messages.map(({ text }) => text), JSON.stringify(request.tools)].join(
      "",
    );
  } finally {
    await orchestrator.close();
    await Promise.all(servers.map((server) => server.close()));
    remove();
  }
}

async function speaker(name, text, asked) {
  const config = { agent_type: "bench", name, title: name, description: "Works.", system_prompt: "Work." };
  return parts.createAgent(config, { model: finishing(text, asked), tools: [] });
}

function counted(agent) {
  let calls = 0;
  return {
    profile: agent.profile,
    run(request, options) {
      calls++;
      return agent.run(request, options);
    },
    calls: () => calls,
  };
}

/** Streams nothing at all: that is an answer too, and no reason to ask again. */
function silent() {
  const metadata = { user_input: "", input_fields: [] };
  const said = { is_task_complete: true, require_user_input: false, content: "", metadata };
  return {
    profile: { name: "silent", title: "Silent", description: "Says nothing.", version: "1", skills: [] },
    async *run({ runId }) {
      const at = { v: 1, runId, seq: 0, attempt: 1, agent: "silent" };
      const response = { ...said, citations: [], data: null };
      yield { ...at, type: "finish", outcome: "completed", response, answerItems: [] };
    },
  };
}

const nobody = {
  id: "none",
  stream() {
    throw new Error("the model of the orchestrator has no part in this");
  },
};
