import { readFileSync } from "node:fs";

import { silentLog } from "@troupe/core";
import { throwawayPostgres, type ThrowawayPostgres } from "@troupe/core/testing/postgres";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { runLogContract } from "../testing/index.ts";
import { collect, count, finish, positions, seqs, text } from "../testing/run-log/harness.ts";
import { numberTurns } from "../thread/number-turns.ts";
import { openPostgresEventLog, type PostgresEventLogOptions } from "./index.ts";
import { statements } from "./statements.ts";

let postgres: ThrowawayPostgres;
beforeAll(async () => {
  postgres = await throwawayPostgres();
});
afterAll(() => postgres.close());

let schemas = 0;
const newSchema = (): string => `runs${++schemas}`;
const open = (options: PostgresEventLogOptions) =>
  openPostgresEventLog({ connectionString: postgres.connectionString, pollMs: 20, ...options });

async function opened(options: PostgresEventLogOptions = {}) {
  const log = await open({ schema: newSchema(), ...options });
  onTestFinished(() => log.close());
  return log;
}

async function asked(sql: string): Promise<readonly object[]> {
  const client = new Client(postgres.connectionString);
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("the event log in Postgres", () => {
  it.each(runLogContract({ shared: true }))("$name", async ({ run }) => {
    const schema = newSchema();
    await expect(run({ open: () => open({ schema }) })).resolves.toBeUndefined();
  });

  it("is made once by many that open it at the same time", async () => {
    const schema = newSchema();
    const logs = await Promise.all(count(8).map(() => opened({ schema })));
    for (const log of logs) log.append("r", "a", finish(0));
    await Promise.all(logs.map((log) => log.kept()));
    for (const log of logs) expect(await log.end("r")).toBe(1);
  });

  it("needs no right to make a schema where one is there that its user owns, and else says what is missing", async () => {
    const schema = newSchema();
    await asked("CREATE ROLE app LOGIN");
    await asked(`CREATE SCHEMA ${schema} AUTHORIZATION app`);
    const connectionString = postgres.connectionString.replace("postgres@", "app@");
    const log = await opened({ schema, connectionString });
    log.append("r", "a", finish(0));
    await log.kept();
    expect(await log.end("r")).toBe(1);
    await expect(open({ schema: newSchema(), connectionString })).rejects.toMatchObject({
      message: expect.stringContaining("grant it the right to create a schema"),
    });
  });

  it("gives runs of one conversation numbers of their own, also where the first of them is on record late and the clock is set back", async () => {
    const schema = newSchema();
    const log = await opened({ schema });
    const engine = { input: () => Promise.resolve(undefined) };
    const thread = { threadId: "c" };
    const turnOf = async (runId: string) => (await numberTurns({ log, engine }, { ...thread, runId })).turn;
    const late = new Client(postgres.connectionString);
    await late.connect();
    await late.query("BEGIN");
    await late.query(statements(schema).begin, ["first", "", "o", null, "c"]);
    let isOver = false;
    const second = log.begin({ runId: "second", name: "", objective: "o", ...thread }).then(() => {
      isOver = true;
      return turnOf("second");
    });
    // One of another conversation does not wait for it.
    await log.begin({ runId: "another", name: "", objective: "o", threadId: "d" });
    const waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await expect.poll(async () => isOver || (await asked(waits)).length === 1).toBe(true);
    // As a clock has it that was ahead until now.
    await late.query(`UPDATE ${schema}.run SET created_at = created_at + 3600000 WHERE id = 'first'`);
    await late.query("COMMIT");
    await late.end();
    expect([await turnOf("first"), await second]).toEqual([1, 2]);
    await log.begin({ runId: "third", name: "", objective: "o", ...thread });
    expect([await turnOf("first"), await turnOf("second"), await turnOf("third")]).toEqual([1, 2, 3]);
  });

  it("gives runs of one conversation times of their own that are begun at once", async () => {
    const schema = newSchema();
    const logs = await Promise.all(count(3).map(() => opened({ schema })));
    const begun = count(90).map((at) =>
      logs[at % 3]!.begin({ runId: `r${at}`, name: "", objective: "o", threadId: "c" }),
    );
    await Promise.all(begun);
    expect(await asked(`SELECT count(DISTINCT created_at)::int AS times FROM ${schema}.run`)).toEqual([
      { times: 90 },
    ]);
  });

  it("says that events are kept when they are", async () => {
    const schema = newSchema();
    const log = await opened({ schema });
    for (const seq of count(2_000)) log.append(`r${seq % 50}`, `k${seq}`, text(seq));
    await log.kept();
    expect(await asked(`SELECT count(*)::int AS n FROM ${schema}.event`)).toEqual([{ n: 2_000 }]);
    expect(await asked(`SELECT count(*)::int AS n FROM ${schema}.run WHERE events = 40`)).toEqual([
      { n: 50 },
    ]);
    await log.kept();
  });

  it("reads for all who follow at once, and nothing while nobody does", async () => {
    const pool = new Pool({ connectionString: postgres.connectionString });
    onTestFinished(() => pool.end());
    let reads = 0;
    const query = pool.query.bind(pool);
    Object.assign(pool, {
      query: (sql: string, args: unknown[]) => {
        if (sql.includes("SELECT id, events")) reads++;
        return query(sql, args);
      },
    });
    const schema = newSchema();
    const [log, other] = [await opened({ schema, pool }), await opened({ schema })];
    const followed = count(100).map((i) => collect(log, 0, { runId: `r${i}` }));
    await expect.poll(() => reads).toBeGreaterThan(2);
    const before = reads;
    for (const i of count(100)) other.append(`r${i}`, "end", finish(0));
    for (const events of await Promise.all(followed)) expect(events).toHaveLength(1);
    expect(reads - before).toBeLessThan(20);
    const after = reads;
    await log.end("r0");
    await asked("SELECT pg_sleep(0.2)");
    expect(reads).toBe(after + 1);
  });

  it("keeps a note in the place of what the database does not take, and all else as it is", async () => {
    const schema = newSchema();
    const logged: string[] = [];
    const note = (what: string) => void logged.push(what);
    const log = await opened({ schema, log: { ...silentLog, info: note, warn: note, error: note } });
    await asked(`ALTER TABLE ${schema}.event ADD CHECK (body NOT LIKE '%poison%')`);
    for (const seq of count(50)) log.append("r", `k${seq}`, text(seq, seq === 20 ? "poison" : ""));
    log.append("other", "a", text(0));
    log.append("other", "\0long".repeat(200), text(1, "poison"));
    log.append("r", "end", finish(50));
    const kept = await collect(log);
    expect(seqs(kept)).toEqual([...count(20), 20, 20, 20, 20, ...count(30, 21)]);
    expect(positions(kept)).toEqual(count(54));
    expect(kept[21]?.event).toMatchObject({
      type: "text-delta",
      delta: expect.stringContaining("(text-delta) could not be kept"),
    });
    expect(await log.end("other")).toBe(5);
    const lost = "an event was not kept: the database does not take it";
    expect(logged).toEqual([lost, lost]);
  });

  it("ends a run whose end the database does not take, with the same outcome", async () => {
    const schema = newSchema();
    const log = await opened({ schema });
    await log.begin({ runId: "r", name: "n", objective: "" });
    await asked(`ALTER TABLE ${schema}.event ADD CHECK (body NOT LIKE '%poison%')`);
    const end = finish(1);
    if (end.type !== "finish") throw new Error("it is none");
    log.append("r", "a", text(0));
    log.append("r", "finish", { ...end, response: { ...end.response, content: "poison" } });
    expect((await collect(log)).at(-1)?.event).toMatchObject({ type: "finish", outcome: "completed" });
    expect(await log.view("r")).toMatchObject({ status: "completed" });
  });

  it("takes for the end of what it reads nothing that came since it looked", async () => {
    const pool = new Pool({ connectionString: postgres.connectionString });
    onTestFinished(() => pool.end());
    const schema = newSchema();
    const [log, other] = [await opened({ schema, pool }), await opened({ schema })];
    other.append("r", "a", text(0));
    await other.kept();
    const query = pool.query.bind(pool);
    let looked = false;
    Object.assign(pool, {
      async query(sql: string, args: unknown[]) {
        const answer = (await query(sql, args)) as unknown;
        if (sql.includes("AS before") && !looked) {
          looked = true;
          for (const [key, one] of [
            ["b", text(1)],
            ["end", finish(2)],
          ] as const)
            other.append("r", key, one);
          await other.kept();
        }
        return answer;
      },
    });
    expect(positions(await collect(log, 1))).toEqual([1, 2]);
  });

  it("forgets runs that ended so long ago, and no others", async () => {
    const schema = newSchema();
    const log = await opened({ schema });
    for (const runId of ["old", "fresh", "open", "stands"])
      await log.begin({ runId, name: "n", objective: "" });
    const read: number[] = [];
    const reader = (async () => {
      for await (const { position } of log.read("stands", { from: 0, signal: AbortSignal.timeout(60_000) }))
        read.push(position);
    })();
    for (const runId of ["old", "fresh"]) log.append(runId, "end", finish(0));
    log.append("open", "a", text(0));
    log.append("stands", "a", finish(0, "step"));
    await log.kept();
    await asked(`UPDATE ${schema}.run SET created_at = created_at - 10000000 WHERE id <> 'fresh'`);
    await asked(
      `UPDATE ${schema}.event SET at = at - 10000000 WHERE run <> (SELECT position FROM ${schema}.run WHERE id = 'fresh')`,
    );
    await opened({ schema, keepMs: 9_000_000 });
    const left = async () => (await log.runs()).map(({ runId }) => runId).toSorted();
    await expect.poll(left).toEqual(["fresh", "open", "stands"]);
    expect(await log.end("old")).toBe(0);
    expect(await asked(`SELECT count(*)::int AS n FROM ${schema}.event`)).toEqual([{ n: 3 }]);
    // Who reads a run that somebody deletes is not left waiting.
    await expect.poll(() => read).toEqual([0]);
    await asked(`DELETE FROM ${schema}.run WHERE id = 'stands'; DELETE FROM ${schema}.event`);
    await reader;
  });

  it("says what is wrong where nobody listens, where nothing is named and where the tables are later ones", async () => {
    const nowhere = "postgres://ann:hunter2@127.0.0.1:9/none";
    await expect(open({ connectionString: nowhere })).rejects.toMatchObject({ code: "store.io" });
    await expect(open({ connectionString: nowhere })).rejects.not.toThrow(/hunter2/);
    await expect(openPostgresEventLog({})).rejects.toMatchObject({ code: "input.invalid" });
    const schema = newSchema();
    await opened({ schema });
    await asked(`INSERT INTO ${schema}.version VALUES (99)`);
    await expect(open({ schema })).rejects.toThrow(/have version 99, this program reads up to 2/);
  });

  it.each([1])("reads a schema of version %i", async (version) => {
    await asked(readFileSync(new URL(`corpus/events-v${version}.sql`, import.meta.url), "utf8"));
    const log = await opened({ schema: "released" });
    expect(await log.view("waits")).toMatchObject({
      name: "Deck",
      objective: "Make a deck \0",
      userId: "ann",
      threadId: "talk",
      status: "input-required",
      createdAt: 1_750_000_000_000,
    });
    expect(await log.view("ended")).toMatchObject({ status: "completed", endedAt: 1_750_000_000_500 });
    expect(await log.planning()).toEqual(["planned"]);
    const events = await collect(log, 0, { runId: "ended" });
    expect(positions(events)).toEqual([0, 1]);
    expect(events[0]?.key).toBe("long".repeat(200));
    await log.begin({ runId: "next", name: "n", objective: "", userId: "ann", threadId: "talk" });
    const ofThread = await log.runs({ userId: "ann", threadId: "talk" });
    expect(ofThread.map(({ runId }) => runId)).toEqual(["next", "waits"]);
    log.append("ended", "long".repeat(200), text(9));
    log.append("waits", "end", finish(9));
    expect(await log.end("ended")).toBe(2);
    expect(await log.view("waits")).toMatchObject({ status: "completed" });
  });
});

describe("the event log while its database is away", () => {
  it("keeps what is told, tells it once it is back, and refuses questions meanwhile", async () => {
    const schema = newSchema();
    const [log, other] = [await opened({ schema }), await opened({ schema })];
    const followed = [collect(log), collect(other), collect(other, 30)];
    for (const seq of count(40)) log.append("r", `k${seq}`, text(seq));
    await log.kept();
    await postgres.crash();
    for (const seq of count(40, 40)) log.append("r", `k${seq}`, text(seq));
    await expect(log.view("r")).rejects.toMatchObject({ code: "store.io" });
    await expect(log.begin({ runId: "s", name: "", objective: "" })).rejects.toMatchObject({
      code: "store.io",
    });
    // Told again, as a run does that is taken up meanwhile.
    for (const seq of count(40, 40)) other.append("r", `k${seq}`, text(seq));
    await postgres.start();
    log.append("r", "end", finish(80));
    expect(seqs(await followed[0]!)).toEqual(count(81));
    expect(seqs(await followed[1]!)).toEqual(count(81));
    expect(seqs(await followed[2]!)).toEqual(count(51, 30));
    expect(await log.end("r")).toBe(81);
  });

  it("tells each event once in one order however often the database is reset while two tell of the same runs", async () => {
    const schema = newSchema();
    const [log, other] = [await opened({ schema }), await opened({ schema })];
    const followed = [log, other].map((one) => collect(one, 0, { signal: AbortSignal.timeout(120_000) }));
    for (const round of count(4)) {
      for (const seq of count(500, round * 500))
        for (const one of [log, other]) one.append("r", `k${seq}`, text(seq));
      await postgres.crash();
      await postgres.start();
    }
    for (const one of [log, other]) one.append("r", "end", finish(2_000));
    await Promise.all([log.kept(), other.kept()]);
    for (const events of await Promise.all(followed)) {
      expect(positions(events)).toEqual(count(2_001));
      expect(new Set(seqs(events)).size).toBe(2_001);
    }
    expect(await followed[0]).toEqual(await followed[1]);
  });

  it("closes without what could not be stored", async () => {
    const logged: unknown[] = [];
    const note = (what: string, fields?: object) => void logged.push([what, fields]);
    const log = await open({
      schema: newSchema(),
      log: { ...silentLog, error: note },
    });
    await postgres.crash();
    log.append("r", "a", text(0));
    await expect(log.end("r")).rejects.toMatchObject({ code: "store.io" });
    for (const seq of count(1_000, 1)) log.append("r", `k${seq}`, text(seq, "x".repeat(100)));
    await log.close();
    await postgres.start();
    expect(logged).toEqual([["events of runs could not be stored any more", { events: 1_001 }]]);
  });
});
