import type { Task } from "@a2a-js/sdk";
import type { Log, Metrics, RunnableAgent } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { TaskStore } from "../../store/task-store.ts";
import type { TaskRun } from "./task-run.ts";

export interface AgentRuntimeOptions {
  readonly agent: RunnableAgent;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly coalesceMs: number;
  /** See `ServeAgentOptions`. */
  readonly handOver?: boolean;
  readonly yieldToLoop: () => Promise<void>;
}

/** A task as a reader finds it: being worked on, or at rest. */
export type Found = { readonly run: TaskRun } | { readonly task: Task };
