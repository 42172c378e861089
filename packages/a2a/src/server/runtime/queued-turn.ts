import type { AgentRequest } from "@troupe/core";

import { BROKEN } from "../../run/stop.ts";
import type { Place } from "./conversation-lanes.ts";
import { endRun } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import { historyOf } from "./history.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import type { TaskRun } from "./task-run.ts";
import { workOn } from "./work-on.ts";

/**
 * Works on a task once its turn has come. One that is stopped while it waits ends at once, and the
 * agent never hears of it.
 */
export async function workInTurn(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  run: TaskRun,
  /** What is asked, but for what will have been said before. */
  queued: { readonly place: Place; readonly asked: AgentRequest },
): Promise<void> {
  const { place, asked } = queued;
  try {
    await Promise.race([place.turn, run.whenStopped]);
    if (run.stop === undefined) {
      const history = await historyOf(options.store, run.owner, run.task.contextId, run.id);
      // It may have been stopped while its conversation was read.
      if (run.stop === undefined) {
        run.beginWork();
        await workOn(options, runs, run, { ...asked, history });
        return;
      }
    }
    endRun(options, run, run.stop);
  } catch (error) {
    options.log.error("a turn that waited could not begin", { taskId: run.id, error });
    endRun(options, run, BROKEN);
  } finally {
    place.leave();
  }
  await run.saved();
  runs.release(run);
}
