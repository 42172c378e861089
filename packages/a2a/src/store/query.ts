import { InputError } from "@troupe/core";
import { TaskState, type Task } from "@a2a-js/sdk";

import type { WireEvent } from "../wire/parts.ts";
import type { TaskQuery } from "./task-store.ts";

// What stores with SQL say in the same words.

/** A task among the changes stands in place of all before it. */
export function isAnew(changes: readonly WireEvent[]): boolean {
  return changes.some((change) => change.$case === "task");
}

/** What tasks are found by: context, state, time of the status. */
export type Head = readonly [contextId: string, state: TaskState, updatedAt: string];

export function headOf({ contextId, status }: Task): Head {
  return [contextId, status?.state ?? TaskState.TASK_STATE_UNSPECIFIED, status?.timestamp ?? ""];
}

/** The condition of a query with numbered places, `sign` and a number from 1, and what goes there. */
export function conditions(
  sign: "?" | "$",
  owner: string,
  { contextId, state, updatedAfter }: Pick<TaskQuery, "contextId" | "state" | "updatedAfter">,
): { readonly where: string; readonly args: (string | number)[] } {
  const wanted: readonly (readonly [string, string | number | undefined])[] = [
    ["owner =", owner],
    ["context =", contextId],
    ["state =", state],
    ["updated_at >", updatedAfter],
  ];
  const given = wanted.flatMap(([clause, value]) => (value === undefined ? [] : [{ clause, value }]));
  return {
    where: given.map(({ clause }, index) => `${clause} ${sign}${index + 1}`).join(" AND "),
    args: given.map(({ value }) => value),
  };
}

/** How a store's tables are asked for a page. */
export interface PageTables {
  readonly sign: "?" | "$";
  /** Name of the table of tasks. */
  readonly table: string;
  /** Bytes of a task, as an expression that reads nothing of what it says. */
  readonly size: string;
  /** A statement that reads tasks and `found`, without a condition. */
  readonly rows: string;
}

/**
 * The statement for a page of tasks, newest first, and its arguments. It counts what the first tasks take
 * and reads those that fit; each row says how many were `found`, of which one may be behind the page.
 */
export function pageQuery(
  { sign, table, size, rows }: PageTables,
  { where, args }: ReturnType<typeof conditions>,
  { pageToken, pageSize, maxBytes = Number.MAX_SAFE_INTEGER }: TaskQuery,
): { readonly text: string; readonly args: (string | number)[] } {
  const all = [...args];
  const place = (arg: string | number): string => `${sign}${all.push(arg)}`;
  const after = readToken(pageToken);
  const rest =
    after === undefined ? "" : `AND (updated_at, position) < (${after.map((arg) => place(arg)).join(", ")})`;
  const text = `WITH first AS (
SELECT position AS at, updated_at AS updated, ${size} AS size FROM ${table} WHERE ${where} ${rest}
ORDER BY updated_at DESC, position DESC LIMIT ${place(pageSize + 1)}
), sized AS (
SELECT at, CAST(COUNT(*) OVER () AS INTEGER) AS found, ROW_NUMBER() OVER newer AS n, SUM(size) OVER newer AS total
FROM first WINDOW newer AS (ORDER BY updated DESC, at DESC ROWS UNBOUNDED PRECEDING)
)
${rows} JOIN sized ON sized.at = task.position
WHERE n <= ${place(pageSize)} AND (n = 1 OR total <= ${place(maxBytes)}) ORDER BY n`;
  return { text, args: all };
}

/** A row of a page. */
export interface Found {
  readonly updated_at: string;
  readonly position: number | string;
  readonly found: number;
}

/** Where the page behind these rows begins: behind the last one's time and its place among those of the same time. */
export function nextToken(rows: readonly Found[]): string {
  const last = rows.at(-1);
  return last === undefined || last.found === rows.length ? "" : `${last.updated_at}~${last.position}`;
}

/** Undefined for the empty one, which leads to the first page. Throws an `InputError` for one that is none of ours. */
export function readToken(token: string): readonly [updatedAt: string, position: number] | undefined {
  if (token === "") return undefined;
  const [, updatedAt, place] = /^([^~]*)~(\d{1,15})$/.exec(token) ?? [];
  if (updatedAt === undefined)
    throw new InputError(
      "input.invalid",
      `pageToken "${token.slice(0, 100)}" is none that a list of tasks was answered with.`,
    );
  return [updatedAt, Number(place)];
}
