// The bare SDK as a process: `node serve.mjs memory|database [FILE]`. As its own examples have it:
// DefaultRequestHandler and one of its stores behind its express handlers, and an executor that publishes.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

import { AgentCard, TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { Kysely, SqliteDialect } from "kysely";

import { report } from "../../lib/a2a/child.mjs";
import { chunksOf, snapshotsOf, workOf } from "../../lib/a2a/work.mjs";

const [kind, file] = process.argv.slice(2);
const app = express();
const server = createServer(app);
await new Promise((resolve) => {
  server.listen(0, "127.0.0.1", resolve);
});
const url = `http://127.0.0.1:${server.address().port}`;
const card = AgentCard.fromJSON({
  name: "bench-agent",
  description: "Does what it is asked.",
  version: "1",
  supportedInterfaces: [{ url: `${url}/a2a/jsonrpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "", tags: [] }],
});
const store = kind === "memory" ? new InMemoryTaskStore() : await databaseStore();
const executor = { execute, cancelTask: () => Promise.resolve() };
const requestHandler = new DefaultRequestHandler(card, store, executor);
app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
app.use("/a2a/jsonrpc", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
report(url);

async function execute({ taskId, contextId, userMessage }, bus) {
  const work = workOf(userMessage.parts[0].content.value);
  const ids = { taskId, contextId };
  const status = (state) => ({ state, message: undefined, timestamp: new Date().toISOString() });
  const task = { id: taskId, contextId, status: status(TaskState.TASK_STATE_WORKING) };
  bus.publish(AgentEvent.task({ ...task, artifacts: [], history: [userMessage], metadata: undefined }));
  const artifact = {
    artifactId: "answer",
    name: "answer",
    description: "",
    extensions: [],
    metadata: undefined,
  };
  const update = (text, append) =>
    bus.publish(
      AgentEvent.artifactUpdate({
        ...ids,
        artifact: { ...artifact, parts: [part(text)] },
        append,
        lastChunk: false,
        metadata: undefined,
      }),
    );
  if (work.snapshots === undefined) {
    let append = false;
    for await (const text of chunksOf(work)) {
      update(text, append);
      append = true;
    }
  } else for await (const text of snapshotsOf(work)) update(text, false);
  const done = { ...ids, status: status(TaskState.TASK_STATE_COMPLETED), metadata: undefined };
  bus.publish(AgentEvent.statusUpdate(done));
  bus.finished();
}

function part(text) {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}

/** The table and the indexes are those of its migrations. */
async function databaseStore() {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
    CREATE TABLE tasks (
      tenant VARCHAR(255) NOT NULL, owner VARCHAR(255) NOT NULL, id VARCHAR(36) NOT NULL,
      context_id VARCHAR(36) NOT NULL, status_last_updated BIGINT NOT NULL, status_state VARCHAR(255),
      status TEXT, artifacts TEXT, history TEXT, metadata TEXT, protocol_version VARCHAR(255),
      CONSTRAINT tasks_pkey PRIMARY KEY (tenant, owner, id)
    );
    CREATE INDEX tasks_scope_updated_idx ON tasks (tenant, owner, status_last_updated, id);
    CREATE INDEX tasks_scope_context_updated_idx ON tasks (tenant, owner, context_id, status_last_updated, id);`);
  return new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database: asBetterSqlite(db) }) }));
}

/** node:sqlite in the shape that kysely's dialect expects: both stores stand on the same engine. */
function asBetterSqlite(db) {
  return {
    close: () => db.close(),
    prepare(sql) {
      const statement = db.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (args) => statement.all(...args),
        run: (args) => statement.run(...args),
        iterate: (args) => statement.iterate(...args),
      };
    },
  };
}
