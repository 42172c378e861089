import type { Task } from "@a2a-js/sdk";
import { agentEventSchema } from "@troupe/core";
import type { AgentEvent, SettledRole } from "@troupe/stream";

import { EXT } from "./extension.ts";
import { isObject } from "./json.ts";
import type { Metadata } from "./parts.ts";

/**
 * Everything known of a text item so far. Each update carries the whole record, so that a store
 * which merges metadata key by key keeps exactly the last one.
 */
export interface TextRecord {
  readonly v: 1;
  readonly kind: "text";
  /** Turn of the task it belongs to, counted from 1. */
  readonly turn: number;
  /** Place among all that this task emitted; a snapshot is replayed in this order. */
  readonly order: number;
  readonly runId: string;
  readonly agent: string;
  readonly attempt: number;
  readonly stepId?: string;
  readonly itemId: string;
  readonly born: "open" | "answer";
  /** `seq` of the text-start and of the last delta put in. */
  readonly start: number;
  readonly seq: number;
  readonly role?: { readonly as: SettledRole; readonly seq: number };
  /** `seq` of the text-end, once it came. */
  readonly end?: number;
}

/** Events that are not text, as they were emitted. */
export interface EventsRecord {
  readonly v: 1;
  readonly kind: "events";
  readonly turn: number;
  readonly events: readonly { readonly order: number; readonly event: AgentEvent }[];
}

export type ExtRecord = TextRecord | EventsRecord;

/** Reads what stands under the extension's key; anything malformed counts as absent. */
export function readRecord(metadata: Metadata | undefined): ExtRecord | undefined {
  const value = metadata?.[EXT];
  if (!isObject(value) || value["v"] !== 1 || !isCount(value["turn"])) return undefined;
  if (value["kind"] === "text") return readText(value);
  if (value["kind"] === "events") return readEvents(value, value["turn"]);
  return undefined;
}

/** A number above all that this turn of the task has used. */
export function nextOrderIn(task: Pick<Task, "artifacts" | "metadata">, turn: number): number {
  let next = 0;
  for (const { metadata } of [...task.artifacts, task]) {
    const record = readRecord(metadata);
    if (record === undefined || record.turn !== turn) continue;
    const orders = record.kind === "text" ? [record.order] : record.events.map((entry) => entry.order);
    for (const order of orders) next = Math.max(next, order + 1);
  }
  return next;
}

/** The run that a task tells of: its own, unless its agent joined another to it. */
export function runIdOf(task: Pick<Task, "id" | "artifacts" | "metadata">): string {
  for (const { metadata } of [task, ...task.artifacts.toReversed()]) {
    const record = readRecord(metadata);
    const runId = record?.kind === "text" ? record.runId : record?.events.at(-1)?.event.runId;
    if (runId !== undefined) return runId;
  }
  return task.id;
}

function readEvents(value: Metadata, turn: number): EventsRecord | undefined {
  if (!Array.isArray(value["events"])) return undefined;
  const events: { order: number; event: AgentEvent }[] = [];
  for (const entry of value["events"] as unknown[]) {
    if (!isObject(entry) || !isCount(entry["order"])) continue;
    const event = agentEventSchema.safeParse(entry["event"]);
    if (event.success) events.push({ order: entry["order"], event: event.data });
  }
  return { v: 1, kind: "events", turn, events };
}

function readText(value: Metadata): TextRecord | undefined {
  const { turn, order, runId, agent, attempt, stepId, itemId, born, start, seq, role, end } = value;
  if (!isCount(turn) || !isCount(order) || !isCount(attempt) || !isCount(start) || !isCount(seq))
    return undefined;
  if (typeof runId !== "string" || typeof agent !== "string" || typeof itemId !== "string") return undefined;
  if (born !== "open" && born !== "answer") return undefined;
  return {
    v: 1,
    kind: "text",
    turn,
    order,
    runId,
    agent,
    attempt,
    ...(typeof stepId === "string" ? { stepId } : {}),
    itemId,
    born,
    start,
    seq,
    ...readRole(role),
    ...(isCount(end) ? { end } : {}),
  };
}

function readRole(role: unknown): Pick<TextRecord, "role"> {
  if (!isObject(role) || !isCount(role["seq"])) return {};
  const as = role["as"];
  return as === "answer" || as === "narration" ? { role: { as, seq: role["seq"] } } : {};
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
