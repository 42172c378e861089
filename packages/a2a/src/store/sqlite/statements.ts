import type { TaskState } from "@a2a-js/sdk";

import type { Found, PageTables } from "../query.ts";
import { query, type Database, type Query } from "./database.ts";

/** A task as tables know it, without what it says. */
export interface Kept {
  readonly position: number;
  readonly context: string;
  readonly state: TaskState;
  readonly updated_at: string;
  /** Order in which tasks settled; null while it runs. */
  readonly settled: number | null;
  readonly bytes: number;
  /** Of the task with its changes. */
  readonly version: number;
}

export interface Row extends Kept {
  readonly owner: string;
  readonly id: string;
  readonly body: string;
}

const VERSION =
  "task.version + (SELECT COALESCE(MAX(change.position) + 1, 0) FROM change WHERE change.task = task.position) AS version";
const KEPT = `task.position, context, state, updated_at, settled, bytes, ${VERSION}`;
const rowsOf = (also = ""): string =>
  `SELECT ${KEPT}, owner, task.id, body${also} FROM task JOIN body ON body.task = task.position`;
const ROWS = rowsOf();

/** The length of a text in octets stands in the head of its row. */
export const PAGE_TABLES: PageTables = {
  sign: "?",
  table: "task",
  size: "bytes + (SELECT COALESCE(SUM(octet_length(change.body)), 0) FROM change WHERE change.task = task.position)",
  rows: rowsOf(", found"),
};

/** Every statement by which tasks are kept, prepared once. */
export function prepareStatements(db: Database, what: string) {
  const ask = <Result = never>(sql: string) => query<Result>(db, sql, what);
  /** By their text, one for each kind of question: to prepare them anew costs a third of a list. */
  const counts = new Map<string, Query<{ tasks: number }>>();
  const pages = new Map<string, Query<Row & Found>>();
  const kept = <Result>(known: Map<string, Query<Result>>, sql: string): Query<Result> => {
    const made = known.get(sql) ?? ask<Result>(sql);
    known.set(sql, made);
    return made;
  };
  return {
    count: (where: string) => kept(counts, `SELECT COUNT(*) AS tasks FROM task WHERE ${where}`),
    page: (sql: string) => kept(pages, sql),
    taskOfMessage: ask<{ id: string; version: number }>(
      `SELECT task.id, ${VERSION} FROM message JOIN task ON task.position = message.task WHERE message.owner = ? AND message.id = ?`,
    ),
    kept: ask<Kept>(`SELECT ${KEPT} FROM task WHERE owner = ? AND id = ?`),
    insertTask: ask(
      "INSERT INTO task (owner, id, context, state, updated_at, bytes, version) VALUES (?, ?, '', 0, '', 0, 0)",
    ),
    insertMessage: ask("INSERT INTO message (owner, id, task) VALUES (?, ?, ?)"),
    writeTask: ask(
      "UPDATE task SET context = ?, state = ?, updated_at = ?, bytes = ?, settled = ?, settled_at = ?, version = ? WHERE position = ?",
    ),
    writeBody: ask("INSERT INTO body VALUES (?, ?) ON CONFLICT (task) DO UPDATE SET body = excluded.body"),
    writeHead: ask(
      "UPDATE task SET context = ?, state = ?, updated_at = ?, settled = NULL, settled_at = NULL WHERE position = ?",
    ),
    setAside: ask(
      "UPDATE task SET state = ?, settled = ?, settled_at = ?, version = version + 1 WHERE position = ?",
    ),
    insertChange: ask(
      "INSERT INTO change SELECT ?1, COALESCE(MAX(position) + 1, 0), ?2 FROM change WHERE task = ?1",
    ),
    changesOf: ask<{ body: string }>("SELECT body FROM change WHERE task = ? ORDER BY position"),
    dropChanges: ask("DELETE FROM change WHERE task = ?"),
    drops: ["change", "message", "body", "push"]
      .map((table) => ask(`DELETE FROM ${table} WHERE task = ?`))
      .concat(ask("DELETE FROM task WHERE position = ?")),
    oneTask: ask<Row>(`${ROWS} WHERE owner = ? AND task.id = ?`),
    unfinished: ask<Row>(
      `${ROWS} WHERE settled IS NULL AND task.position > ? ORDER BY task.position LIMIT ?`,
    ),
    oldest: ask<Kept & { readonly settled_at: number }>(
      `SELECT ${KEPT}, settled_at FROM task WHERE settled IS NOT NULL ORDER BY settled LIMIT 1`,
    ),
    total: ask<{ tasks: number; bytes: number; last: number }>(
      "SELECT COUNT(*) AS tasks, COALESCE(SUM(bytes), 0) AS bytes, COALESCE(MAX(settled), 0) AS last FROM task WHERE settled IS NOT NULL",
    ),
  };
}
