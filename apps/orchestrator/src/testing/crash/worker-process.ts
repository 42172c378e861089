import { appendFileSync } from "node:fs";
import { join } from "node:path";

import { serveAgent } from "@troupe/a2a/server";
import { openSqliteTaskStore } from "@troupe/a2a/sqlite";
import { silentLog, systemClock, type AgentRequest, type RunnableAgent } from "@troupe/core";
import { homeArtifacts } from "@troupe/service";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";

import { answerOf, fileBytes, fileName, workOf, type Work } from "./work.ts";
import { BEGUN_FILE } from "./worker-files.ts";

// An agent as a process, to be killed: `node worker-process.ts HOME PORT NAME`. Served as every agent is, with
// its tasks on SQLite; it does what it is told in words and notes each time it begins.
const [home = "", port = "0", name = "worker"] = process.argv.slice(2);
let url = "";
const files = homeArtifacts({ home, baseUrl: () => url, log: silentLog, authenticated: false });

async function* work(request: AgentRequest, signal: AbortSignal): AsyncGenerator<AgentEventBody> {
  const { delegation, reply } = request;
  const asked = workOf(delegation?.instruction ?? request.text);
  // Written before anything is done, so that what was begun twice shows.
  appendFileSync(join(home, BEGUN_FILE), `${asked.key} ${reply === undefined ? "task" : "reply"}\n`);
  yield { type: "text-start", itemId: "note", role: "open" };
  yield { type: "text-delta", itemId: "note", delta: "Working." };
  yield { type: "text-role", itemId: "note", role: "narration" };
  yield { type: "text-end", itemId: "note" };
  await systemClock.sleep(asked.pauseMs, signal);
  if (asked.asks && reply === undefined) yield* ask(asked);
  else yield* answer(asked, request.userId ?? "", saidIn(reply));
}

async function* ask({ key }: Work): AsyncGenerator<AgentEventBody> {
  const field = {
    field_name: "word",
    field_label: "Word",
    field_description: "",
    field_type: "text",
  } as const;
  const rest = { field_values: [], default_value: null, placeholder: "", required: true };
  const form = { title: key, description: "", fields: [{ ...field, ...rest }] };
  yield { type: "input-required", request: { requestId: "word", kind: "form", form } };
  const response = { ...EMPTY_RESPONSE, require_user_input: true, content: "Which word?" };
  yield { type: "finish", outcome: "input-required", response, answerItems: [] };
}

async function* answer(asked: Work, owner: string, said: string | undefined): AsyncGenerator<AgentEventBody> {
  if (asked.makesFile) {
    const about = { name: fileName(asked), mediaType: "text/plain", owner };
    yield { type: "artifact", artifact: await files.store.put(fileBytes(asked), about) };
  }
  const content = answerOf(asked, said);
  yield { type: "text-start", itemId: "answer", role: "answer" };
  yield { type: "text-delta", itemId: "answer", delta: content };
  yield { type: "text-end", itemId: "answer" };
  const response = { ...EMPTY_RESPONSE, is_task_complete: true, content };
  yield { type: "finish", outcome: "completed", response, answerItems: ["answer"] };
}

function saidIn(reply: AgentRequest["reply"]): string | undefined {
  const word = reply !== undefined && "values" in reply ? reply.values["word"] : undefined;
  return typeof word === "string" ? word : undefined;
}

const agent: RunnableAgent = {
  profile: { name, title: name, description: "Works until it is killed.", version: "1.0.0", skills: [] },
  async *run(request, { signal }): AsyncGenerator<AgentEvent> {
    let seq = 0;
    for await (const body of work(request, signal))
      yield { v: EVENT_VERSION, runId: request.runId, seq: seq++, attempt: 1, agent: name, ...body };
  },
};
const store = openSqliteTaskStore({ path: join(home, "tasks.db"), clock: systemClock });
const served = await serveAgent({
  agent,
  store,
  port: Number(port),
  files: files.store,
  openRoutes: (app) => files.openRoutes(app),
  routes: (app) => files.routes(app),
});
url = served.url;
process.stdout.write(`${url}\n`);
