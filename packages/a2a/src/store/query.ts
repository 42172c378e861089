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

/**
 * A page of at most `size` of `rows`, which are one more than that where there is another page, and
 * where that begins: behind the last one's time and its place among those of the same time.
 */
export function pageOf<Row extends { readonly updated_at: string; readonly position: number | string }>(
  rows: readonly Row[],
  size: number,
): { readonly page: readonly Row[]; readonly nextPageToken: string } {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  if (last === undefined || rows.length === page.length) return { page, nextPageToken: "" };
  return { page, nextPageToken: `${last.updated_at}~${last.position}` };
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
