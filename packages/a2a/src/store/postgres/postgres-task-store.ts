import { TaskState, type Task } from "@a2a-js/sdk";
import { silentLog, type Log } from "@troupe/core";
import {
  checkSchemaName,
  DuplicateKey,
  fromColumn,
  migrateSchema,
  toColumn,
  type Sql,
} from "@troupe/core/postgres";
import type { Clock } from "@troupe/stream";

import { liveTask } from "../../wire/apply-event.ts";
import { isSettled } from "../../wire/state.ts";
import { storeConflict } from "../conflict.ts";
import { keyOf } from "../key-of.ts";
import { lostTask, readOrTell } from "../lost-task.ts";
import { conditions, headOf, isAnew, nextToken, pageQuery, type Found } from "../query.ts";
import { hasOutgrown, retention, type Retention, type WrittenSize } from "../retention.ts";
import type { SharedTasks } from "../shared-tasks.ts";
import { changesFromJson, changesToJson, taskFromJson, taskToJson } from "../task-json.ts";
import type { Claim, StoredTask, TaskStore } from "../task-store.ts";
import { postgresPush } from "./postgres-push.ts";
import { ANEW, postgresShared } from "./postgres-shared.ts";
import { DEFAULT_SCHEMA, MIGRATIONS } from "./schema.ts";
import { statements, type Row } from "./statements.ts";
import { createSweep } from "./sweep.ts";

export interface PostgresTasksOptions extends Retention {
  /** Where the tables are, made when it is not there. Agents of different kinds take different ones; `troupe` by default. */
  readonly schema?: string;
  /** Time for leases and retention; the database's own by default, so that replicas agree on it. */
  readonly clock?: Pick<Clock, "now">;
  /** Milliseconds between two looks at what is to be dropped, 10,000 by default. */
  readonly sweepMs?: number;
  /** Milliseconds after which a replica that fell silent loses its tasks, 5,000 by default. */
  readonly leaseMs?: number;
  /** Told of tasks that cannot be read, and of trouble with connections. */
  readonly log?: Log;
}

export type PostgresTasks = TaskStore & { readonly shared: SharedTasks };

const SWEEP_MS = 10_000;
const LEASE_MS = 5_000;
/** Unfinished tasks that are read at once. */
const PAGE = 100;

/**
 * Tasks in Postgres, for any number of replicas. A running task is its body and a journal of changes
 * since, so an update is one short row; the body is written anew when the task settles, and when the
 * changes have outgrown it. Every change is one statement, so a connection that breaks leaves nothing
 * half done. Throws a `StoreError`.
 */
