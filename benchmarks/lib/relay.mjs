// An agent, an orchestrator before it, and a client of each: all real servers on loopback.
import { built } from "./built.mjs";
import { COMPLETE, TOKEN } from "./task.mjs";
import { emptyHome } from "./troupe.mjs";

const AGENT = "speaker";

/** One step whose answer is passed through as it comes: no planner and no synthesis has a part in it. */
const WORKFLOW = {
  version: 1,
  name: "Relay",
  steps: [{ agent: AGENT, instruction: "Speak." }],
  final: "passthrough",
};

/** Serves the agent alone and behind an orchestrator. `model` answers for the agent. */
export async function relay(model) {
  const loaded = await built("stream", "core", "orchestrator", "server", "client");
  const { createAgent, createOrchestrator, serveAgent, connectAgent } = loaded;
  const config = {
    agent_type: "bench",
    name: AGENT,
    title: "Speaker",
    description: "Speaks.",
    system_prompt: "",
  };
  const agent = createAgent({ ...config, system_prompt: "Speak." }, { model, tools: [] });
  const { home, remove } = emptyHome();
  const direct = await serveAgent({ agent });
  const nobody = { id: "none", stream: neverAsked };
  const orchestrator = await createOrchestrator({ agents: [direct.url], model: nobody, home });
  const relayed = await serveAgent({ agent: orchestrator.agent });
  const clients = { direct: await connectAgent(direct.url), relayed: await connectAgent(relayed.url) };
  const requests = {
    direct: { text: "Speak." },
    relayed: { text: "Speak.", metadata: { workflow: WORKFLOW } },
  };
  return {
    /** The events of one answer, `direct` from the agent or `relayed` through the orchestrator. */
    ask: (path) => clients[path].stream(requests[path], { signal: new AbortController().signal }),
    reduceTurn: loaded.reduceTurn,
    emptyTurn: loaded.emptyTurn,
    async close() {
      await relayed.close();
      await orchestrator.close();
      await direct.close();
      remove();
    },
  };
}

function neverAsked() {
  throw new Error("the model of the orchestrator has no part in this");
}

/** Says `text` in a `finish` call, whatever it is asked; the requests are put into `asked`. */
export function finishing(text, asked) {
  return {
    id: "finishing",
    async *stream(request) {
      asked.push(request);
      const callId = "finish";
      yield { type: "tool-call-start", callId, name: "finish" };
      yield { type: "tool-call-delta", callId, delta: JSON.stringify({ content: text, ...COMPLETE }) };
      yield { type: "tool-call-end", callId };
      yield { type: "stop", reason: "tool-calls" };
    },
  };
}

/** Writes an answer of so many tokens in a `finish` call: `burst` of them, then `everyMs` of nothing. */
export function pacedModel({ tokens, burst, everyMs }) {
  return {
    id: "paced",
    async *stream() {
      const callId = "finish";
      yield { type: "tool-call-start", callId, name: "finish" };
      yield { type: "tool-call-delta", callId, delta: '{"content":"' };
      for (let at = 0; at < tokens; at++) {
        yield { type: "tool-call-delta", callId, delta: TOKEN };
        if (at % burst === burst - 1) await pause(everyMs);
      }
      yield { type: "tool-call-delta", callId, delta: `",${JSON.stringify(COMPLETE).slice(1)}` };
      yield { type: "tool-call-end", callId };
      yield { type: "stop", reason: "tool-calls" };
    },
  };
}

function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
