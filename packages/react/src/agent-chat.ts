import type { Clock, InputReply, Json } from "@troupe/stream";

import type { Frames } from "./adapters/animation-frames.ts";
import type { AgentChatState } from "./chat-state.ts";
import type { ChatTask, ChatTransport } from "./transport.ts";

export interface AgentChatOptions {
  readonly transport: ChatTransport;
  /** The conversation to go on with, a new one when absent. Its tasks are read where the agent lists them. */
  readonly threadId?: string;
  /** Tasks of the thread that are known, oldest first: the agent is not asked for a list then. */
  readonly tasks?: readonly ChatTask[];
  /**
   * What sending does while the agent works. `cancel`, the default: what it works on is canceled, and
   * what was sent follows. `queue`: what was sent waits for its end.
   */
  readonly whileRunning?: "cancel" | "queue";
  /** Goes with every message. */
  readonly metadata?: { readonly [key: string]: Json };
  readonly clock?: Clock;
  /** When to tell about changes, once for all that happened since the last time. */
  readonly frames?: Frames;
  readonly newId?: () => string;
}

/** A conversation with an agent, without any framework. */
export interface AgentChat {
  readonly getState: () => AgentChatState;
  /** Calls `listener` when the state is another. Returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Begins to read: the thread as it was, what still runs, and the answers to what is sent. */
  readonly connect: () => void;
  /** Ends the reading, and no task: `connect` takes up what runs. */
  readonly disconnect: () => void;
  /** Says something, also in answer to what is asked. See `whileRunning`. */
  readonly send: (text: string) => void;
  /** Answers a form or calls to approve. Throws a `ChatError` when nobody asks for that any more. */
  readonly reply: (reply: InputReply) => void;
  /** Tries the last turn again: the same request where it was not told to its end, else a new one. */
  readonly resend: () => void;
  /** Cancels the task that runs or waits, and forgets what is queued. */
  readonly stop: () => void;
}
