import { appendFileSync } from "node:fs";

import { systemClock } from "@troupe/core";

import { serveAgent } from "../server/index.ts";
import { openPostgresTaskStore } from "../store/postgres/index.ts";
import { answering, scriptedAgent } from "./scripted-agent.ts";

// One replica of an agent, as a process that a test can kill: `count N` says N words with a rest after
// each, `wait` says one and waits to be canceled, `ignore` does not even hear of that.

const { REPLICA_DATABASE = "", REPLICA_RUNS = "", REPLICA_SCHEMA = "troupe" } = process.env;
const handOver = process.env["REPLICA_HAND_OVER"] === "true";

const agent = scriptedAgent(async function* ({ text, runId, recovered }, { signal }) {
  appendFileSync(REPLICA_RUNS, `${runId}${recovered === true ? " again" : ""}\n`);
  const words = text.startsWith("count") ? Number(text.slice("count".length)) : 1;
  yield { type: "text-start", itemId: "answer", role: "answer" };
  let said = "";
  for (let i = 0; i < words; i++) {
    const delta = `${i} `;
    said += delta;
    yield { type: "text-delta", itemId: "answer", delta };
    await systemClock.sleep(5);
  }
  if (!text.startsWith("count")) {
    await new Promise<void>((resolve) => {
      if (text === "wait") signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return;
  }
  yield* answering([said]).slice(-2);
});
const store = await openPostgresTaskStore({ connectionString: REPLICA_DATABASE, schema: REPLICA_SCHEMA });
const served = await serveAgent({ agent, store, handOver });
process.stdout.write(`${served.url}\n`);
