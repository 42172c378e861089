import { InputError } from "@troupe/core";
import { RUN_STATUSES, type RunStatus } from "@troupe/workflow";

import type { RunsFilter } from "../orchestrator/list-runs.ts";

/** Runs one answer holds at most. */
export const MAX_RUNS = 1_000;

/**
 * Reads `limit` (100 by default), `before` (id of a run: only those older than it) and `status`, which may be
 * there several times. Throws an `InputError`.
 */
export function runsQuery(given: URLSearchParams): RunsFilter {
  const limit = Number(given.get("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RUNS)
    throw new InputError(
      "input.invalid",
      `"${given.get("limit")}" is no number of runs. Ask for 1 to ${MAX_RUNS}.`,
    );
  const before = given.get("before");
  const status = given.getAll("status").map(readStatus);
  return {
    limit,
    ...(before === null ? {} : { before }),
    ...(status.length === 0 ? {} : { status }),
  };
}

/** Throws an `InputError` for what is no state of a run; `waiting` is what people call `input-required`. */
export function readStatus(text: string): RunStatus {
  const found = RUN_STATUSES.find((status) => status === (text === "waiting" ? "input-required" : text));
  if (found !== undefined) return found;
  throw new InputError(
    "input.invalid",
    `"${text}" is no state of a run. There are ${["waiting", ...RUN_STATUSES].join(", ")}.`,
  );
}
