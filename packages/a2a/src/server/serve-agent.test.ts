import { TaskState, type Artifact, type SendMessageRequest } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import {
  answering,
  captureWire,
  collect,
  plainClient,
  plainMessage,
  responseOf,
  scriptedAgent,
  withServed,
} from "../testing/index.ts";
import { checkArtifactStream } from "../wire/check-artifact-stream.ts";
import { dataOf, textOf, type WireEvent } from "../wire/parts.ts";

const signal = new AbortController().signal;

function artifacts(wire: readonly WireEvent[], name: string): readonly Artifact[] {
  return wire.flatMap((event) =>
    event.$case === "artifactUpdate" && event.value.artifact?.name === name ? [event.value.artifact] : [],
  );
}

function resultsOf(wire: readonly WireEvent[], name: string): readonly unknown[] {
  return artifacts(wire, name).flatMap((artifact) => dataOf(artifact.parts));
}

function endState(wire: readonly WireEvent[]): TaskState | undefined {
  const last = wire.at(-1);
  return last?.$case === "statusUpdate" ? last.value.status?.state : undefined;
}

describe("a served agent", () => {
  it.each(["JSONRPC", "HTTP+JSON"] as const)("gives our client over %s what it emitted", async (binding) => {
    const agent = scriptedAgent(() => answering(["Hello", " you"]));
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url, { binding });
      const events = await collect(remote.stream({ text: "hi" }, { signal }));
      const types = ["text-start", "text-delta", "text-delta", "text-end", "finish"];
      expect(events.map((event) => event.type)).toEqual(types);
      expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Hello you" } });
      expect(remote.profile).toEqual(agent.profile);
    });
  });

  it("sends the first chunk alone, the result by its name, and a short status to a plain client", async () => {
    const agent = scriptedAgent(() => answering(["a", "b", "c"]));
    await withServed({ agent }, async ({ url }) => {
      const wire = await captureWire(url, plainMessage("hi"));
      expect(checkArtifactStream(wire)).toEqual([]);
      expect(wire[0]?.$case).toBe("task");
      const text = artifacts(wire, "streaming_result");
      expect(text.map((artifact) => textOf(artifact.parts))).toEqual(["a", "bc"]);
      expect(new Set(text.map((artifact) => artifact.artifactId)).size).toBe(1);
      expect(text[0]?.metadata).toMatchObject({ is_final_answer: true });
      expect(resultsOf(wire, "final_result")).toMatchObject([{ content: "abc" }]);
      expect(endState(wire)).toBe(TaskState.TASK_STATE_COMPLETED);
    });
  });

  it("never calls a partial answer a final one", async () => {
    const agent = scriptedAgent(() => answering(["half"], "partial"));
    await withServed({ agent }, async ({ url }) => {
      const wire = await captureWire(url, plainMessage("hi"));
      expect(artifacts(wire, "final_result")).toEqual([]);
      expect(artifacts(wire, "partial_result")[0]?.metadata).toMatchObject({ outcome: "partial" });
      expect(endState(wire)).toBe(TaskState.TASK_STATE_COMPLETED);
      const events = await collect((await connectAgent(url)).stream({ text: "hi" }, { signal }));
      expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "partial" });
    });
  });

  it("marks what is forwarded from a step, and files as addresses", async () => {
    const step = { v: 1, runId: "r", attempt: 2, stepId: "find", agent: "rag-agent" } as const;
    const ref = {
      id: "f1",
      name: "deck.pptx",
      mediaType: "application/x-deck",
      bytes: 3,
      sha256: "0".repeat(64),
      url: "http://127.0.0.1:1/f1",
    };
    const agent = scriptedAgent(() => [
      { ...step, seq: 0, type: "text-start", itemId: "1", role: "open" },
      { ...step, seq: 1, type: "text-delta", itemId: "1", delta: "found" },
      { ...step, seq: 2, type: "text-end", itemId: "1" },
      { ...step, seq: 3, type: "text-role", itemId: "1", role: "answer" },
      {
        ...step,
        seq: 4,
        type: "finish",
        outcome: "completed",
        response: responseOf("found"),
        answerItems: ["1"],
      },
      { type: "artifact", artifact: ref },
      ...answering(["done"]),
    ]);
    await withServed({ agent }, async ({ url }) => {
      const wire = await captureWire(url, plainMessage("hi"));
      const [forwarded] = artifacts(wire, "streaming_result");
      expect(forwarded?.artifactId).toBe("find/2/1");
      expect(forwarded?.metadata).toMatchObject({ is_narration: true, plan_step_id: "find" });
      expect(resultsOf(wire, "complete_result")).toMatchObject([{ content: "found" }]);
      expect(artifacts(wire, "deck.pptx")[0]?.parts).toMatchObject([
        { content: { $case: "url", value: ref.url }, filename: ref.name, mediaType: ref.mediaType },
      ]);
    });
  });

  it("builds the request from the message: user, collection, earlier turns and metadata", async () => {
    const agent = scriptedAgent(() => answering(["one"]));
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const ask = { contextId: "c", userId: "ann", collectionId: "docs", metadata: { locale: "nb" } };
      await collect(remote.stream({ ...ask, text: "first" }, { signal }));
      await collect(remote.stream({ ...ask, text: "second" }, { signal }));
      expect(agent.requests[0]).toMatchObject({ history: [] });
      expect(agent.requests[1]).toMatchObject({
        text: "second",
        contextId: "c",
        userId: "ann",
        collectionId: "docs",
        metadata: { locale: "nb" },
        history: [
          { role: "user", text: "first" },
          { role: "agent", text: "one" },
        ],
      });
    });
  });

  it.each(["sent", "streamed"] as const)(
    "reads metadata of the request like that of the message, which wins, when it is %s",
    async (how) => {
      const agent = scriptedAgent(() => answering(["one"]));
      await withServed({ agent }, async ({ url }) => {
        const client = await plainClient(url);
        const ask = async (request: SendMessageRequest): Promise<unknown> =>
          how === "sent" ? client.sendMessage(request) : collect(client.sendMessageStream(request));
        const metadata = { collection: "docs", response_mode: "marker", locale: "nb" };
        const plain = plainMessage("first");
        await ask({ ...plain, metadata });
        const own = plainMessage("second");
        await ask({
          ...own,
          metadata,
          message: own.message && { ...own.message, metadata: { collection: "mine" } },
        });
        expect(agent.requests).toMatchObject([
          { collectionId: "docs", responseMode: "marker", metadata: { locale: "nb" } },
          { collectionId: "mine", responseMode: "marker", metadata: { locale: "nb" } },
        ]);
        await expect(ask({ ...plainMessage("third"), metadata: { collection: 5 } })).rejects.toThrow(
          "metadata.collection must be the name of a collection",
        );
      });
    },
  );

  it("asks for input, goes on with the reply in the same task, and keeps the turns apart", async () => {
    const request = {
      requestId: "q1",
      kind: "form",
      form: { title: "Which year?", description: "", fields: [] },
    } as const;
    const asked = responseOf("", {
      is_task_complete: false,
      require_user_input: true,
      metadata: { user_input: true, question: "Which year?", input_fields: [] },
    });
    const agent = scriptedAgent((asking) =>
      asking.reply === undefined
        ? [
            { type: "text-start", itemId: "answer", role: "open" },
            { type: "text-delta", itemId: "answer", delta: "Let me ask." },
            { type: "input-required", request },
            { type: "finish", outcome: "input-required", response: asked, answerItems: [] },
          ]
        : answering(["2026 it is"]),
    );
    await withServed({ agent }, async ({ url }) => {
      const wire = await captureWire(url, plainMessage("report"));
      expect(endState(wire)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      expect(artifacts(wire, "UserInputMetaData")).toHaveLength(1);
      expect(artifacts(wire, "final_result")).toEqual([]);
      const taskId = wire[0]?.$case === "task" ? wire[0].value.id : "";
      const remote = await connectAgent(url);
      const first = await collect(remote.join(taskId, { signal }));
      expect(first.slice(-2)).toMatchObject([
        { type: "input-required", request },
        { outcome: "input-required" },
      ]);
      const reply = { requestId: "q1", values: { year: 2026 } };
      const second = await collect(remote.stream({ taskId, reply }, { signal }));
      expect(second.map((event) => event.type)).toEqual(["text-start", "text-delta", "text-end", "finish"]);
      expect(agent.requests[1]).toMatchObject({
        reply,
        history: [
          { role: "user", text: "report" },
          { role: "agent", text: "Which year?" },
        ],
      });
      expect(await collect(remote.join(taskId, { signal }))).toEqual(second);
    });
  });
});
