import { once } from "node:events";
import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";

import { TaskPushNotificationConfig, TaskState, type StreamResponse } from "@a2a-js/sdk";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { ClientFactory, type Client, type RequestOptions } from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { fromGrpcError } from "@a2a-js/sdk/errors/grpc";
import { A2AService } from "@a2a-js/sdk/server/grpc";
import { credentials, makeGenericClientConstructor, Metadata, status } from "@grpc/grpc-js";
import { freePort } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { runConformance } from "../conformance/index.ts";
import { serveAgent, type ServeAgentOptions, type ServedAgent } from "../server/index.ts";
import {
  answering,
  asking,
  heldAgent,
  plainMessage,
  scriptedAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";
import { textOf } from "../wire/parts.ts";
import { grpcBinding } from "./index.ts";

const overGrpc = new ClientFactory({
  transports: [new GrpcTransportFactory()],
  preferredTransports: ["GRPC"],
});

/** The SDK's own gRPC client at a served agent. */
async function withGrpc<T>(
  options: ServeAgentOptions,
  use: (client: Client, served: ServedAgent) => Promise<T>,
): Promise<T> {
  return withServed({ grpc: grpcBinding(), ...options }, async (served) =>
    use(await overGrpc.createFromUrl(served.url), served),
  );
}

const as = (who: string): RequestOptions => ({ serviceParameters: { authorization: who } });
const echo = scriptedAgent(({ text }) => answering(["You ", "said: ", text]));
const authenticate: ServeAgentOptions["authenticate"] = ({ authorization }) =>
  Promise.resolve(
    typeof authorization === "string" && authorization !== "nobody"
      ? { id: authorization, scopes: authorization === "reader" ? ["other"] : ["*"] }
      : undefined,
  );

async function all(stream: AsyncIterable<StreamResponse>): Promise<readonly StreamResponse[]> {
  const frames: StreamResponse[] = [];
  for await (const frame of stream) frames.push(frame);
  return frames;
}

/** Reads on to an update with this state; false when the stream ends before. */
async function nextState(stream: AsyncGenerator<StreamResponse, void>, state: TaskState): Promise<boolean> {
  for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
    const { payload } = next.value;
    if (payload?.$case === "statusUpdate" && payload.value.status?.state === state) return true;
  }
  return false;
}

