import { workflow, type WorkflowContext, type WorkflowSharedContext } from "@restatedev/restate-sdk";

import type { RunHandlers, SignalRequest } from "./run-handlers.ts";
import type { RunRequest } from "./run-request.ts";

export interface RunServiceOptions {
  readonly name: string;
  /** A run that says nothing for so long is suspended, and then costs its orchestrator nothing. */
  readonly inactivityMs: number;
  /** How long Restate waits after that for a process that does not say anything, before it takes the run away from it. */
  readonly abortMs: number;
  /** How long ended runs are known, in milliseconds. */
  readonly retentionMs: number;
  /** How often Restate tries a run again that fails in itself, with pauses up to half a minute, before it pauses it. */
  readonly maxAttempts: number;
}

export type RunService = ReturnType<typeof runService>;

/** Runs as a workflow of Restate, under these bounds. */
export function runService(handlers: RunHandlers, options: RunServiceOptions) {
  const { name, inactivityMs, abortMs, retentionMs, maxAttempts } = options;
  return workflow({
    name,
    handlers: {
      run: (restate: WorkflowContext, request: RunRequest) => handlers.run(restate, request),
      signal: (restate: WorkflowSharedContext, signal: SignalRequest) => handlers.signal(restate, signal),
      request: (restate: WorkflowSharedContext) => handlers.request(restate),
      order: (restate: WorkflowSharedContext) => handlers.order(restate),
    },
    options: {
      inactivityTimeout: inactivityMs,
      abortTimeout: abortMs,
      workflowRetention: retentionMs,
      idempotencyRetention: retentionMs,
      journalRetention: retentionMs,
      // A driver that does not fit the journal will not fit it later: it waits for the version that began it.
      onJournalMismatchErrors: "pause",
      retryPolicy: {
        initialInterval: 100,
        exponentiationFactor: 2,
        maxInterval: 30_000,
        maxAttempts,
        onMaxAttempts: "pause",
      },
    },
  });
}
