import { NO_USAGE } from "@troupe/stream";

import type { Middleware, RunView } from "../middleware/middleware.ts";
import { silentLog } from "../ports/log.ts";
import type { ModelRequest } from "../ports/model.ts";

/** A run as a middleware sees it at its first round, with what `changes` puts in its place. */
export function runView(changes: Partial<RunView> = {}): RunView {
  return {
    runId: "run-1",
    agent: "tester",
    modelId: "scripted",
    userId: "ann",
    signal: new AbortController().signal,
    log: silentLog,
    limits: {},
    iteration: 1,
    usage: NO_USAGE,
    spent: NO_USAGE,
    calls: [],
    files: [],
    ...changes,
  };
}

/** The request as a middleware changes it, which must not wait for anything. */
export function changedBy(middleware: Middleware, request: ModelRequest, run = runView()): ModelRequest {
  const changed = middleware.beforeModel?.(request, run);
  if (changed === undefined || changed instanceof Promise) {
    throw new Error(`${middleware.name} does not change the request at once`);
  }
  return changed;
}
