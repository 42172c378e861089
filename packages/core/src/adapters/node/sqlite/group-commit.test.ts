import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import { expect, it, onTestFinished } from "vitest";

import { GroupCommit } from "./group-commit.ts";

/** Notes what it is told, in order. */
class RecordingDatabase extends DatabaseSync {
  readonly told: string[] = [];

  override exec(sql: string): void {
    this.told.push(sql);
    super.exec(sql);
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    const { told } = this;
    const run = statement.run.bind(statement);
    return Object.assign(statement, {
      run: (...values: SQLInputValue[]) => {
        told.push(sql);
        return run(...values);
      },
    });
  }
}

const INSERT = "INSERT INTO word VALUES (?)";

function opened() {
  const db = new RecordingDatabase(":memory:");
  db.exec("CREATE TABLE word (word TEXT UNIQUE)");
  const insert = db.prepare(INSERT);
  const select = db.prepare("SELECT word FROM word");
  const undone: number[] = [];
  const group = new GroupCommit(db, {
    failed: (cause) => new Error("the words could not be used", { cause }),
    undone: () => undone.push(db.told.length),
  });
  onTestFinished(() => group.close());
  const write = (word: string, lasting = false): Promise<string> =>
    group.run(() => {
      insert.run(word);
      return word;
    }, lasting);
  db.told.length = 0;
  /** What it was told since it was asked last. */
  const told = (): readonly string[] => db.told.splice(0);
  return { db, group, write, told, undone, words: () => select.all().map(({ word }) => word) };
}

const ALONE = ["BEGIN IMMEDIATE", INSERT, "COMMIT"];
const TOGETHER = ["BEGIN IMMEDIATE", INSERT, INSERT, "COMMIT"];

it("writes in one transaction what comes in one turn of the loop", async () => {
  const { write, told } = opened();
  expect(await Promise.all([write("a"), write("b")])).toEqual(["a", "b"]);
  expect(told()).toEqual(["PRAGMA synchronous=NORMAL", ...TOGETHER]);
  await write("c");
  expect(told()).toEqual(ALONE);
});

it("lets a group outlast a power cut for one that has to, and no other", async () => {
  const { write, told } = opened();
  await write("a");
  expect(told()).toEqual(["PRAGMA synchronous=NORMAL", ...ALONE]);
  await Promise.all([write("b"), write("c", true)]);
  expect(told()).toEqual(["PRAGMA synchronous=FULL", ...TOGETHER]);
  await write("d", true);
  expect(told()).toEqual(ALONE);
  await write("e");
  expect(told()).toEqual(["PRAGMA synchronous=NORMAL", ...ALONE]);
});

it("writes the others one by one where one cannot be, and says each time what was undone", async () => {
  const { write, told, undone, words } = opened();
  await write("a");
  told();
  const [b, twice, c] = await Promise.allSettled([write("b", true), write("a"), write("c")]);
  expect([b, c]).toMatchObject([{ value: "b" }, { value: "c" }]);
  expect(twice).toMatchObject({ reason: { message: "the words could not be used" } });
  expect(told()).toEqual([
    "PRAGMA synchronous=FULL",
    ...TOGETHER.with(3, "ROLLBACK"),
    ...ALONE,
    "PRAGMA synchronous=NORMAL",
    ...ALONE.with(2, "ROLLBACK"),
    ...ALONE,
  ]);
  expect(undone).toHaveLength(2);
  expect(words()).toEqual(["a", "b", "c"]);
});

it("writes what waits before it closes", async () => {
  const { group, write, told } = opened();
  const waits = write("a");
  group.close();
  expect(told()).toEqual(["PRAGMA synchronous=NORMAL", ...ALONE]);
  expect(await waits).toBe("a");
  await expect(write("b")).rejects.toMatchObject({ message: "the words could not be used" });
});

it("undoes all of a job that breaks in its middle, also where SQLite itself rolls back", async () => {
  const { db, group, write, words } = opened();
  await write("a");
  const breaks = (job: () => void): Promise<void> => group.run(job, true);
  const settled = await Promise.allSettled([
    write("b"),
    breaks(() => {
      db.exec("INSERT INTO word VALUES ('half')");
      db.exec("INSERT INTO word VALUES ('a')");
    }),
    breaks(() => db.exec("INSERT OR ROLLBACK INTO word VALUES ('a')")),
    write("c"),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(words()).toEqual(["a", "b", "c"]);
});
