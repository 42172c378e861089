import { TaskState } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import { sizeOf } from "../store/size-of.ts";
import { doneTask } from "../testing/task-store/fixtures.ts";
import { listTasks } from "./list-tasks.ts";

it("answers a short page where tasks are large, and the token leads through all of them", async () => {
  const store = createMemoryTaskStore({ clock: virtualClock() });
  const text = "x".repeat(500_000);
  const ids = Array.from({ length: 10 }, (_, i) => `t${i}`);
  for (const id of ids) await store.claim("ann", id, doneTask(id, { text }), { version: 0 });
  const params = { tenant: "", contextId: "", status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 100 };
  const more = { includeArtifacts: true, statusTimestampAfter: undefined };
  const found: string[] = [];
  let pageToken = "";
  do {
    const page = await listTasks(store, { ...params, ...more, pageToken }, "ann");
    expect(page).toMatchObject({ pageSize: 100, totalSize: 10 });
    expect(sizeOf(page.tasks)).toBeLessThan(4.1 * 1024 * 1024);
    found.push(...page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(found).toEqual(ids.toReversed());
});
