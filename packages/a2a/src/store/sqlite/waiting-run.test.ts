import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createAgent } from "@troupe/core";
import {
  finishCall,
  sampleSuspendedRun,
  scriptedModel,
  suspendedRunsContract,
  testConfig,
} from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { connectAgent } from "../../client/index.ts";
import { collect, withServed } from "../../testing/index.ts";
import { openSqliteTaskStore } from "./sqlite-task-store.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waiting-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

suspendedRunsContract("on SQLite", async () => {
  const store = openSqliteTaskStore({ path: join(folder(), "tasks.db") });
  return { runs: store.suspended, close: async () => store.close() };
});

it("keeps runs that wait over a restart", async () => {
  const path = join(folder(), "tasks.db");
  const state = sampleSuspendedRun();
  const before = openSqliteTaskStore({ path });
  await before.suspended.save("run-1", state);
  before.close();
  const store = openSqliteTaskStore({ path });
  expect(await store.suspended.load("run-1")).toEqual(state);
  store.close();
});

interface Waiting {
  readonly taskId: string;
  readonly requestId: string;
  readonly outcome: string;
}

const size = {
  field_name: "size",
  field_label: "Size",
  field_description: "",
  field_type: "select",
  field_values: ["S", "M"],
  default_value: null,
  placeholder: "",
  required: true,
};
const asks = finishCall("", {
  is_task_complete: false,
  require_user_input: true,
  user_input: "Which size?",
  input_fields: [size],
});

it("checks the answer to a form that an earlier process asked, for an agent that was told nothing of it", async () => {
  const path = join(folder(), "tasks.db");
  /** Each time an agent of its own, as after a restart. */
  const ask = async (
    text: string,
    values?: { readonly size: string },
    before?: Waiting,
  ): Promise<Waiting> => {
    const store = openSqliteTaskStore({ path });
    const model = scriptedModel([{ calls: [before === undefined ? asks : finishCall("Sent.")] }]);
    const agent = createAgent(testConfig, { model });
    try {
      return await withServed({ agent, store }, async ({ url }) => {
        const remote = await connectAgent(url);
        const { signal } = new AbortController();
        const reply = before && values && { requestId: before.requestId, values };
        const request = { text, ...(reply && { reply, taskId: before.taskId }) };
        let taskId = before?.taskId ?? "";
        const events = await collect(remote.stream(request, { signal, onTask: (id) => (taskId = id) }));
        const asked = events.findLast((event) => event.type === "input-required");
        const ended = events.at(-1);
        return {
          taskId,
          requestId: asked?.type === "input-required" ? asked.request.requestId : "",
          outcome: ended?.type === "finish" ? ended.outcome : "",
        };
      });
    } finally {
      store.close();
    }
  };
  const asked = await ask("order x");
  expect(asked.outcome).toBe("input-required");
  const again = await ask("", { size: "XXL" }, asked);
  expect(again).toMatchObject({ outcome: "input-required", taskId: asked.taskId });
  expect((await ask("", { size: "M" }, again)).outcome).toBe("completed");
});