describe("an agent over gRPC", () => {
  it("is on the card only when it is served", async () => {
    await withGrpc({ agent: echo }, async (_client, { url, grpcUrl }) => {
      const card: unknown = await (await fetch(`${url}/.well-known/agent-card.json`)).json();
      expect(card).toMatchObject({
        supportedInterfaces: expect.arrayContaining([
          { url: grpcUrl, protocolBinding: "GRPC", protocolVersion: "1.0" },
        ]) as unknown,
      });
    });
    await withServed({ agent: echo }, async ({ url }) => {
      const card = await (await fetch(`${url}/.well-known/agent-card.json`)).text();
      expect(card).not.toContain("GRPC");
    });
  });

  it("is on it in a form that the conformance suite takes", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ url }) => {
      const { findings } = await runConformance(url, { only: ["card.interfaces"] });
      expect(findings.map(({ outcome }) => outcome)).not.toContain("failed");
    });
  });

  it("sends, reads and lists tasks", async () => {
    await withGrpc({ agent: echo }, async (client) => {
      const sent = taskOf(await client.sendMessage(plainMessage("Hello")));
      expect(sent.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      const read = await client.getTask({ id: sent.id, tenant: "", historyLength: undefined });
      expect(textOf(read.artifacts.find(({ name }) => name === "streaming_result")?.parts ?? [])).toBe(
        "You said: Hello",
      );
      const { tasks, totalSize } = await client.listTasks({
        tenant: "",
        contextId: sent.contextId,
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: undefined,
        pageToken: "",
        historyLength: undefined,
        statusTimestampAfter: undefined,
        includeArtifacts: undefined,
      });
      expect([tasks.map(({ id }) => id), totalSize]).toEqual([[sent.id], 1]);
    });
  });

  it("streams text in order and ends with the state", async () => {
    await withGrpc({ agent: echo }, async (client) => {
      const frames = await all(client.sendMessageStream(plainMessage("Hello")));
      const text = frames.flatMap(({ payload }) =>
        payload?.$case === "artifactUpdate" && payload.value.artifact?.name === "streaming_result"
          ? [textOf(payload.value.artifact.parts)]
          : [],
      );
      expect(text.join("")).toBe("You said: Hello");
      expect(frames.at(0)?.payload?.$case).toBe("task");
      expect(frames.at(-1)?.payload).toMatchObject({
        $case: "statusUpdate",
        value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
      });
    });
  });

  it("lets a caller come back to a running task, and cancel it", async () => {
    const { agent } = heldAgent();
    await withGrpc({ agent }, async (client) => {
      const now = { returnImmediately: true };
      const { id } = taskOf(await client.sendMessage(plainMessage("Work", { configuration: now })));
      const stream = client.resubscribeTask({ id, tenant: "" });
      expect((await stream.next()).value).toMatchObject({ payload: { $case: "task", value: { id } } });
      const canceled = await client.cancelTask({ id, tenant: "", metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      const rest = await all(stream);
      expect(rest.at(-1)?.payload).toMatchObject({
        value: { status: { state: TaskState.TASK_STATE_CANCELED } },
      });
    });
  });

  it("keeps a subscription to a task that waits for a reply open until the task has ended", async () => {
    const agent = scriptedAgent(({ text }) => (text === "done" ? answering(["Bye."]) : asking()));
    await withGrpc({ agent }, async (client) => {
      const { id } = taskOf(await client.sendMessage(plainMessage("go")));
      const stream = client.resubscribeTask({ id, tenant: "" });
      const waiting = { status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } };
      expect((await stream.next()).value).toMatchObject({ payload: { $case: "task", value: waiting } });
      const nextTurn = nextState(stream, TaskState.TASK_STATE_INPUT_REQUIRED);
      await client.sendMessage(plainMessage("what?", { taskId: id }));
      expect(await nextTurn).toBe(true);
      const rest = all(stream);
      await client.sendMessage(plainMessage("done", { taskId: id }));
      expect((await rest).at(-1)?.payload).toMatchObject({
        value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
      });
    });
  });

  it("asks back, and takes the answer in the same task", async () => {
    const agent = scriptedAgent(({ text }) =>
      text === "Anna" ? answering(["Hello Anna."]) : asking("What is your name?"),
    );
    await withGrpc({ agent }, async (client) => {
      const asked = taskOf(await client.sendMessage(plainMessage("Greet me")));
      expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      const done = taskOf(await client.sendMessage(plainMessage("Anna", { taskId: asked.id })));
      expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    });
  });

  it("keeps push notification configs", async () => {
    await withGrpc({ agent: heldAgent().agent, push: true }, async (client) => {
      const now = { returnImmediately: true };
      const { id: taskId } = taskOf(await client.sendMessage(plainMessage("Work", { configuration: now })));
      const config = TaskPushNotificationConfig.fromJSON({
        taskId,
        id: "hook",
        url: "https://hooks.example/",
      });
      await client.createTaskPushNotificationConfig(config);
      const { url } = await client.getTaskPushNotificationConfig({ taskId, id: "hook", tenant: "" });
      expect(url).toBe("https://hooks.example/");
      const list = { taskId, tenant: "", pageSize: 0, pageToken: "" };
      expect((await client.listTaskPushNotificationConfig(list)).configs).toHaveLength(1);
      await client.deleteTaskPushNotificationConfig({ taskId, id: "hook", tenant: "" });
      expect((await client.listTaskPushNotificationConfig(list)).configs).toHaveLength(0);
    });
  });

  it("refuses what the other bindings refuse, with the status of gRPC and the reason of A2A", async () => {
    await withGrpc({ agent: echo }, async (client) => {
      await expect(
        client.getTask({ id: "none", tenant: "", historyLength: undefined }),
      ).rejects.toMatchObject({
        name: expect.stringContaining("TaskNotFound") as unknown,
        status: status.NOT_FOUND,
      });
      const { id } = taskOf(await client.sendMessage(plainMessage("x")));
      await expect(client.cancelTask({ id, tenant: "", metadata: undefined })).rejects.toMatchObject({
        name: expect.stringContaining("TaskNotCancelable") as unknown,
        status: status.FAILED_PRECONDITION,
      });
      const empty = plainMessage("x");
      if (empty.message) empty.message.parts = [];
      await expect(client.sendMessage(empty)).rejects.toMatchObject({
        status: status.INVALID_ARGUMENT,
        message: expect.stringContaining("message.parts is empty") as unknown,
      });
    });
  });

  it("speaks 1.0 only", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ grpcUrl = "" }) => {
      expect(await call(grpcUrl, Buffer.alloc(0))).toMatchObject({
        name: expect.stringContaining("VersionNotSupported") as unknown,
      });
    });
  });

  it("answers bytes that are no message, and values that are nested too deep, without an internal error", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ grpcUrl = "" }) => {
      expect(await call(grpcUrl, Buffer.from([0xff, 0xff, 0xff]), "1.0")).toMatchObject({
        status: status.INVALID_ARGUMENT,
      });
      for (const depth of [1_000, 10_000])
        expect(await call(grpcUrl, nested(depth), "1.0")).toMatchObject({ status: status.INVALID_ARGUMENT });
    });
  });
});

