import { TaskState, type Artifact } from "@a2a-js/sdk";
import { silentLog, type Log } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import { answering, scriptedAgent, withServed } from "../../testing/index.ts";

it("shows nothing of what the SDK stumbles over; the log has it", async () => {
  const torn = JSON.parse("null") as Artifact;
  const status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined };
  const task = { id: "t", contextId: "c", status, artifacts: [torn], history: [], metadata: undefined };
  const memory = createMemoryTaskStore({ clock: virtualClock() });
  const load = () => Promise.resolve({ task, version: 1 });
  const said: unknown[] = [];
  const log: Log = {
    ...silentLog,
    child: () => log,
    error: (_text, fields) => said.push(fields?.["error"]),
  };
  const agent = scriptedAgent(() => answering(["hello"]));
  await withServed({ agent, log, store: { ...memory, load } }, async ({ url }) => {
    const answer = await fetch(`${url}/a2a/rest/v1/tasks/t`);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      code: -32603,
      message: expect.stringMatching(/Its log says why/) as unknown,
    });
    expect(said).toMatchObject([{ message: expect.stringMatching(/null/) as unknown }]);
  });
});
