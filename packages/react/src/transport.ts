import type { AgentEvent, InputReply, Json } from "@troupe/stream";

export interface ChatRequest {
  /** The same when a request is made again: an agent of ours then does nothing twice. */
  readonly messageId: string;
  readonly threadId: string;
  readonly text?: string;
  readonly reply?: InputReply;
  /** The task that asked, when this answers it. */
  readonly taskId?: string;
  readonly metadata?: { readonly [key: string]: Json };
}

/** A task of a thread, as far as it is known without reading it. */
export interface ChatTask {
  readonly taskId: string;
  /** What the person said to begin it. */
  readonly text?: string;
}

export interface ChatCallOptions {
  /** Ends the reading; the agent works on. */
  readonly signal: AbortSignal;
}

export interface ChatSendOptions extends ChatCallOptions {
  /** To be called as soon as the task is known: before that it can be neither canceled nor joined. */
  readonly onTask: (taskId: string) => void;
}

/** The way to an agent. Errors of Troupe are shown as they are, others without their message. */
export interface ChatTransport {
  /** Asks, and follows until the finish, which comes last and once. */
  send(request: ChatRequest, options: ChatSendOptions): AsyncIterable<AgentEvent>;
  /** The events of a task from its start, whether it runs or has ended. */
  join(taskId: string, options: ChatCallOptions): AsyncIterable<AgentEvent>;
  cancel(taskId: string): Promise<void>;
  /** The tasks of a thread, oldest first. `agent.protocol` when the agent cannot tell. */
  tasks?(threadId: string, options: ChatCallOptions): Promise<readonly ChatTask[]>;
}