export async function tasksInPostgres(
  sql: Sql,
  options: PostgresTasksOptions,
  what: string,
): Promise<PostgresTasks> {
  const { clock, sweepMs = SWEEP_MS, leaseMs = LEASE_MS, log = silentLog } = options;
  const schema = checkSchemaName(options.schema ?? DEFAULT_SCHEMA);
  await migrateSchema(sql, { schema, migrations: MIGRATIONS, what });
  const text = statements(schema);
  const now = (): number | null => clock?.now() ?? null;
  const sweep = createSweep({ sql, text, now, log, sweepMs, limits: retention(options) });
  /** Characters that tasks written from here have in changes since they were written whole. */
  const pending = new Map<string, WrittenSize>();

  const readWhole = ({ body, changes }: Row): Task => {
    const live = liveTask(taskFromJson(body));
    for (const added of changes) {
      if (added === ANEW) continue;
      for (const change of changesFromJson(added)) live.apply(change);
    }
    return live.task;
  };
  const tryRead = (row: Row): Task | undefined => readOrTell(log, row.id, () => readWhole(row));
  const read = (row: Row): Task => {
    const head = { id: fromColumn(row.id), contextId: fromColumn(row.context), updatedAt: row.updated_at };
    return tryRead(row) ?? lostTask(head);
  };
  const stored = ({ version, holder, alive }: Row, task: Task): StoredTask => ({
    task,
    version,
    ...(holder === null ? {} : { holder: { id: holder, alive } }),
  });
  const known = async (owner: string, messageId: string): Promise<Claim | undefined> => {
    const args = [toColumn(owner), toColumn(messageId)];
    const [row] = await sql.query<{ id: string; version: number }>(text.taskOfMessage, args);
    return row === undefined ? undefined : { taskId: fromColumn(row.id), version: row.version, first: false };
  };
  const columns = (task: Task) => {
    const [contextId, state, updatedAt] = headOf(task);
    return [toColumn(contextId), state, updatedAt] as const;
  };
  const wrote = (owner: string, task: Task, body: string): void => {
    if (isSettled(task.status?.state)) pending.delete(keyOf(owner, task.id));
    else pending.set(keyOf(owner, task.id), { task: body.length, changes: 0 });
  };

  return {
    async claim(owner, messageId, task, { version, holder = null }) {
      // At once: whoever holds the task changes it from here on.
      const body = taskToJson(task);
      const { id } = task;
      const args = [toColumn(owner), toColumn(id), version, ANEW, ...columns(task), body];
      const rest = [isSettled(task.status?.state), now(), holder, toColumn(messageId)];
      try {
        const [claimed] = await sql.query(version === 0 ? text.claimNew : text.claimNext, [...args, ...rest]);
        if (claimed !== undefined) {
          wrote(owner, task, body);
          await sweep();
          return { taskId: id, version: version + 1, first: true };
        }
      } catch (error) {
        // The same message was claimed at the same moment.
        if (!(error instanceof DuplicateKey)) throw error;
      }
      const before = await known(owner, messageId);
      if (before === undefined) throw storeConflict(id, version);
      return before;
    },
    async taskOf(owner, messageId) {
      await sweep();
      return (await known(owner, messageId))?.taskId;
    },
    async save(owner, task, changes, { version }) {
      const key = keyOf(owner, task.id);
      const anew = isAnew(changes);
      const added = anew ? ANEW : changesToJson(changes);
      const rests = isSettled(task.status?.state);
      const size = pending.get(key) ?? { task: 0, changes: 0 };
      const outgrown = hasOutgrown(size, added.length);
      const begin = [toColumn(owner), toColumn(task.id), version, added];
      const save = async (): Promise<readonly unknown[]> => {
        if (rests || anew || outgrown) {
          const body = taskToJson(task);
          const saved = await sql.query(text.write, [...begin, ...columns(task), body, rests, now()]);
          if (saved.length > 0) wrote(owner, task, body);
          return saved;
        }
        pending.set(key, { ...size, changes: size.changes + added.length });
        return changes.some((change) => change.$case === "statusUpdate")
          ? sql.query(text.appendHead, [...begin, ...columns(task)])
          : sql.query(text.append, begin);
      };
      if ((await save()).length === 0) {
        pending.delete(key);
        throw storeConflict(task.id, version);
      }
      await sweep();
      return version + 1;
    },
    async load(owner, taskId) {
      await sweep();
      const [row] = await sql.query<Row>(text.load, [toColumn(owner), toColumn(taskId), now()]);
      return row === undefined ? undefined : stored(row, read(row));
    },
    async list(owner, query) {
      await sweep();
      const { contextId } = query;
      const context = contextId === undefined ? {} : { contextId: toColumn(contextId) };
      const wanted = conditions("$", toColumn(owner), { ...query, ...context });
      const page = pageQuery(text.page, wanted, query);
      const [counted] = await sql.query<{ tasks: number }>(text.count(wanted.where), wanted.args);
      const rows = await sql.query<Row & Found>(page.text, page.args);
      return { tasks: rows.map(read), nextPageToken: nextToken(rows), totalSize: counted?.tasks ?? 0 };
    },
    async *unfinished() {
      let position = 0;
      for (;;) {
        const rows = await sql.query<Row>(text.unfinished, [position, PAGE, now()]);
        for (const row of rows) {
          position = row.position;
          const task = tryRead(row);
          if (task === undefined)
            await sql.query(text.setAside, [position, TaskState.TASK_STATE_FAILED, now()]);
          else yield { ...stored(row, task), owner: fromColumn(row.owner) };
        }
        if (rows.length < PAGE) return;
      }
    },
    push: postgresPush(sql, schema),
    shared: postgresShared({ sql, text, leaseMs, now }),
  };
}
