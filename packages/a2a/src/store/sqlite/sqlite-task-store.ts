import { TaskState, type Task } from "@a2a-js/sdk";
import { silentLog, systemClock, type Log, type SuspendedRuns } from "@troupe/core";
import { GroupCommit } from "@troupe/core/sqlite";
import type { Clock } from "@troupe/stream";

import { liveTask } from "../../wire/apply-event.ts";
import { isSettled } from "../../wire/state.ts";
import { storeConflict } from "../conflict.ts";
import { lostTask, readOrTell } from "../lost-task.ts";
import { keyOf } from "../key-of.ts";
import { conditions, headOf, isAnew, nextToken, pageQuery, type Head } from "../query.ts";
import { hasOutgrown, retention, type Retention, type WrittenSize } from "../retention.ts";
import { changesFromJson, changesToJson, taskFromJson, taskToJson } from "../task-json.ts";
import type { TaskStore } from "../task-store.ts";
import { openDatabase, toStoreError } from "./database.ts";
import { sqlitePush } from "./sqlite-push.ts";
import { sqliteSuspended } from "./sqlite-suspended.ts";
import { PAGE_TABLES, prepareStatements, type Kept, type Row } from "./statements.ts";

export interface SqliteTaskStoreOptions extends Retention {
  /** The file, made with its folder when it is not there. It belongs to one process at a time. */
  readonly path: string;
  /** The system's by default. */
  readonly clock?: Clock;
  /** Told of tasks that cannot be read. */
  readonly log?: Log;
}

export interface SqliteTaskStore extends TaskStore {
  /** Runs of the agent that wait for a person; for `createAgent`. */
  readonly suspended: SuspendedRuns;
  /** Writes what waits and lets go of the file. */
  close(): void;
}

/** A task that runs, as the tables have it. */
interface Running extends Kept {
  readonly size: WrittenSize;
}

/** Unfinished tasks that are read at once. */
const PAGE = 100;

/**
 * Tasks on a SQLite file. A running task is its body and the changes since, so an update costs what it
 * is long; the body is written anew when the task settles, and when the changes have outgrown it. What
 * has settled is dropped by count, age and size, oldest first. Throws a `StoreError`.
 */
