import type { AgentProfile, CallerOptions } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";

import type { RemoteRequest } from "../wire/request.ts";

export interface CallOptions extends CallerOptions {
  readonly signal: AbortSignal;
}

export interface StreamOptions extends CallOptions {
  /** Called once, as soon as the agent has named the task, which may be long before its first event. */
  readonly onTask?: (taskId: string) => void;
}

/** A task as a list of them tells it. */
export interface ListedTask {
  readonly taskId: string;
  /** What it was begun with, in words. */
  readonly text: string;
}

/** An agent that can be called, wherever it runs. Calls throw an `AgentError`. */
export interface AgentConnection {
  readonly profile: AgentProfile;
  /** Asks and follows until the finish, which comes last and once. Survives a broken connection. */
  stream(request: RemoteRequest, options: StreamOptions): AsyncIterable<AgentEvent>;
  /** Returns as soon as the task is known; the agent works on. */
  send(request: RemoteRequest, options: CallOptions): Promise<{ readonly taskId: string }>;
  /** Follows a task from its start: what was before arrives first, nothing twice. */
  join(taskId: string, options: CallOptions): AsyncIterable<AgentEvent>;
  cancel(taskId: string, options?: CallerOptions): Promise<void>;
  /** Overview of the agent's data, see `RunnableAgent.overview`. Undefined if it has none; never throws. */
  overview(collectionId: string | undefined, options: CallOptions): Promise<string | undefined>;
}
