import { TaskState } from "@a2a-js/sdk";
import { AccessError, createAgent } from "@troupe/core";
import { echoTool, finishCall, scriptedModel, testConfig, virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import {
  artifactExecutor,
  collect,
  plainClient,
  plainMessage,
  servePlainAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";
import { dataOf, textOf } from "../wire/parts.ts";

const signal = new AbortController().signal;
const access = { service: "the calendar", url: "https://calendar.example/grant" };

/** An agent of ours whose tool lacks access until it is granted. */
function calendarAgent() {
  let granted = false;
  const look = echoTool("look", (text) => {
    if (!granted) throw new AccessError(access);
    return { text };
  });
  const call = { calls: [{ name: "look", arguments: { text: "Friday" } }] };
  const model = scriptedModel([call, call, { calls: [finishCall("You are free.")] }]);
  const agent = createAgent(testConfig, { model, clock: virtualClock(), tools: [look] });
  return { agent, grant: () => (granted = true) };
}

describe("an agent that needs access it does not have", () => {
  it("says so to any client, which answers in the same task", async () => {
    const { agent, grant } = calendarAgent();
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      const asked = taskOf(await client.sendMessage(plainMessage("Am I free?")));
      expect(asked.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
      const said = asked.status?.message?.parts ?? [];
      expect(textOf(said)).toContain("Grant it at https://calendar.example/grant");
      expect(dataOf(said)).toMatchObject([{ kind: "form", form: { access } }]);
      grant();
      const done = await client.sendMessage(plainMessage("granted: yes", { taskId: asked.id }));
      expect("artifacts" in done && done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    });
  });

  it("asks our client by an event, and goes on once it has its reply", async () => {
    const { agent, grant } = calendarAgent();
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url);
      const { taskId } = await remote.send({ text: "Am I free?" }, { signal });
      const asked = (await collect(remote.join(taskId, { signal }))).find(
        (event) => event.type === "input-required",
      );
      expect(asked).toMatchObject({ request: { form: { access } } });
      grant();
      const reply = { requestId: asked?.request.requestId ?? "", values: { granted: true } };
      const events = await collect(remote.stream({ taskId, reply }, { signal }));
      expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "You are free." } });
    });
  });

  it("can be canceled while it waits", async () => {
    const { agent } = calendarAgent();
    await withServed({ agent }, async ({ url }) => {
      const client = await plainClient(url);
      const asked = await client.sendMessage(plainMessage("Am I free?"));
      const id = "artifacts" in asked ? asked.id : "";
      const canceled = await client.cancelTask({ id, tenant: "", metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    });
  });
});

describe("a foreign agent that needs access", () => {
  it("is a question to the person, and goes on in its task with the answer", async () => {
    const heard: string[] = [];
    const asking = artifactExecutor([], {
      state: TaskState.TASK_STATE_AUTH_REQUIRED,
      say: "Sign in at https://crm.example, then say so.",
    });
    const plain = await servePlainAgent({
      ...asking,
      execute: (context, bus) => {
        heard.push(textOf(context.userMessage.parts));
        const done = artifactExecutor([{ artifactId: "a", text: "Three deals." }]);
        return (heard.length === 1 ? asking : done).execute(context, bus);
      },
    });
    try {
      const remote = await connectAgent(plain.url);
      const { taskId } = await remote.send({ text: "How many deals?" }, { signal });
      const events = await collect(remote.join(taskId, { signal }));
      const asked = events.find((event) => event.type === "input-required");
      expect(asked).toMatchObject({
        request: {
          kind: "form",
          form: {
            title: "Sign in at https://crm.example, then say so.",
            access: { service: "plain-agent" },
          },
        },
      });
      expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "input-required" });
      const reply = { requestId: asked?.request.requestId ?? "", values: { reply: "Done." } };
      const done = await collect(remote.stream({ taskId, reply }, { signal }));
      expect(done.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Three deals." } });
      expect(heard).toEqual(["How many deals?", "Done."]);
    } finally {
      await plain.close();
    }
  });
});
