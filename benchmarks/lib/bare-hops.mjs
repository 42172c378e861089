// Two hops of the bare SDK, written as its own examples are: DefaultRequestHandler on express, the
// SDK's client between them, no extension, no store but its own.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(import.meta.dirname, "../../packages/a2a/package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const { AgentCard, Role, TaskState } = await load("@a2a-js/sdk");
const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = await load("@a2a-js/sdk/server");
const { agentCardHandler, jsonRpcHandler, UserBuilder } = await load("@a2a-js/sdk/server/express");
const { ClientFactory } = await load("@a2a-js/sdk/client");
const { default: express } = await load("express");

/** `speak` gives the answer's chunks. Resolves with a client that streams text through both hops. */
export async function bareHops(speak) {
  const near = await serve("speaker", speak);
  const inner = await new ClientFactory().createFromUrl(near.url);
  const far = await serve("relay", () => textOf(inner.sendMessageStream(message("Speak."))));
  const outer = await new ClientFactory().createFromUrl(far.url);
  return {
    ask: () => textOf(outer.sendMessageStream(message("Speak."))),
    async close() {
      await far.close();
      await near.close();
    },
  };
}

async function* textOf(stream) {
  for await (const { payload } of stream) {
    if (payload?.$case !== "artifactUpdate") continue;
    for (const part of payload.value.artifact.parts)
      if (part.content?.$case === "text") yield part.content.value;
  }
}

async function serve(name, speak) {
  const app = express();
  const server = createServer(app);
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${server.address().port}`;
  const card = AgentCard.fromJSON({
    name,
    description: "Speaks.",
    version: "1",
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "s", name: "S", description: "", tags: [] }],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor(speak));
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function executor(speak) {
  return {
    async execute({ taskId, contextId, userMessage }, bus) {
      const ids = { taskId, contextId };
      const status = (state) => ({ state, message: undefined, timestamp: undefined });
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_WORKING),
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
        }),
      );
      let append = false;
      for await (const text of speak()) {
        const artifact = { artifactId: "answer", name: "answer", description: "", extensions: [] };
        bus.publish(
          AgentEvent.artifactUpdate({
            ...ids,
            artifact: { ...artifact, parts: [part(text)], metadata: undefined },
            append,
            lastChunk: false,
            metadata: undefined,
          }),
        );
        append = true;
      }
      const done = { ...ids, status: status(TaskState.TASK_STATE_COMPLETED), metadata: undefined };
      bus.publish(AgentEvent.statusUpdate(done));
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  };
}

function message(text) {
  return {
    tenant: "",
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [part(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

function part(text) {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}
