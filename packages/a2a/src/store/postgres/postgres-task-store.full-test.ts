import { systemClock } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { throwawayPostgres, type ThrowawayPostgres } from "@troupe/core/testing/postgres";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { connectAgent } from "../../client/index.ts";
import { serveAgent } from "../../server/index.ts";
import {
  answering,
  collect,
  scriptedAgent,
  taskStoreContract,
  type ContractSettings,
} from "../../testing/index.ts";
import { sameAsMemory } from "../random-histories.ts";
import type { TaskStore } from "../task-store.ts";
import { openPostgresTaskStore, type PostgresTaskStoreOptions } from "./index.ts";

let postgres: ThrowawayPostgres;
beforeAll(async () => {
  postgres = await throwawayPostgres();
});
afterAll(() => postgres.close());

let count = 0;
const schemas = new WeakMap<TaskStore, string>();
async function open(options: PostgresTaskStoreOptions = {}) {
  const { connectionString } = postgres;
  const schema = options.schema ?? `t${++count}`;
  const store = await openPostgresTaskStore({ connectionString, sweepMs: 0, ...options, schema });
  schemas.set(store, schema);
  onTestFinished(() => store.close());
  return store;
}
const again = (store: TaskStore, settings: ContractSettings) =>
  open({ ...settings, schema: schemas.get(store) ?? "" });

describe("the task store on a Postgres of its own", () => {
  it.each(taskStoreContract({ open, reopen: again, another: again }))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it("keeps and drops what the store in memory keeps and drops, whatever happens", async () => {
    await expect(sameAsMemory(open, 40)).resolves.toBeUndefined();
  });

  it("is made once by many that open it at the same time", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open({ schema: "together" })));
    const claims = await Promise.all(
      opened.map((store, i) => {
        const status = { state: 2, message: undefined, timestamp: undefined };
        const task = { id: `t${i}`, contextId: "c", status, artifacts: [], history: [], metadata: undefined };
        return store.claim("ann", "m", task, { version: 0 });
      }),
    );
    expect(claims.filter(({ first }) => first)).toHaveLength(1);
  });

  it("takes a pool of the caller's own and leaves it open", async () => {
    const pool = new Pool({ connectionString: postgres.connectionString });
    onTestFinished(() => pool.end());
    const store = await openPostgresTaskStore({ pool, schema: "pooled", clock: virtualClock() });
    expect((await store.list("ann", { pageSize: 1, pageToken: "" })).totalSize).toBe(0);
    await store.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  it("says what is wrong where nobody listens, and where the database is not there", async () => {
    const nowhere = "postgres://ann:hunter2@127.0.0.1:9/none";
    const missing = postgres.connectionString.replace(/postgres$/, "missing");
    for (const connectionString of [nowhere, missing]) {
      const failed = openPostgresTaskStore({ connectionString });
      await expect(failed).rejects.toMatchObject({ code: "store.io" });
      await expect(failed).rejects.not.toThrow(/hunter2/);
    }
  });

  it("gives up a statement that waits too long, and goes on when it need not", async () => {
    const store = await open({ schema: "locked", statementTimeoutMs: 200 });
    const client = new Client(postgres.connectionString);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("BEGIN; LOCK TABLE locked.message IN ACCESS EXCLUSIVE MODE");
    await expect(store.taskOf("ann", "m")).rejects.toMatchObject({ code: "store.io" });
    await client.query("ROLLBACK");
    expect(await store.taskOf("ann", "m")).toBeUndefined();
  });
});

describe("an agent whose database goes away while it works", () => {
  it.each([
    ["loses its connections", async () => breakConnections()],
    ["is reset and comes back", async () => postgres.crash().then(() => postgres.start())],
  ])("tells and stores all of it when the database %s", async (_what, trouble) => {
    // A lease that outlives the trouble, however slow this machine is.
    const store = await open({ leaseMs: 60_000 });
    const words = Array.from({ length: 200 }, (_, i) => `${i} `);
    const agent = scriptedAgent(async function* () {
      yield { type: "text-start", itemId: "answer", role: "answer" };
      for (const [i, delta] of words.entries()) {
        yield { type: "text-delta", itemId: "answer", delta };
        if (i % 60 === 30) await trouble();
        await systemClock.sleep(2);
      }
      yield* answering([words.join("")]).slice(-2);
    });
    const served = await serveAgent({ agent, store });
    onTestFinished(() => served.close());
    const signal = AbortSignal.timeout(120_000);
    const remote = await connectAgent(served.url, { signal });
    const { taskId } = await remote.send({ text: "Go." }, { signal });
    const events = await collect(remote.join(taskId, { signal }));
    expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: words.join("") } });
    const stored = await store.load("", taskId);
    expect(JSON.stringify(stored?.task.artifacts)).toContain(words.join(""));
  });
});

async function breakConnections(): Promise<void> {
  const client = new Client(postgres.connectionString);
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL AND application_name LIKE 'troupe%'",
  );
  await client.end();
}
