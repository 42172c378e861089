import { TaskState } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";

import {
  answering,
  asking,
  collect,
  heldAgent,
  plainClient,
  plainMessage,
  scriptedAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";
import { textOf } from "../wire/parts.ts";

/** Asks back twice before it answers. */
const asker = () =>
  scriptedAgent(({ text }) =>
    text === "three"
      ? answering(["done"])
      : asking("", { metadata: { user_input: true, question: `after ${text}?`, input_fields: [] } }),
  );

describe("a task of several turns", () => {
  it.each(["sent", "streamed"] as const)("keeps all that was said, in order, when it is %s", async (how) => {
    const agent = asker();
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      let taskId = "";
      for (const text of ["one", "two", "three"]) {
        const message = plainMessage(text, { taskId });
        if (how === "sent") taskId = taskOf(await client.sendMessage(message)).id;
        else
          for (const { payload } of await collect(client.sendMessageStream(message)))
            if (payload?.$case === "task") taskId = payload.value.id;
      }
      const task = await client.getTask({ id: taskId, tenant: "" });
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      const said = ["one", "after one?", "two", "after two?", "three"];
      expect(task.history.map(({ parts }) => textOf(parts))).toEqual(said);
      expect(agent.requests.map(({ history }) => history.map(({ text }) => text))).toEqual([
        [],
        said.slice(0, 2),
        said.slice(0, 4),
      ]);
    });
  });

  it("shows as much of its history as is asked for", async () => {
    await withServed({ agent: asker() }, async ({ url }) => {
      const client = await plainClient(url);
      const first = taskOf(await client.sendMessage(plainMessage("one")));
      const lengths = async (historyLength: number): Promise<readonly number[]> => {
        const { history } = await client.getTask({ id: first.id, tenant: "", historyLength });
        const { tasks } = await client.listTasks({
          tenant: "",
          contextId: first.contextId,
          status: TaskState.TASK_STATE_UNSPECIFIED,
          pageToken: "",
          statusTimestampAfter: undefined,
          historyLength,
        });
        return [history.length, ...tasks.map((task) => task.history.length)];
      };
      await client.sendMessage(plainMessage("two", { taskId: first.id }));
      expect(await lengths(0)).toEqual([0, 0]);
      expect(await lengths(2)).toEqual([2, 2]);
      expect(await lengths(9)).toEqual([3, 3]);
      const last = plainMessage("three", { taskId: first.id, configuration: { historyLength: 1 } });
      expect(taskOf(await client.sendMessage(last)).history.map(({ parts }) => textOf(parts))).toEqual([
        "three",
      ]);
      const streamed = await collect(
        client.sendMessageStream(plainMessage("three", { configuration: { historyLength: 0 } })),
      );
      expect(streamed[0]?.payload).toMatchObject({ $case: "task", value: { history: [] } });
    });
  });
});

describe("a message that is sent", () => {
  it("is answered when its turn is over, or at once where that is asked for", async () => {
    const { agent, goOn } = heldAgent();
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      const sent = { messageId: "m" };
      const configuration = { returnImmediately: true };
      const now = taskOf(await client.sendMessage(plainMessage("go", { ...sent, configuration })));
      expect(now.status?.state).toBe(TaskState.TASK_STATE_WORKING);
      // The same message again is the same task, and waits for its end.
      const later = client.sendMessage(plainMessage("go", sent));
      goOn();
      expect(taskOf(await later)).toMatchObject({
        id: now.id,
        status: { state: TaskState.TASK_STATE_COMPLETED },
      });
      expect(agent.requests).toHaveLength(1);
    });
  });
});
