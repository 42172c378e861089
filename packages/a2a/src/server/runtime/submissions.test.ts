import { TaskState } from "@a2a-js/sdk";
import { gate, virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { answering, asking, plainMessage, scriptedAgent } from "../../testing/index.ts";
import { runtimeOptions } from "../../testing/runtime-options.ts";
import { AgentRuntime } from "./agent-runtime.ts";
import type { Found } from "./found.ts";
import type { TaskRun } from "./task-run.ts";

function runIn(found: Found): TaskRun {
  if (!("run" in found)) throw new Error("it is not worked on here");
  return found.run;
}

/** A task that has asked something, to which replies are worked on until they are let go on. */
async function askedTask() {
  const clock = virtualClock();
  const goOn = gate();
  const agent = scriptedAgent(async function* ({ text }) {
    if (text !== "hi") await goOn.opened;
    yield* text === "hi" ? asking("Which?") : answering([text]);
  });
  const runtime = new AgentRuntime(runtimeOptions({ agent, clock }));
  let begun = 0;
  const begin = (): Promise<() => void> => {
    begun++;
    return Promise.resolve(() => undefined);
  };
  const submit = (text: string, messageId: string, taskId = ""): Promise<Found> =>
    runtime.submit(plainMessage(text, { messageId, taskId }).message, {
      owner: "",
      structured: false,
      begin,
    });
  const { id, whenSettled } = runIn(await submit("hi", "m"));
  await whenSettled;
  return {
    agent,
    runtime,
    id,
    goOn: () => goOn.open(),
    begun: () => begun,
    reply: (text: string, messageId: string) => submit(text, messageId, id),
  };
}

it("a reply that comes twice at the same time is one, and counts once for whoever sent it", async () => {
  const { agent, id, begun, reply, goOn } = await askedTask();
  const [one, other] = await Promise.all([reply("this", "r"), reply("this", "r")]);
  expect([runIn(one).id, runIn(other)]).toEqual([id, runIn(one)]);
  goOn();
  await runIn(one).whenSettled;
  expect(agent.requests.map(({ text }) => text)).toEqual(["hi", "this"]);
  expect(begun()).toBe(2);
});

it("of two replies to one question the second is refused, and the first is worked on and can be found", async () => {
  const { agent, runtime, id, reply, goOn } = await askedTask();
  const [one, other] = await Promise.allSettled([reply("this", "r"), reply("that", "s")]);
  expect(other).toMatchObject({
    reason: { message: expect.stringContaining("is still being worked on") as unknown },
  });
  if (one.status !== "fulfilled") throw one.reason;
  const run = runIn(one.value);
  expect(runIn(await runtime.find("", id))).toBe(run);
  goOn();
  await run.whenSettled;
  expect(run.task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(agent.requests.map(({ text }) => text)).toEqual(["hi", "this"]);
});
