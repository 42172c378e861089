// From the request to the first token of an answer through two A2A hops: agent, relay, client. Ours are
// two servers and two clients of ours; the peer's are two of the bare SDK. Both agents say the same.
import { bareHops } from "../lib/bare-hops.mjs";
import { built } from "../lib/built.mjs";
import { TOKEN } from "../lib/task.mjs";

const TOKENS = 8;
const EVERY_MS = 5;

export const unit = "ms";
export const pairs = 101;
// A server that has run for a while: with less, what is measured is how soon code is compiled.
export const warmup = 100;

let servers;
let outer;
let bare;

export async function prepare() {
  const { serveAgent, connectAgent, nodeFetch } = await built("server", "client", "node");
  const near = await serveAgent({ agent: agentOf("speaker", answered) });
  const inner = await connectAgent(near.url, { fetch: nodeFetch });
  const relay = ({ text }, { signal }) => inner.stream({ text }, { signal });
  const far = await serveAgent({ agent: agentOf("relay", relay) });
  servers = [far, near];
  outer = await connectAgent(far.url, { fetch: nodeFetch });
  bare = await bareHops(speak);
}

export const ours = () => firstToken(text(outer.stream({ text: "Speak." }, { signal })));
export const peer = () => firstToken(bare.ask());

export async function close() {
  await bare.close();
  for (const server of servers) await server.close();
}

const { signal } = new AbortController();

/** Milliseconds to the first token; the rest is read too, so that nothing runs on into the next. */
async function firstToken(chunks) {
  const asked = performance.now();
  let first;
  let answer = "";
  for await (const chunk of chunks) {
    if (chunk !== "") first ??= performance.now() - asked;
    answer += chunk;
  }
  if (answer !== TOKEN.repeat(TOKENS)) throw new Error(`not the answer: "${answer}"`);
  return first;
}

async function* text(events) {
  for await (const event of events) if (event.type === "text-delta") yield event.delta;
}

async function* speak() {
  for (let at = 0; at < TOKENS; at++) {
    yield TOKEN;
    await new Promise((resolve) => {
      setTimeout(resolve, EVERY_MS);
    });
  }
}

function agentOf(name, run) {
  return { profile: { name, title: name, description: "Speaks.", version: "1", skills: [] }, run };
}

async function* answered({ runId }) {
  let seq = 0;
  const at = () => ({ v: 1, runId, seq: seq++, attempt: 1, agent: "speaker" });
  const itemId = "answer";
  let content = "";
  yield { ...at(), type: "text-start", itemId, role: "answer" };
  for await (const delta of speak()) {
    content += delta;
    yield { ...at(), type: "text-delta", itemId, delta };
  }
  yield { ...at(), type: "text-end", itemId };
  const metadata = { user_input: "", input_fields: [] };
  const said = { is_task_complete: true, require_user_input: false, content, metadata };
  const response = { ...said, citations: [], data: null };
  yield { ...at(), type: "finish", outcome: "completed", response, answerItems: [itemId] };
}
