import type { Task } from "@a2a-js/sdk";
import { TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";

import { CANCEL } from "../../run/stop.ts";
import type { SharedTasks } from "../../store/shared-tasks.ts";
import { isSettled } from "../../wire/state.ts";
import { endRun, letGoOf } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import { turnOf } from "./turn-task.ts";
import { untilStored } from "./until-stored.ts";

/** Between two looks at whether it has been canceled, in milliseconds. */
const LOOK_MS = 50;
/** One that works answers well within a second; one that does not is taken over before this. */
const PATIENCE_MS = 10_000;

/**
 * Has the process that works on the task cancel it, or ends it in the place of one that is gone.
 * Answers the task once its turn is over, however it ended.
 */
export async function cancelElsewhere(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  shared: SharedTasks,
  { owner, taskId }: { readonly owner: string; readonly taskId: string },
): Promise<Task> {
  const { store, clock } = options;
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const stored = await store.load(owner, taskId);
    if (stored === undefined) throw new TaskNotFoundError(`Task not found: ${taskId}`);
    if (isSettled(stored.task.status?.state)) return stored.task;
    if (stored.holder?.alive === true) await shared.askCancel(owner, taskId);
    else {
      const version = await runs.take(shared, { owner, taskId, version: stored.version });
      if (version !== undefined) {
        const run = runs.create(
          owner,
          { task: stored.task, version },
          { turn: turnOf(stored.task), structured: false, cutOff: true },
        );
        endRun(options, run, CANCEL);
        const letGo = async (): Promise<void> => {
          await run.saved();
          if (!run.lost) await letGoOf(options, stored.task);
        };
        await untilStored(options, taskId, letGo());
        if (!run.lost) return run.snapshot();
      }
    }
    await clock.sleep(LOOK_MS);
  }
  throw new UnsupportedOperationError(
    `Task ${taskId} is worked on by another process, which has not canceled it yet; ask again.`,
  );
}
