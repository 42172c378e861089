import { TaskState, type Task } from "@a2a-js/sdk";
import type { Clock } from "@troupe/stream";

import { liveTask } from "../../wire/apply-event.ts";
import type { WireEvent } from "../../wire/parts.ts";
import { isSettled } from "../../wire/state.ts";
import type { TaskQuery, TaskStore } from "../task-store.ts";
import { openDatabase, query } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";
import { changesFromJson, changesToJson, taskFromJson, taskToJson } from "./task-json.ts";

export interface SqliteTaskStoreOptions {
  /** The file, made with its folder when it is not there. It belongs to one process at a time. */
  readonly path: string;
  readonly clock: Clock;
  /** Settled tasks kept, 10,000 by default; running ones are always kept. */
  readonly maxTasks?: number;
  /** Milliseconds for which a settled task is kept, 30 days by default: people answer late. */
  readonly maxAgeMs?: number;
  /** Characters that settled tasks may take together, 256 Mi by default. */
  readonly maxBytes?: number;
}

export interface SqliteTaskStore extends TaskStore {
  /** Writes what waits and lets go of the file. */
  close(): void;
}

interface Row {
  readonly position: number;
  readonly owner: string;
  readonly body: string;
}

interface Kept {
  readonly position: number;
  readonly settled: number | null;
  readonly bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Characters of changes after which a running task is written anew, where it is not longer itself. */
const MIN_CHANGES = 64 * 1024;

/**
 * Tasks on a SQLite file. A running task is its row and the changes since, so an update costs what it
 * is long; the row is written anew when the task settles, and when the changes have outgrown it. What
 * has settled is dropped by count, age and size, oldest first. Throws a `StoreError`.
 */
export function openSqliteTaskStore(options: SqliteTaskStoreOptions): SqliteTaskStore {
  const { path, clock, maxTasks = 10_000, maxAgeMs = 30 * DAY_MS, maxBytes = MAX_BYTES } = options;
  const db = openDatabase(path);
  const what = `the tasks in ${path}`;
  const group = new GroupCommit(db, what);

  const ask = <Row = never>(sql: string) => query<Row>(db, sql, what);

  const taskOfMessage = ask<{ id: string }>(
    "SELECT task.id FROM message JOIN task ON task.position = message.task WHERE message.owner = ? AND message.id = ?",
  );
  const kept = ask<Kept>("SELECT position, settled, bytes FROM task WHERE owner = ? AND id = ?");
  const insertTask = ask(
    "INSERT INTO task (owner, id, context, state, updated_at, body, bytes) VALUES (?, ?, '', 0, '', '', 0)",
  );
  const insertMessage = ask("INSERT INTO message (owner, id, task) VALUES (?, ?, ?)");
  const writeTask = ask(
    "UPDATE task SET context = ?, state = ?, updated_at = ?, body = ?, bytes = ?, settled = ?, settled_at = ? WHERE position = ?",
  );
  const touchTask = ask(
    "UPDATE task SET context = ?, state = ?, updated_at = ?, bytes = bytes + ?, settled = NULL, settled_at = NULL WHERE position = ?",
  );
  const insertChange = ask(
    "INSERT INTO change SELECT ?1, COALESCE(MAX(position) + 1, 0), ?2 FROM change WHERE task = ?1",
  );
  const changesOf = ask<{ body: string }>("SELECT body FROM change WHERE task = ? ORDER BY position");
  const dropChanges = ask("DELETE FROM change WHERE task = ?");
  const dropMessages = ask("DELETE FROM message WHERE task = ?");
  const dropTask = ask("DELETE FROM task WHERE position = ?");
  const oneTask = ask<Row>("SELECT position, owner, body FROM task WHERE owner = ? AND id = ?");
  const unfinished = ask<Row>(
    "SELECT position, owner, body FROM task WHERE settled IS NULL ORDER BY position",
  );
  const oldest = ask<Kept & { readonly settled_at: number }>(
    "SELECT position, settled, settled_at, bytes FROM task WHERE settled IS NOT NULL ORDER BY settled LIMIT 1",
  );
  const total = ask<{ tasks: number; bytes: number; last: number }>(
    "SELECT COUNT(*) AS tasks, COALESCE(SUM(bytes), 0) AS bytes, COALESCE(MAX(settled), 0) AS last FROM task WHERE settled IS NOT NULL",
  );

  /** What has settled, kept beside the tables so that no update has to count. */
  const settled = { tasks: 0, bytes: 0, last: 0, ...total.get() };
  /** Characters that running tasks have in changes since they were last written, by position. */
  const pending = new Map<number, { readonly task: number; readonly changes: number }>();
  /** Tasks of which an update was not stored: without it later ones make no sense. */
  const behind = new Set<string>();

  const uncount = (task: Kept): void => {
    if (task.settled === null) return;
    settled.tasks--;
    settled.bytes -= task.bytes;
  };
  const write = (task: Task, body: string, before: Kept): void => {
    const { position } = before;
    const rests = isSettled(task.status?.state);
    dropChanges.run(position);
    uncount(before);
    if (rests) {
      settled.tasks++;
      settled.bytes += body.length;
      pending.delete(position);
    } else pending.set(position, { task: body.length, changes: 0 });
    writeTask.run(
      ...headOf(task),
      body,
      body.length,
      rests ? ++settled.last : null,
      rests ? clock.now() : null,
      position,
    );
  };
  const append = (task: Kept, head: ReturnType<typeof headOf>, added: string): void => {
    const { position } = task;
    uncount(task);
    const size = pending.get(position) ?? { task: 0, changes: 0 };
    pending.set(position, { ...size, changes: size.changes + added.length });
    insertChange.run(position, added);
    touchTask.run(...head, added.length, position);
  };
  const outgrown = (owner: string, id: string, added: string): boolean => {
    const size = pending.get(kept.get(owner, id)?.position ?? -1);
    return size !== undefined && size.changes + added.length > Math.max(size.task, MIN_CHANGES);
  };
  const retain = (): void => {
    for (let last = oldest.get(); last !== undefined; last = oldest.get()) {
      const few = settled.tasks <= maxTasks && settled.bytes <= maxBytes;
      if (few && clock.now() - last.settled_at <= maxAgeMs) return;
      uncount(last);
      for (const drop of [dropChanges, dropMessages, dropTask]) drop.run(last.position);
    }
  };
  /** Counters follow the tables: when a group is undone they are read again. */
  const store = async <T>(lasting: boolean, work: () => T): Promise<T> => {
    try {
      return await group.run(work, lasting);
    } catch (error) {
      Object.assign(settled, total.get());
      pending.clear();
      throw error;
    }
  };
  const read = ({ position, body }: Row): Task => {
    const live = liveTask(taskFromJson(body));
    for (const row of changesOf.all(position))
      for (const change of changesFromJson(row.body)) live.apply(change);
    return live.task;
  };

  return {
    async claim(owner, messageId, task) {
      // At once: whoever holds the task changes it from here on.
      const body = taskToJson(task);
      const { id } = task;
      // A reply that is taken twice might do twice what a person allowed once.
      const lasting = task.history.length > 1;
      return store(lasting, () => {
        const known = taskOfMessage.get(owner, messageId);
        if (known !== undefined) return known.id;
        const before = kept.get(owner, id) ?? {
          position: insertTask.run(owner, id),
          settled: null,
          bytes: 0,
        };
        insertMessage.run(owner, messageId, before.position);
        write(task, body, before);
        retain();
        return id;
      });
    },
    taskOf: async (owner, messageId) => taskOfMessage.get(owner, messageId)?.id,
    async save(owner, task, changes) {
      const { id } = task;
      try {
        const head = headOf(task);
        const rests = isSettled(task.status?.state);
        const added = rests ? "" : changesToJson(changes);
        // What is written whole is taken down now: the task may have moved on when its turn comes.
        const whole =
          rests || behind.delete(id) || isAnew(changes) || outgrown(owner, id, added)
            ? taskToJson(task)
            : undefined;
        await store(rests, () => {
          const known = kept.get(owner, id);
          if (known === undefined) return;
          if (whole === undefined) append(known, head, added);
          else write(task, whole, known);
          retain();
        });
      } catch (error) {
        behind.add(id);
        throw error;
      }
    },
    async load(owner, taskId) {
      const row = oneTask.get(owner, taskId);
      return row === undefined ? undefined : read(row);
    },
    async list(owner, { pageSize, pageToken, ...wanted }) {
      const { where, args } = conditions(owner, wanted);
      const { tasks: totalSize = 0 } =
        ask<{ tasks: number }>(`SELECT COUNT(*) AS tasks FROM task WHERE ${where}`).get(...args) ?? {};
      const after = readToken(pageToken);
      const rest = after === undefined ? "" : "AND (updated_at, position) < (?, ?)";
      const rows = ask<Row & { readonly updated_at: string }>(
        `SELECT position, owner, body, updated_at FROM task WHERE ${where} ${rest} ORDER BY updated_at DESC, position DESC LIMIT ?`,
      ).all(...args, ...(after ?? []), pageSize + 1);
      const page = rows.slice(0, pageSize);
      const last = page.at(-1);
      return {
        tasks: page.map(read),
        nextPageToken:
          last !== undefined && rows.length > page.length ? `${last.updated_at}~${last.position}` : "",
        totalSize,
      };
    },
    unfinished: async () => unfinished.all().map((row) => ({ owner: row.owner, task: read(row) })),
    close: () => group.close(),
  };
}

/** A task among the changes stands in place of all before it. */
function isAnew(changes: readonly WireEvent[]): boolean {
  return changes.some((change) => change.$case === "task");
}

/** What tasks are found by. */
function headOf({ contextId, status }: Task): [string, TaskState, string] {
  return [contextId, status?.state ?? TaskState.TASK_STATE_UNSPECIFIED, status?.timestamp ?? ""];
}

function conditions(
  owner: string,
  { contextId, state, updatedAfter }: Pick<TaskQuery, "contextId" | "state" | "updatedAfter">,
): { readonly where: string; readonly args: (string | number)[] } {
  const wanted: readonly (readonly [string, string | number | undefined])[] = [
    ["owner = ?", owner],
    ["context = ?", contextId],
    ["state = ?", state],
    ["updated_at > ?", updatedAfter],
  ];
  const given = wanted.flatMap(([clause, value]) => (value === undefined ? [] : [{ clause, value }]));
  return {
    where: given.map(({ clause }) => clause).join(" AND "),
    args: given.map(({ value }) => value),
  };
}

/** A token that is none of ours leads to the first page. */
function readToken(token: string): [string, number] | undefined {
  const at = token.lastIndexOf("~");
  const position = Number(token.slice(at + 1));
  return at < 0 || !Number.isSafeInteger(position) ? undefined : [token.slice(0, at), position];
}