/** A `SendMessageRequest` whose metadata is nested so deep. */
function nested(depth: number): Buffer {
  const field = (tag: number, value: readonly Uint8Array[]): readonly Uint8Array[] => {
    const length = value.reduce((sum, { length: more }) => sum + more, 0);
    const head = new BinaryWriter().uint32(tag).uint32(length).finish();
    return [head, ...value];
  };
  const key = new BinaryWriter().uint32(10).string("a").finish();
  let struct: Uint8Array = new Uint8Array();
  for (let n = 0; n < depth; n++) struct = Buffer.concat(field(10, [key, ...field(18, field(42, [struct]))]));
  return Buffer.concat(field(34, [struct]));
}

/** Sends bytes as a message, and gives the error that they are answered with. */
async function call(address: string, bytes: Buffer, version?: string): Promise<unknown> {
  const Bytes = makeGenericClientConstructor({}, "bytes");
  const client = new Bytes(address, credentials.createInsecure());
  const metadata = new Metadata();
  if (version !== undefined) metadata.set("a2a-version", version);
  const asIs = (value: Buffer): Buffer => value;
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(A2AService.sendMessage.path, asIs, asIs, bytes, metadata, (error, answer) =>
        resolve(error === null ? answer : fromGrpcError(error)),
      );
    });
  } finally {
    client.close();
  }
}

/** The first frame of a stream that is opened again while a limit refuses it: that another was left may arrive later. */
async function firstOnceFree(
  open: () => AsyncGenerator<StreamResponse, void>,
): Promise<StreamResponse | undefined> {
  for (;;) {
    const stream = open();
    try {
      const { value } = await stream.next();
      return value ?? undefined;
    } catch (error) {
      const limited =
        error instanceof Error && "status" in error && error.status === status.RESOURCE_EXHAUSTED;
      if (!limited) throw error;
    } finally {
      await stream.return(undefined);
    }
  }
}

describe("callers over gRPC", () => {
  it("are asked who they are by the metadata, and see their own tasks alone", async () => {
    await withGrpc({ agent: echo, authenticate }, async (client) => {
      await expect(client.sendMessage(plainMessage("x"), as("nobody"))).rejects.toMatchObject({
        status: status.UNAUTHENTICATED,
      });
      await expect(client.sendMessage(plainMessage("x"))).rejects.toMatchObject({
        status: status.UNAUTHENTICATED,
      });
      await expect(client.sendMessage(plainMessage("x"), as("reader"))).rejects.toMatchObject({
        status: status.PERMISSION_DENIED,
        message: expect.stringContaining("agent:scripted-agent") as unknown,
      });
      const { id } = taskOf(await client.sendMessage(plainMessage("x"), as("ann")));
      const get = { id, tenant: "", historyLength: undefined };
      await expect(client.getTask(get, as("bob"))).rejects.toMatchObject({ status: status.NOT_FOUND });
      expect((await client.getTask(get, as("ann"))).id).toBe(id);
    });
  });

  it("share their limits with the other bindings", async () => {
    const { agent } = heldAgent();
    const limits = { streamsPerUser: 1 };
    await withGrpc({ agent, authenticate, limits }, async (client, { url }) => {
      const stream = client.sendMessageStream(plainMessage("x"), as("ann"));
      await stream.next();
      const exhausted = { status: status.RESOURCE_EXHAUSTED };
      await expect(client.sendMessage(plainMessage("y"), as("ann"))).rejects.toMatchObject(exhausted);
      const overHttp = await new ClientFactory().createFromUrl(url);
      await expect(overHttp.sendMessage(plainMessage("y"), as("ann"))).rejects.toThrow(/streams of yours/);
      const other = client.sendMessageStream(plainMessage("x"), as("bob"));
      expect((await other.next()).value).toMatchObject({ payload: { $case: "task" } });
      const list = client.getTask({ id: "none", tenant: "", historyLength: undefined }, as("ann"));
      await expect(list).rejects.toMatchObject({ status: status.NOT_FOUND });
      await stream.return(undefined);
      await other.return(undefined);
    });
  });

  it("give their place back when they leave a stream", async () => {
    const { agent } = heldAgent();
    await withGrpc({ agent, limits: { streamsPerUser: 1 } }, async (client) => {
      const first = client.sendMessageStream(plainMessage("x"));
      await first.next();
      await first.return(undefined);
      expect(await firstOnceFree(() => client.sendMessageStream(plainMessage("x")))).toBeDefined();
    });
  });

  it("give their place back when they leave the subscription to a task that waits", async () => {
    const agent = scriptedAgent(() => asking());
    await withGrpc({ agent, limits: { streamsPerUser: 1 } }, async (client) => {
      const { id } = taskOf(await client.sendMessage(plainMessage("x")));
      const first = client.resubscribeTask({ id, tenant: "" });
      await first.next();
      const refused = client.resubscribeTask({ id, tenant: "" }).next();
      await expect(refused).rejects.toMatchObject({ status: status.RESOURCE_EXHAUSTED });
      await first.return(undefined);
      const again = await firstOnceFree(() => client.resubscribeTask({ id, tenant: "" }));
      expect(again).toMatchObject({ payload: { $case: "task", value: { id } } });
    });
  });

  it("send no more than a message may have", async () => {
    await withGrpc({ agent: echo, limits: { bodyBytes: 2_000, parts: 2 } }, async (client) => {
      await expect(client.sendMessage(plainMessage("x".repeat(3_000)))).rejects.toMatchObject({
        status: status.RESOURCE_EXHAUSTED,
      });
      const many = plainMessage("x");
      if (many.message) many.message.parts = [1, 2, 3].flatMap(() => plainMessage("x").message?.parts ?? []);
      await expect(client.sendMessage(many)).rejects.toMatchObject({ status: status.INVALID_ARGUMENT });
    });
  });
});

