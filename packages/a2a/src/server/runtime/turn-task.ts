import { TaskState, type Message, type Task } from "@a2a-js/sdk";
import type { Turn } from "@troupe/core";

import { EXT } from "../../wire/extension.ts";
import { textOf } from "../../wire/parts.ts";
import { readRecord } from "../../wire/records.ts";

/** Which turn a task is in, counted from 1. */
export function turnOf(task: Task): number {
  return readRecord(task.metadata)?.turn ?? 1;
}

/** The task as a turn begins, with the question it had asked and the message in its history. */
export function taskForTurn(options: {
  readonly message: Message;
  readonly before: Task | undefined;
  readonly turn: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** It waits for another turn to be over. */
  readonly waits?: boolean;
}): Task {
  const { message, before, turn, now, waits = false } = options;
  const asked = before?.status?.message;
  return {
    id: message.taskId,
    contextId: message.contextId,
    status: {
      state: waits ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING,
      message: undefined,
      timestamp: new Date(now).toISOString(),
    },
    artifacts: before?.artifacts ?? [],
    history: [...(before?.history ?? []), ...(asked === undefined ? [] : [asked]), message],
    metadata: { ...before?.metadata, ...emptyTurn(turn) },
  };
}

/** What a task's metadata begins a turn with. */
export function emptyTurn(turn: number): { readonly [EXT]: object } {
  return { [EXT]: { v: 1, kind: "events", turn, events: [] } };
}

/** What the agent asked last, as a turn of the conversation. */
export function questionOf(task: Task | undefined): readonly Turn[] {
  const text = textOf(task?.status?.message?.parts ?? []);
  return text === "" ? [] : [{ role: "agent", text }];
}
