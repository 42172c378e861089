// A process with an orchestrator's engine in it, and how much memory it takes:
// node waiting-child.mjs WORKFLOW-PACKAGE JOURNAL RUNS; prints one JSON line for each look, on a line of stdin.
import { createInterface } from "node:readline";

const [entry, path, count] = process.argv.slice(2);
const { openEmbeddedEngine, createDagDriver, normalizeWorkflow, workflowSchema } = await import(entry);

const fields = [{ field_name: "topic", field_label: "Topic", field_description: "What it is about." }];
const steps = [
  { id: "person", kind: "human", instruction: "What is it about?", form: { title: "Topic", fields } },
  { id: "agent", agent: "asker", instruction: "Ask back. ".repeat(20) },
  { id: "after", agent: "asker", instruction: "Go on.", depends_on: ["person", "agent"] },
];
const spec = normalizeWorkflow(
  workflowSchema.parse({ version: 1, name: "Two questions", mode: "parallel", steps }),
);
const request = { requestId: "q", kind: "form", form: { title: "More", description: "", fields: [] } };
const gateway = {
  send: async (_agent, { messageId }) => ({ taskId: messageId }),
  await: async (agent) => ({
    agent,
    outcome: "input-required",
    answer: "I need to know more. ".repeat(20),
    data: null,
    citations: [],
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    request,
  }),
  cancel: async () => undefined,
};

const say = (what) =>
  process.stdout.write(`${JSON.stringify({ ...what, rss: process.memoryUsage().rss })}\n`);
const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
const told = () => lines.next();

const engine = openEmbeddedEngine({ path });
const began = performance.now();
await engine.register(createDagDriver({ gateway, eventLog: engine.events }));
say({ registerMs: performance.now() - began });

await told();
const ids = Array.from({ length: Number(count) }, (_, at) => `run-${at}`);
const objective = "Find out what it is about and write it down. ".repeat(5);
for (let at = 0; at < ids.length; at += 50)
  await Promise.all(ids.slice(at, at + 50).map((runId) => engine.start(spec, { objective }, { runId })));
await waitAll();
say({ waiting: ids.length });

await told();
say({ waiting: ids.length });
await told();
await engine.close();
process.exit(0);

/** Until every run asks both questions. */
async function waitAll() {
  for (const runId of ids) {
    for (;;) {
      const { requests = [] } = (await engine.get(runId)) ?? {};
      if (requests.length === 2) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
