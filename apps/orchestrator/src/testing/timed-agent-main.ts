import { appendFileSync } from "node:fs";

import { serveAgent } from "@troupe/a2a/server";
import { answering, scriptedAgent } from "@troupe/a2a/testing";
import { systemClock } from "@troupe/core";

// An agent as a process of its own, which notes each piece of work it begins: "take 500" has it say a word
// every 50 ms for so long, "wait" until it is told to stop.

const { AGENT_NAME = "timed-agent", AGENT_BEGUN = "" } = process.env;

const agent = scriptedAgent(
  async function* ({ delegation, runId }, { signal }) {
    const instruction = delegation?.instruction ?? "";
    appendFileSync(AGENT_BEGUN, `${instruction} ${runId}\n`);
    const [, ms = "0"] = /take (\d+)/.exec(instruction) ?? [];
    const words = instruction.startsWith("wait") ? Number.POSITIVE_INFINITY : Math.ceil(Number(ms) / 50);
    const said: string[] = [];
    yield { type: "text-start", itemId: "notes", role: "open" };
    for (let i = 0; i < words; i++) {
      await systemClock.sleep(50, signal);
      said.push(`${i}`);
      yield { type: "text-delta", itemId: "notes", delta: `${i} ` };
    }
    yield { type: "text-end", itemId: "notes" };
    yield* answering([`${instruction}: ${said.join(" ")}`]);
  },
  { name: AGENT_NAME },
);
const served = await serveAgent({ agent });
process.stdout.write(`${served.url}\n`);
