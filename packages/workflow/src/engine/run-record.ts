import type { Json } from "@troupe/stream";

import type { DagSpec } from "../schema/spec.ts";
import type { RunRecord } from "./fold-run.ts";
import { runInputSchema } from "./run.ts";

/** How a run that an engine was given stands in the run log. */
export function runRecord(run: {
  readonly runId: string;
  readonly spec: DagSpec;
  readonly input: Json;
}): Omit<RunRecord, "createdAt"> {
  const { runId, spec } = run;
  const input = runInputSchema.safeParse(run.input);
  const { objective, userId, threadId } = input.success ? input.data : { objective: "" };
  return {
    runId,
    name: spec.name,
    objective,
    ...(userId === undefined ? {} : { userId }),
    ...(threadId === undefined ? {} : { threadId }),
  };
}
