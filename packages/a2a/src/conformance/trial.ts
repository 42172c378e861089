import { recordOf, stringOf, type JsonRecord } from "../wire/json.ts";
import {
  INTERRUPTED,
  messageOf,
  stateOf,
  statusOf,
  succeeded,
  taskIn,
  TERMINAL,
  type Behaviour,
} from "./behaviour.ts";
import type { Prompts } from "./prompts.ts";
import { FAULTS, INVALID, type FaultName } from "./raw/faults.ts";
import type { Answer } from "./raw/answer.ts";
import type { EventStream } from "./raw/stream.ts";
import type { Wire } from "./raw/wire.ts";
import type { Target } from "./target.ts";
import { demand, notExercised, quote } from "./verdict.ts";

/** Headers of further callers, where the agent knows more than one. */
export interface Callers {
  /** Somebody else, with the right to use the agent. */
  readonly other?: { readonly [name: string]: string };
  /** Somebody known, without that right. */
  readonly unprivileged?: { readonly [name: string]: string };
}

/** Takes notifications for the agent to deliver. */
export interface Receiver {
  /** The agent must be able to reach it. */
  readonly url: string;
  /** The next that arrives. */
  next(
    signal: AbortSignal,
  ): Promise<{ readonly headers: { readonly [name: string]: string }; readonly body: unknown }>;
}

/** One requirement tried over one binding. */
export interface Trial {
  readonly target: Target;
  readonly wire: Wire;
  /** Those of all bindings, this one too. */
  readonly wires: readonly Wire[];
  readonly behaviour: Behaviour;
  readonly prompts: Prompts;
  readonly callers: Callers;
  readonly receiver: Receiver | undefined;
  /** Headers that make the usual caller known; empty when anybody may call. */
  readonly credentials: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  readonly newId: () => string;
  /** A plain request, to the card for example. */
  readonly get: (url: string, headers?: { readonly [name: string]: string }) => Promise<Response>;
  /** The wire as it is spoken to a 0.3 interface. */
  readonly legacy: () => Wire;
  /** Done when the requirement has been tried, whatever came of it. */
  readonly after: (work: () => Promise<unknown>) => void;
}

/** A new message with the text of a prompt. */
export function say(trial: Trial, prompt: keyof Prompts, more: JsonRecord = {}): JsonRecord {
  return messageOf(trial.prompts[prompt], trial.newId(), more);
}

/** Sends and does not wait; the task is canceled afterwards if it still runs. */
export async function running(trial: Trial): Promise<JsonRecord> {
  const answer = await trial.wire.call("SendMessage", {
    message: say(trial, "long"),
    configuration: { returnImmediately: true },
  });
  succeeded(answer);
  const task = taskIn(answer) ?? notExercised("The agent answers with messages, and makes no tasks.");
  if (TERMINAL.has(stateOf(task)) || INTERRUPTED.has(stateOf(task)))
    notExercised(`The agent works on nothing for long: its task was ${stateOf(task)} at once.`);
  trial.after(() => trial.wire.call("CancelTask", { id: task["id"] }));
  return task;
}

/** A task that waits for its caller. It is canceled afterwards. */
export async function interrupted(trial: Trial, prompt: "ask" | "authorize" = "ask"): Promise<JsonRecord> {
  const answer = await trial.wire.call("SendMessage", { message: say(trial, prompt) });
  succeeded(answer);
  const task = taskIn(answer) ?? notExercised("The agent answers with messages, and makes no tasks.");
  const wanted = prompt === "ask" ? "TASK_STATE_INPUT_REQUIRED" : "TASK_STATE_AUTH_REQUIRED";
  trial.after(() => trial.wire.call("CancelTask", { id: task["id"] }));
  if (stateOf(task) !== wanted) notExercised(`The agent did not come to ${wanted}, but to ${stateOf(task)}.`);
  return task;
}

export async function reload(trial: Trial, id: unknown): Promise<JsonRecord> {
  return succeeded(await trial.wire.call("GetTask", { id }));
}

/** Subscribes to a task that was running; it may have ended before. */
export async function follow(trial: Trial, id: unknown): Promise<EventStream> {
  const stream = await trial.wire.stream("SubscribeToTask", { id });
  if (stream.plain === undefined) return stream;
  const state = stateOf(await reload(trial, id));
  if (TERMINAL.has(state)) notExercised("The task ended before it could be subscribed to.");
  return demandStream(stream, `${statusOf(stream.plain)} ${quote(stream.plain.fault?.message)}`);
}

function demandStream(stream: EventStream, problem: string): EventStream {
  demand(stream.plain === undefined, `Subscribing to a task that is at work was refused: ${problem}.`);
  return stream;
}

/** The answer is this error of the protocol, by the code of its binding. */
export function expectFault(answer: Answer, name: FaultName): void {
  const { rpc, http, grpc, reason } = FAULTS[name];
  const wanted = { JSONRPC: rpc, "HTTP+JSON": http, GRPC: grpc }[answer.binding];
  const { fault } = answer;
  demand(fault !== undefined, `It was not refused, but answered: ${quote(answer.text)}.`);
  demand(
    fault.code === wanted,
    `It was refused with ${quote(fault.code)} ${quote(fault.message)}, not with ${name} (${wanted}).`,
  );
  demand(
    fault.reason === "" || fault.reason === reason,
    `It was refused with the reason ${quote(fault.reason)}, not with ${reason}.`,
  );
}

/** The answer says that the request is not valid. */
export function expectInvalid(answer: Answer): void {
  const wanted = INVALID[answer.binding];
  const { fault } = answer;
  demand(fault !== undefined, `It was not refused, but answered: ${quote(answer.text)}.`);
  demand(
    fault.code === wanted,
    `It was refused with ${quote(fault.code)} ${quote(fault.message)}, not as an invalid request (${wanted}).`,
  );
}

/** The refusal of an operation whose answer would be a stream. */
export async function streamRefusal(stream: EventStream, trial: Trial): Promise<Answer> {
  trial.after(() => stream.close());
  if (stream.plain !== undefined) return stream.plain;
  // JSON-RPC may tell it as the one event of a stream.
  const first = await stream.next();
  const told = first?.body ?? {};
  return {
    binding: trial.wire.binding,
    status: stream.status,
    headers: stream.headers,
    text: JSON.stringify(told),
    garbled: false,
    body: told,
    result: first?.fault === undefined ? told : undefined,
    fault: first?.fault,
  };
}

/** The message that goes with a status. */
export function statusMessage(task: JsonRecord): JsonRecord | undefined {
  return recordOf(recordOf(task["status"])?.["message"]);
}

export function timestampOf(task: JsonRecord): string {
  return stringOf(recordOf(task["status"])?.["timestamp"]);
}