export function openSqliteTaskStore(options: SqliteTaskStoreOptions): SqliteTaskStore {
  const { path, clock = systemClock, log = silentLog } = options;
  const { maxTasks, maxAgeMs, maxBytes } = retention(options);
  const db = openDatabase(path);
  const what = `the tasks in ${path}`;
  const sql = prepareStatements(db, what);

  /** What has settled, kept beside the tables so that no update has to count. */
  const settled = { tasks: 0, bytes: 0, last: 0, ...sql.total.get() };
  /** The file is this process's alone, so what was written of a task that runs need not be read again. */
  const running = new Map<string, Running>();
  /** Counters follow the tables. */
  const group = new GroupCommit(db, {
    failed: (error) => toStoreError(error, what),
    undone: () => {
      Object.assign(settled, sql.total.get());
      running.clear();
    },
  });
  const keptOf = (owner: string, id: string): Kept | undefined =>
    running.get(keyOf(owner, id)) ?? sql.kept.get(owner, id);

  const uncount = (task: Pick<Kept, "settled" | "bytes">): void => {
    if (task.settled === null) return;
    settled.tasks--;
    settled.bytes -= task.bytes;
  };
  const write = (
    owner: string,
    task: Task,
    body: string,
    before: Pick<Kept, "position" | "version" | "settled" | "bytes">,
  ): void => {
    const { position } = before;
    const rests = isSettled(task.status?.state);
    const key = keyOf(owner, task.id);
    const version = before.version + 1;
    const head = headOf(task);
    sql.dropChanges.run(position);
    uncount(before);
    if (rests) {
      settled.tasks++;
      settled.bytes += body.length;
      running.delete(key);
    } else {
      const size = { task: body.length, changes: 0 };
      running.set(key, { position, ...named(head), settled: null, bytes: body.length, version, size });
    }
    sql.writeTask.run(
      ...head,
      body.length,
      rests ? ++settled.last : null,
      rests ? clock.now() : null,
      version,
      position,
    );
    sql.writeBody.run(position, body);
  };
  const append = (key: string, task: Kept, head: Head, added: string): void => {
    const { position } = task;
    const { size = { task: 0, changes: 0 } } = running.get(key) ?? {};
    sql.insertChange.run(position, added);
    const [context, state, updatedAt] = head;
    if (context !== task.context || state !== task.state || updatedAt !== task.updated_at) {
      uncount(task);
      sql.writeHead.run(...head, position);
    }
    running.set(key, {
      ...task,
      ...named(head),
      settled: null,
      version: task.version + 1,
      size: { ...size, changes: size.changes + added.length },
    });
  };
  const outgrown = (key: string, added: string): boolean => {
    const size = running.get(key)?.size;
    return size !== undefined && hasOutgrown(size, added.length);
  };
  const retain = (): void => {
    for (let last = sql.oldest.get(); last !== undefined; last = sql.oldest.get()) {
      const few = settled.tasks <= maxTasks && settled.bytes <= maxBytes;
      if (few && clock.now() - last.settled_at <= maxAgeMs) return;
      uncount(last);
      for (const drop of sql.drops) drop.run(last.position);
    }
  };
  const store = <T>(lasting: boolean, work: () => T): Promise<T> => group.run(work, lasting);
  /** Where nothing more settles, what is there grows old all the same. */
  const dropOld = async (): Promise<void> => {
    const oldest = sql.oldest.get();
    if (oldest !== undefined && clock.now() - oldest.settled_at > maxAgeMs) await store(false, retain);
  };
  const readWhole = ({ position, body }: Row): Task => {
    const live = liveTask(taskFromJson(body));
    for (const row of sql.changesOf.all(position))
      for (const change of changesFromJson(row.body)) live.apply(change);
    return live.task;
  };
  const tryRead = (row: Row): Task | undefined => readOrTell(log, row.id, () => readWhole(row));
  const read = (row: Row): Task =>
    tryRead(row) ?? lostTask({ id: row.id, contextId: row.context, updatedAt: row.updated_at });

  return {
    async claim(owner, messageId, task, from) {
      // At once: whoever holds the task changes it from here on.
      const body = taskToJson(task);
      const { id } = task;
      // A reply that is taken twice might do twice what a person allowed once.
      const lasting = task.history.length > 1;
      const claimed = await store(lasting, () => {
        const known = sql.taskOfMessage.get(owner, messageId);
        if (known !== undefined) return { taskId: known.id, version: known.version, first: false };
        const before = keptOf(owner, id);
        // Told outside: for a throw the whole group would be done again, one by one.
        if ((before?.version ?? 0) !== from.version) return undefined;
        const fresh = { settled: null, bytes: 0, version: 0 };
        const kept = before ?? { ...fresh, position: sql.insertTask.run(owner, id) };
        sql.insertMessage.run(owner, messageId, kept.position);
        write(owner, task, body, kept);
        retain();
        return { taskId: id, version: from.version + 1, first: true };
      });
      if (claimed === undefined) throw storeConflict(id, from.version);
      return claimed;
    },
    async taskOf(owner, messageId) {
      await dropOld();
      return sql.taskOfMessage.get(owner, messageId)?.id;
    },
    async save(owner, task, changes, { version }) {
      const { id } = task;
      const key = keyOf(owner, id);
      const head = headOf(task);
      const rests = isSettled(task.status?.state);
      const added = rests ? "" : changesToJson(changes);
      // What is written whole is taken down now: the task may have moved on when its turn comes.
      const whole = rests || isAnew(changes) || outgrown(key, added) ? taskToJson(task) : undefined;
      const saved = await store(rests, () => {
        const known = keptOf(owner, id);
        if (known?.version !== version) return false;
        if (whole === undefined) append(key, known, head, added);
        else {
          write(owner, task, whole, known);
          retain();
        }
        return true;
      });
      if (!saved) throw storeConflict(id, version);
      return version + 1;
    },
    async load(owner, taskId) {
      await dropOld();
      const row = sql.oneTask.get(owner, taskId);
      return row === undefined ? undefined : { task: read(row), version: row.version };
    },
    async list(owner, query) {
      await dropOld();
      const wanted = conditions("?", owner, query);
      const page = pageQuery(PAGE_TABLES, wanted, query);
      const { tasks: totalSize = 0 } = sql.count(wanted.where).get(...wanted.args) ?? {};
      const rows = sql.page(page.text).all(...page.args);
      return { tasks: rows.map(read), nextPageToken: nextToken(rows), totalSize };
    },
    async *unfinished() {
      let position = -1;
      for (;;) {
        const rows = sql.unfinished.all(position, PAGE);
        for (const row of rows) {
          position = row.position;
          const { owner, id, version, bytes } = row;
          const task = tryRead(row);
          if (task !== undefined) yield { owner, task, version };
          else
            await store(true, () => {
              settled.tasks++;
              settled.bytes += bytes;
              running.delete(keyOf(owner, id));
              sql.setAside.run(TaskState.TASK_STATE_FAILED, ++settled.last, clock.now(), position);
            });
        }
        if (rows.length < PAGE) return;
      }
    },
    push: sqlitePush(db, group, what),
    suspended: sqliteSuspended(db, group, what, log),
    close: () => group.close(),
  };
}

function named([context, state, updated_at]: Head): Pick<Kept, "context" | "state" | "updated_at"> {
  return { context, state, updated_at };
}
