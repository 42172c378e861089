import assert from "node:assert/strict";

import { Role, TaskState, type Message, type Task } from "@a2a-js/sdk";
import { isTroupeError } from "@troupe/core";

import type { TaskQuery, TaskStore } from "../../store/task-store.ts";
import { artifactOf, dataPart, textPart, type WireEvent } from "../../wire/parts.ts";

export const ALL: TaskQuery = { pageSize: 50, pageToken: "" };

export interface TaskFields {
  readonly state?: TaskState;
  readonly timestamp?: string;
  readonly contextId?: string;
  readonly text?: string;
}

export function taskWith(id: string, fields: TaskFields = {}): Task {
  const { state = TaskState.TASK_STATE_WORKING, timestamp = "2026-01-01T00:00:00.000Z" } = fields;
  const { contextId = "c", text } = fields;
  return {
    id,
    contextId,
    status: { state, message: undefined, timestamp },
    artifacts: text === undefined ? [] : [artifactOf("a", "streaming_result", [textPart(text)])],
    history: [],
    metadata: undefined,
  };
}

export function doneTask(id: string, fields: TaskFields = {}): Task {
  return taskWith(id, { state: TaskState.TASK_STATE_COMPLETED, ...fields });
}

export function said(messageId: string, text: string): Message {
  const raw = { ...textPart(""), content: { $case: "raw" as const, value: Buffer.from("bytes") } };
  return {
    messageId,
    contextId: "c",
    taskId: "t",
    role: Role.ROLE_USER,
    parts: [textPart(text), dataPart({ any: [1, "two"] }), raw],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export function chunk(text: string, append: boolean): WireEvent {
  const artifact = artifactOf("a", "streaming_result", [textPart(text)]);
  const value = { taskId: "t", contextId: "c", artifact, append, lastChunk: false, metadata: undefined };
  return { $case: "artifactUpdate", value };
}

export function status(state: TaskState, metadata?: { readonly [key: string]: unknown }): WireEvent {
  const timestamp = "2026-01-02T00:00:00.000Z";
  const at = { state, message: undefined, timestamp };
  return { $case: "statusUpdate", value: { taskId: "t", contextId: "c", status: at, metadata } };
}

/** The ids of all that an owner has, newest status first. */
export async function idsOf(store: TaskStore, owner: string, query: Partial<TaskQuery> = {}) {
  return (await store.list(owner, { ...ALL, ...query })).tasks.map((task) => task.id);
}

export async function refused(change: Promise<unknown>): Promise<void> {
  await assert.rejects(change, (error) => isTroupeError(error) && error.code === "store.conflict");
}
