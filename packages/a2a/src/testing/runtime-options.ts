import { silentLog, silentMetrics } from "@troupe/core";

import { yieldToLoop } from "../adapters/yield-to-loop.ts";
import type { AgentRuntimeOptions } from "../server/runtime/runtime-options.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";

/** What a runtime needs, tasks in memory and text told at once, where a test says nothing else. */
export function runtimeOptions(
  given: Pick<AgentRuntimeOptions, "agent" | "clock"> & Partial<AgentRuntimeOptions>,
): AgentRuntimeOptions {
  return {
    store: createMemoryTaskStore({ clock: given.clock }),
    newId: () => crypto.randomUUID(),
    log: silentLog,
    metrics: silentMetrics,
    coalesceMs: 0,
    yieldToLoop,
    ...given,
  };
}
