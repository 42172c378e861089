import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import type { AgentEvent } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { encodeRun } from "../testing/encode-run.ts";
import {
  answering,
  artifactExecutor,
  asking,
  captureWire,
  collect,
  plainClient,
  plainMessage,
  responseOf,
  scriptedAgent,
  servePlainAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";
import { checkArtifactStream } from "../wire/check-artifact-stream.ts";
import { dataOf, textOf } from "../wire/parts.ts";

const signal = new AbortController().signal;
const forecast = { days: [{ day: "Monday", degrees: 21 }] };

describe("an agent that replies with messages", () => {
  const agent = Object.assign(
    scriptedAgent(({ text }) => {
      if (text === "ask") return asking("Which day?");
      return [
        {
          type: "finish",
          outcome: text === "fail" ? "failed" : "completed",
          response: responseOf("It is sunny.", { data: forecast }),
          answerItems: [],
        },
      ];
    }),
    { repliesWith: ({ text }: { readonly text: string }) => (text === "long" ? "task" : "message") } as const,
  );

  it("answers with one message that holds text and data, and without a task", async () => {
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      for (const returnImmediately of [false, true]) {
        const answer = await client.sendMessage(
          plainMessage("weather", { contextId: "c", configuration: { returnImmediately } }),
        );
        expect(answer).toMatchObject({ taskId: "", contextId: "c" });
        const parts = "parts" in answer ? answer.parts : [];
        expect([textOf(parts), dataOf(parts)]).toEqual(["It is sunny.", [forecast]]);
      }
    });
  });

  it("streams exactly that message", async () => {
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      const frames: StreamResponse[] = [];
      for await (const frame of client.sendMessageStream(plainMessage("weather"))) frames.push(frame);
      expect(frames.map(({ payload }) => payload?.$case)).toEqual(["message"]);
    });
  });

  it("answers a message that is sent again with the same message", async () => {
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      const [first, second] = [1, 2].map(() =>
        client.sendMessage(plainMessage("weather", { messageId: "m" })),
      );
      const answer = await first;
      expect(answer).toHaveProperty("messageId");
      expect(await second).toEqual(answer);
    });
  });

  it.each([
    ["long", TaskState.TASK_STATE_COMPLETED],
    ["ask", TaskState.TASK_STATE_INPUT_REQUIRED],
    ["fail", TaskState.TASK_STATE_FAILED],
  ])("answers %s with a task", async (text, state) => {
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      expect(taskOf(await client.sendMessage(plainMessage(text))).status?.state).toBe(state);
    });
  });

  it("gives our client the task with all its events", async () => {
    await withServed({ agent }, async ({ url }) => {
      const events = await collect((await connectAgent(url)).stream({ text: "weather" }, { signal }));
      expect(events.at(-1)).toMatchObject({ type: "finish", response: { data: forecast } });
    });
  });
});

describe("a result under a name of the agent's own", () => {
  it("is bare data for any client, and the whole response for ours", async () => {
    const response = responseOf("It is sunny.", { data: { source: "station 4" } });
    const agent = scriptedAgent(() => [
      {
        type: "finish",
        outcome: "completed",
        response,
        answerItems: [],
        result: { name: "forecast", data: forecast },
      },
    ]);
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      const task = taskOf(await client.sendMessage(plainMessage("weather")));
      expect(task.artifacts.map(({ name, parts }) => [name, dataOf(parts)])).toEqual([
        ["forecast", [forecast]],
      ]);
      expect(checkArtifactStream(await captureWire(url, plainMessage("weather")))).toEqual([]);
      const events = await collect((await connectAgent(url)).stream({ text: "weather" }, { signal }));
      expect(events.at(-1)).toMatchObject({
        type: "finish",
        outcome: "completed",
        response,
        result: { name: "forecast", data: forecast },
      });
    });
  });

  it("is not for a step that another agent forwards", async () => {
    const position = { v: 1, runId: "r", seq: 0, attempt: 1, agent: "a" } as const;
    const response = responseOf("It is sunny.");
    const finish: AgentEvent = {
      ...position,
      type: "finish",
      outcome: "completed",
      response,
      answerItems: [],
    };
    const run = [{ ...finish, stepId: "weather", result: { name: "forecast", data: forecast } }, finish];
    const { snapshots } = await encodeRun(run, { structured: true, pauses: new Set() });
    expect(snapshots.at(-1)?.artifacts.map(({ name }) => name)).toEqual(["complete_result", "final_result"]);
  });

  it("is the text of the response without data", async () => {
    const agent = scriptedAgent(() =>
      answering(["It is sunny."]).map((event) =>
        event.type === "finish" ? { ...event, result: { name: "forecast" } } : event,
      ),
    );
    await withServed({ agent }, async ({ url }) => {
      const task = taskOf(await (await plainClient(url)).sendMessage(plainMessage("weather")));
      expect(task.artifacts.map(({ name, parts }) => [name, textOf(parts)])).toEqual([
        ["streaming_result", "It is sunny."],
        ["forecast", "It is sunny."],
      ]);
    });
  });
});

describe("a request that is rejected", () => {
  const error = { code: "agent.rejected", message: "Only weather is answered here." };

  it("leaves a task in that state, which our client tells from a failure", async () => {
    const agent = scriptedAgent(() => [
      { type: "finish", outcome: "failed", rejected: true, response: responseOf(""), answerItems: [], error },
    ]);
    await withServed({ agent }, async ({ url }) => {
      const task = taskOf(await (await plainClient(url)).sendMessage(plainMessage("a poem")));
      expect(task.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
      expect(textOf(task.status?.message?.parts ?? [])).toBe(error.message);
      const events = await collect((await connectAgent(url)).stream({ text: "a poem" }, { signal }));
      expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "failed", rejected: true, error });
    });
  });

  it("by another's agent reads as a failure that says so", async () => {
    const agent = await servePlainAgent(
      artifactExecutor([], { state: TaskState.TASK_STATE_REJECTED, say: error.message }),
    );
    try {
      const events = await collect((await connectAgent(agent.url)).stream({ text: "a poem" }, { signal }));
      expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "failed", rejected: true, error });
    } finally {
      await agent.close();
    }
  });
});
