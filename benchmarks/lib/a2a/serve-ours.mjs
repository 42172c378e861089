// Ours as a process: `node serve-ours.mjs memory|sqlite [FILE]`. An agent that does the work it is asked,
// served as every agent is, from what was built.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { report } from "./child.mjs";
import { chunksOf, snapshotsOf, workOf } from "./work.mjs";

const packages = join(import.meta.dirname, "../../../packages");
const load = (path) => import(pathToFileURL(join(packages, path)).href);

const { serveAgent } = await load("a2a/dist/server/index.js");
const { systemClock } = await load("core/dist/index.js");

const [kind, file] = process.argv.slice(2);
const name = "bench-agent";
const agent = {
  profile: { name, title: "Bench", description: "Does what it is asked.", version: "1", skills: [] },
  run: answered,
};
const { url } = await serveAgent({ agent, ...(await storeOf(kind)) });
report(url);

/** The default store is what a user gets who names none. */
async function storeOf(which) {
  if (which === "memory") return {};
  const { openSqliteTaskStore } = await load("a2a/dist/store/sqlite/index.js");
  return { store: openSqliteTaskStore({ path: file, clock: systemClock }) };
}

async function* answered({ runId, text }) {
  const work = workOf(text);
  let seq = 0;
  const at = () => ({ v: 1, runId, seq: seq++, attempt: 1, agent: name });
  const itemId = "answer";
  let content = "";
  if (work.snapshots === undefined) {
    yield { ...at(), type: "text-start", itemId, role: "answer" };
    for await (const delta of chunksOf(work)) {
      content += delta;
      yield { ...at(), type: "text-delta", itemId, delta };
    }
    yield { ...at(), type: "text-end", itemId };
  } else {
    // It stands twice in an update: for clients of ours, and for every client.
    for await (const instruction of snapshotsOf({ ...work, bytes: work.bytes / 2 })) {
      const step = { id: "step", kind: "agent", agent: "", instruction, dependsOn: [] };
      yield { ...at(), type: "plan-update", plan: { name: "Plan", steps: [step] } };
    }
  }
  const metadata = { user_input: "", input_fields: [] };
  const said = { is_task_complete: true, require_user_input: false, content, metadata };
  const response = { ...said, citations: [], data: null };
  yield {
    ...at(),
    type: "finish",
    outcome: "completed",
    response,
    answerItems: content === "" ? [] : [itemId],
  };
}