describe("the port of gRPC", () => {
  it("is refused where it is taken, and nothing else stays open", async () => {
    await withServed({ agent: echo, grpc: grpcBinding() }, async ({ grpcUrl = "" }) => {
      const port = Number(grpcUrl.split(":").at(-1));
      await expect(serveAgent({ agent: echo, grpc: grpcBinding({ port }) })).rejects.toThrow(
        `Cannot listen on port ${port} on 127.0.0.1: it is taken.`,
      );
    });
  });

  it("opens before that of HTTP, which answers no call before it is complete", async () => {
    const port = await freePort();
    let early: unknown;
    const grpc: ReturnType<typeof grpcBinding> = {
      async open(options) {
        early = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => "refused");
        return grpcBinding().open(options);
      },
    };
    await withServed({ agent: echo, port, grpc }, () => Promise.resolve());
    expect(early).toBe("refused");
  });

  it("is closed again where that of HTTP is taken", async () => {
    await withServed({ agent: echo }, async ({ url }) => {
      const grpcPort = await freePort();
      const grpc = grpcBinding({ port: grpcPort });
      const port = Number(new URL(url).port);
      await expect(serveAgent({ agent: echo, port, grpc })).rejects.toThrow("it is taken");
      await withServed({ agent: echo, grpc }, ({ grpcUrl }) => {
        expect(grpcUrl).toBe(`127.0.0.1:${grpcPort}`);
        return Promise.resolve();
      });
    });
  });

  it("closes with the agent, also while a connected peer reads nothing", async () => {
    const served = await serveAgent({ agent: echo, grpc: grpcBinding() });
    const socket = connectSocket(Number(served.grpcUrl?.split(":").at(-1)), "127.0.0.1");
    await once(socket, "connect");
    // A call that is answered shows that the server has accepted the connection before it, too.
    await (await overGrpc.createFromUrl(served.url)).sendMessage(plainMessage("Hello"));
    await expect(served.close()).resolves.toBeUndefined();
    socket.destroy();
  });

  it("closes with the agent, also while a stream runs and a connection stays open", async () => {
    const { agent } = heldAgent();
    const served = await serveAgent({ agent, grpc: grpcBinding() });
    const session = connect(`http://${served.grpcUrl}`);
    const client = await overGrpc.createFromUrl(served.url);
    const stream = client.sendMessageStream(plainMessage("x"));
    await stream.next();
    const rest = all(stream);
    await served.close();
    expect((await rest).at(-1)?.payload).toMatchObject({
      value: { status: { state: TaskState.TASK_STATE_FAILED } },
    });
    session.destroy();
    await expect(client.sendMessage(plainMessage("y"))).rejects.toMatchObject({ status: status.UNAVAILABLE });
  });
});
