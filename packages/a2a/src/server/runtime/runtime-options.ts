import type { Task } from "@a2a-js/sdk";
import type { Log, Metrics, RunnableAgent } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { TaskStore } from "../../store/task-store.ts";
import type { LogCapacity } from "./event-log.ts";

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
  /** See `ServeAgentOptions`. */
  readonly whenBusy?: WhenBusy;
  /** Told when a turn begins and when it is over, in the order in which that happens. */
  readonly changed?: (
    task: { readonly owner: string; readonly taskId: string },
    snapshot: () => Task,
  ) => void;
  /** Of each running turn, how far a reader may be behind before it is let go: 4,000 updates or 4 MiB. */
  readonly replay?: LogCapacity;
  readonly yieldToLoop: () => Promise<void>;
}

/**
 * What becomes of a message to a task that is being worked on. Queued it is a task of its own in the
 * same conversation, submitted at once and begun when that one has settled.
 */
export type WhenBusy = "refuse" | "queue";
