import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TaskState, type Task } from "@a2a-js/sdk";
import { systemClock } from "@troupe/core";
import { throwawayPostgres, type ThrowawayPostgres } from "@troupe/core/testing/postgres";
import { afterAll, expect, it, onTestFinished } from "vitest";

import { openPostgresTaskStore } from "../store/postgres/index.ts";
import { openSqliteTaskStore } from "../store/sqlite/index.ts";
import type { TaskStore } from "../store/task-store.ts";
import { answering, scriptedAgent } from "../testing/index.ts";
import { artifactOf, textPart } from "../wire/parts.ts";
import { serveAgent } from "./serve-agent.ts";

let postgres: ThrowawayPostgres | undefined;
afterAll(() => postgres?.close());

const AT_ONCE = 500;
/** What a start is given, from its first look into the store until it listens. */
const LIMIT_MS = 10_000;

/** Each opens the store of before, as a process does that is started again. */
const stores: readonly (readonly [number, string, () => Promise<() => Promise<TaskStore>>])[] = [
  [
    10_000,
    "a SQLite file",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "troupe-recovery-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return async () => {
        const store = openSqliteTaskStore({ path: join(folder, "tasks.db"), clock: systemClock });
        onTestFinished(() => store.close());
        return store;
      };
    },
  ],
  [
    2_000,
    "Postgres",
    async () => {
      const { connectionString } = (postgres ??= await throwawayPostgres());
      return async () => {
        const store = await openPostgresTaskStore({ connectionString });
        onTestFinished(() => store.close());
        return store;
      };
    },
  ],
];

it.each(stores)(
  "ends %i tasks that were cut off on %s within 10 s of the start",
  async (count, _on, make) => {
    const open = await make();
    const store = await open();
    for (let from = 0; from < count; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => {
          const id = `t${from + i}`;
          return store.claim("ann", id, working(id), { version: 0, holder: "gone" });
        }),
      );
    if ("close" in store && typeof store.close === "function") await store.close();

    const begin = performance.now();
    const again = await open();
    const served = await serveAgent({ agent: scriptedAgent(() => answering(["no"])), store: again });
    const took = performance.now() - begin;
    onTestFinished(() => served.close());
    for (const state of [TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_SUBMITTED])
      expect((await again.list("ann", { state, pageSize: 1, pageToken: "" })).totalSize).toBe(0);
    const failed = { state: TaskState.TASK_STATE_FAILED, pageSize: 1, pageToken: "" };
    expect((await again.list("ann", failed)).totalSize).toBe(count);
    expect(took).toBeLessThan(LIMIT_MS);
  },
);

function working(id: string): Task {
  return {
    id,
    contextId: "c",
    status: {
      state: TaskState.TASK_STATE_WORKING,
      message: undefined,
      timestamp: "2026-01-01T00:00:00.000Z",
    },
    artifacts: [artifactOf("a", "streaming_result", [textPart("Half of an answer. ".repeat(20))])],
    history: [],
    metadata: undefined,
  };
}
