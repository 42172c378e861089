import { listOf, recordOf, stringOf, type JsonRecord } from "../wire/json.ts";
import type { Prompts } from "./prompts.ts";
import type { Answer } from "./raw/answer.ts";
import type { StreamEvent } from "./raw/stream.ts";
import type { Wire } from "./raw/wire.ts";
import { demand, notExercised, quote } from "./verdict.ts";

export const TERMINAL: ReadonlySet<string> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);
export const INTERRUPTED: ReadonlySet<string> = new Set([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

export function stateOf(task: JsonRecord): string {
  return stringOf(recordOf(task["status"])?.["state"]);
}

/** A message of the person, with `more` of its own. */
export function messageOf(text: string, messageId: string, more: JsonRecord = {}): JsonRecord {
  return { messageId, role: "ROLE_USER", parts: [{ text }], ...more };
}

/** The task of an answer to SendMessage. */
export function taskIn(answer: Answer): JsonRecord | undefined {
  return recordOf(recordOf(answer.result)?.["task"]);
}

/** The status of an answer in words. */
export function statusOf({ binding, status }: Answer): string {
  return `${binding === "GRPC" ? "gRPC status" : "HTTP"} ${status}`;
}

/** An operation that must succeed before anything can be said of it. */
export function succeeded(answer: Answer): JsonRecord {
  const { fault } = answer;
  demand(
    fault === undefined && recordOf(answer.result) !== undefined,
    fault === undefined
      ? `It was answered with ${statusOf(answer)} and no result: ${quote(answer.text)}.`
      : `It was refused: ${quote(fault.code)} ${quote(fault.message)}.`,
  );
  return recordOf(answer.result) ?? {};
}

/**
 * What the agent does over one binding, seen once and looked at by many. Each task that a requirement
 * changes is made for it alone.
 */
export interface Behaviour {
  /** The answer to a message that waits for the end. */
  answer(): Promise<Answer>;
  /** The task of that answer, as it was told. */
  task(): Promise<JsonRecord>;
  /** A task that has ended. */
  endedTask(): Promise<JsonRecord>;
  /** All events of a message sent for streaming, and the answer's head. */
  streamed(): Promise<Streamed>;
}

export interface Streamed {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly StreamEvent[];
}

/** @param bounded opens a wire for one use that may take only so long */
export function observe(
  bounded: <T>(use: (wire: Wire) => Promise<T>) => Promise<T>,
  prompts: Prompts,
  newId: () => string,
): Behaviour {
  const once = <T>(use: (wire: Wire) => Promise<T>): (() => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => (made ??= bounded(use));
  };
  const answer = once((wire) => wire.call("SendMessage", { message: messageOf(prompts.plain, newId()) }));
  const task = async (): Promise<JsonRecord> => {
    const result = succeeded(await answer());
    return recordOf(result["task"]) ?? notExercised("The agent answers with messages, and makes no tasks.");
  };
  return {
    answer,
    task,
    async endedTask() {
      const found = await task();
      if (!TERMINAL.has(stateOf(found))) notExercised(`The agent left its task in ${stateOf(found)}.`);
      return found;
    },
    streamed: once(async (wire) => {
      const stream = await wire.stream("SendStreamingMessage", {
        message: messageOf(prompts.plain, newId()),
      });
      const { status, headers, plain } = stream;
      demand(
        plain === undefined,
        plain?.binding === "GRPC"
          ? `It was refused: ${quote(plain.text)}.`
          : `It was answered with HTTP ${status}, ${quote(headers.get("content-type"))}: ${quote(plain?.text)}.`,
      );
      return { status, headers, events: await stream.rest() };
    }),
  };
}

/** Ids of artifacts in the order of their first appearance. */
export function artifactsOf(task: JsonRecord): readonly JsonRecord[] {
  return listOf(task["artifacts"]).map((item) => recordOf(item) ?? {});
}
