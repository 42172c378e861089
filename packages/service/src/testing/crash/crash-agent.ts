import { appendFileSync } from "node:fs";
import { join } from "node:path";

import { serveAgent } from "@troupe/a2a/server";
import { openSqliteTaskStore } from "@troupe/a2a/sqlite";
import { createAgent, defineTool, systemClock, type Model, type ModelRequest } from "@troupe/core";
import { z } from "zod";

import { newId } from "../../adapters/new-id.ts";
import { artifactHandler } from "../../artifacts/http/artifact-handler.ts";
import { fileArtifactStore } from "../../artifacts/file-artifact-store.ts";
import { makeHome } from "../../home/make-home.ts";
import { createLog } from "../../log/create-log.ts";
import { answerPieces, fileChunks, fileName, workOf } from "./crash-work.ts";
import { RUNS_FILE } from "./runs-file.ts";

// An agent as a process, to be killed: `node crash-agent.ts HOME PORT`. The loop, the tasks on SQLite and
// the files are those of every agent; its model plays what the request says, with pauses to be killed in.
const [home = "", port = "0"] = process.argv.slice(2);
makeHome(home);
const log = createLog({ level: "warn", name: "crash-agent" });
let url = "";
const artifacts = fileArtifactStore({ dir: join(home, "artifacts"), baseUrl: () => url, newId });

const makeFile = defineTool({
  name: "make_file",
  description: "Makes one file.",
  input: z.object({ words: z.string(), index: z.number().int() }),
  async execute({ words, index }) {
    const work = workOf(words);
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for (const chunk of fileChunks(work, index)) {
        yield chunk;
        await systemClock.sleep(work.pauseMs);
      }
    }
    const name = fileName(work, index);
    const ref = await artifacts.put(slowly(), { name, mediaType: "application/octet-stream", owner: "" });
    return { text: `Made ${name}.`, artifacts: [ref] };
  },
});

const FINISH = {
  is_task_complete: true,
  require_user_input: false,
  user_input: "",
  input_fields: [],
  citation_ids: [],
  chart_ids: [],
};

const model: Model = {
  id: "crash",
  async *stream({ messages }) {
    const words = askedIn(messages);
    const work = workOf(words);
    const made = messages.filter(({ role }) => role === "tool").length;
    const callId = `call-${made}`;
    if (made < work.files) {
      yield { type: "text-delta", text: `Making file ${made}.` };
      yield { type: "tool-call-start", callId, name: "make_file" };
      yield { type: "tool-call-delta", callId, delta: JSON.stringify({ words, index: made }) };
    } else {
      yield { type: "tool-call-start", callId, name: "finish" };
      yield { type: "tool-call-delta", callId, delta: '{"content":"' };
      for (const piece of answerPieces(work)) {
        yield { type: "tool-call-delta", callId, delta: JSON.stringify(piece).slice(1, -1) };
        await systemClock.sleep(work.pauseMs);
      }
      yield { type: "tool-call-delta", callId, delta: `",${JSON.stringify(FINISH).slice(1)}` };
    }
    yield { type: "tool-call-end", callId };
    yield { type: "stop", reason: "tool-calls" };
  },
};

function askedIn(messages: ModelRequest["messages"]): string {
  const said = messages.findLast(({ role }) => role === "user");
  return said?.role === "user" ? (said.text.split("\n").find((line) => line.startsWith("make ")) ?? "") : "";
}

const inner = createAgent(
  {
    agent_type: "crash",
    name: "crash-agent",
    title: "Crash agent",
    description: "Makes files until it is killed.",
    system_prompt: "Make what is asked.",
  },
  { model, tools: [makeFile], log },
);
const store = openSqliteTaskStore({ path: join(home, "tasks.db"), clock: systemClock });
const served = await serveAgent({
  agent: {
    ...inner,
    run(request, options) {
      // Written before anything is done, so that a run that was begun twice shows.
      appendFileSync(join(home, RUNS_FILE), `${request.runId}\n`);
      return inner.run(request, options);
    },
  },
  store,
  port: Number(port),
  log,
  routes: (app) => void app.use(artifactHandler(artifacts, { log })),
});
url = served.url;
process.stdout.write(`${url}\n`);
