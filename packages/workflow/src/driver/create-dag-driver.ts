import { silentLog, systemClock } from "@troupe/core";

import type { DagDriver } from "../engine/port.ts";
import { runInputSchema } from "../engine/run.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import { DagRun } from "./dag-run.ts";
import type { DagDriverOptions } from "./options.ts";

/**
 * The one driver for every engine: runs a `DagSpec` on agents behind a gateway. What it decides
 * follows from the journal alone; see DESIGN.md of this package for the rules.
 */
export function createDagDriver(options: DagDriverOptions): DagDriver {
  const { clock = systemClock } = options;
  const services = {
    log: silentLog,
    agent: "orchestrator",
    newId: () => crypto.randomUUID(),
    ...options,
    clock,
    since: clock.now(),
  };
  return async (ctx, spec, input) => {
    const parsed = runInputSchema.safeParse(input);
    if (!parsed.success)
      throw new WorkflowError("workflow.internal", `run ${ctx.runId} was started without an objective`);
    return new DagRun(ctx, spec, parsed.data, services).drive();
  };
}
