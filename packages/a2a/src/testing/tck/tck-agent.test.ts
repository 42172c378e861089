import { TaskState } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { dataOf, textOf } from "../../wire/parts.ts";
import { plainClient, plainMessage, taskOf } from "../capture.ts";
import { withServed } from "../with-served.ts";
import { tckAgent, tckTaskStore } from "./tck-agent.ts";

const served = () => ({ agent: tckAgent(), store: tckTaskStore({ clock: virtualClock() }) });

it.each([
  ["tck-complete-task-1", TaskState.TASK_STATE_COMPLETED],
  ["tck-input-required-1", TaskState.TASK_STATE_INPUT_REQUIRED],
  ["tck-reject-task-1", TaskState.TASK_STATE_REJECTED],
])("leaves the task of %s in its state", async (messageId, state) => {
  await withServed(served(), async ({ url }) => {
    const client = await plainClient(url);
    expect(taskOf(await client.sendMessage(plainMessage("x", { messageId }))).status?.state).toBe(state);
  });
});

it.each([
  ["tck-artifact-text-1", ["Generated text content"], []],
  ["tck-stream-artifact-chunked-1", ["chunk-1 chunk-2"], []],
  ["tck-artifact-data-1", [], [{ key: "value", count: 42 }]],
])("makes the artifacts of %s", async (messageId, texts, data) => {
  await withServed(served(), async ({ url }) => {
    const client = await plainClient(url);
    const { artifacts } = taskOf(await client.sendMessage(plainMessage("x", { messageId })));
    expect(artifacts.map(({ parts }) => textOf(parts))).toEqual(expect.arrayContaining(texts));
    expect(artifacts.flatMap(({ parts }) => dataOf(parts))).toEqual(expect.arrayContaining(data));
  });
});

it("names the file of a file scenario", async () => {
  await withServed(served(), async ({ url }) => {
    const client = await plainClient(url);
    const message = plainMessage("x", { messageId: "tck-artifact-file-url-1" });
    const parts = taskOf(await client.sendMessage(message)).artifacts.flatMap((artifact) => artifact.parts);
    expect(parts).toContainEqual(
      expect.objectContaining({
        filename: "output.txt",
        mediaType: "text/plain",
        content: { $case: "url", value: "https://example.com/output.txt" },
      }),
    );
  });
});

it("answers with a message where the scenario asks for one", async () => {
  await withServed(served(), async ({ url }) => {
    const client = await plainClient(url);
    const answer = await client.sendMessage(plainMessage("x", { messageId: "tck-message-response-1" }));
    expect(textOf("parts" in answer ? answer.parts : [])).toBe("Direct message response");
  });
});

it("takes a message id that came before for a new message", async () => {
  await withServed(served(), async ({ url }) => {
    const client = await plainClient(url);
    const message = () => plainMessage("x", { messageId: "tck-complete-task-1" });
    const first = taskOf(await client.sendMessage(message()));
    expect(taskOf(await client.sendMessage(message())).id).not.toBe(first.id);
  });
});
