import type { InputReply, InputRequest, Usage } from "@troupe/stream";

/** What a person answered, and to which question of which task. */
export interface Answer {
  readonly taskId: string;
  readonly asked: InputRequest;
  readonly reply: InputReply;
}

/** One message to the agent and what came of it: an attempt, or a reply within one. */
export interface Turn {
  /** `step#attempt`, or `step#attempt.n` for the n-th reply within it. */
  readonly key: string;
  /** `step#attempt`. */
  readonly attempt: string;
  /** Replies given within the attempt so far. */
  readonly replies: number;
  /** Of a reply; the first message of an attempt has none. */
  readonly answer?: Answer;
  /** Of a reply known from the start: the task that asked. */
  taskId?: string;
  /** Its message is under way. */
  sending: boolean;
  /** By this process; else the agent may have told of it before. */
  sent?: true;
  /** Nobody waits for it any more; a task id that still arrives is cancelled. */
  over: boolean;
  /** What it used is known: its task was awaited to the end, or to an error. */
  accounted: boolean;
  /** Its agent is told to stop, and what it used is counted then. */
  telling: boolean;
  /** What this process heard of use so far, in step functions only. */
  heard?: () => Usage;
}
