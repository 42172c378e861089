// CPU of an answer of 2,000 tokens through agent, orchestrator and client, over the same answer from
// the agent to the client directly. Everything runs in this process, so its CPU is all there is.
import { cpuPerRun } from "../lib/cpu.mjs";
import { pacedModel, relay } from "../lib/relay.mjs";
import { sized } from "../lib/smoke.mjs";
import { TOKEN } from "../lib/task.mjs";

const TOKENS = sized(2_000, 100);
/** 500 tokens a second: a fast model, so that gathering text on the way helps no more than it must. */
const PACE = { burst: 5, everyMs: 10 };

export const unit = "ms";
export const pairs = 9;
export const warmup = 2;

let path;

export async function prepare() {
  path = await relay(pacedModel({ tokens: TOKENS, ...PACE }));
}

export const ours = async () => (await cpuPerRun(() => read("relayed"), 1)) / 1_000;
export const peer = async () => (await cpuPerRun(() => read("direct"), 1)) / 1_000;
export const close = () => path.close();

/** As a client does that shows a turn: every event is reduced. */
async function read(by) {
  let turn = path.emptyTurn;
  for await (const event of path.ask(by)) turn = path.reduceTurn(turn, event);
  if (turn.outcome !== "completed" || turn.content !== TOKEN.repeat(TOKENS))
    throw new Error(`${by}: ${turn.outcome}, ${turn.content.length} characters, ${turn.error?.message}`);
}
