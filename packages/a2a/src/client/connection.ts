import type { AgentProfile } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";

import type { RemoteRequest } from "../wire/request.ts";

export interface CallOptions {
  readonly signal: AbortSignal;
}

/** An agent that can be called, wherever it runs. Calls throw an `AgentError`. */
export interface AgentConnection {
  readonly profile: AgentProfile;
  /** Asks and follows until the finish, which comes last and once. Survives a broken connection. */
  stream(request: RemoteRequest, options: CallOptions): AsyncIterable<AgentEvent>;
  /** Returns as soon as the task is known; the agent works on. */
  send(request: RemoteRequest, options: CallOptions): Promise<{ readonly taskId: string }>;
  /** Follows a task from its start: what was before arrives first, nothing twice. */
  join(taskId: string, options: CallOptions): AsyncIterable<AgentEvent>;
  cancel(taskId: string): Promise<void>;
}
