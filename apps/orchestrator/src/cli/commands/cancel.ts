import { InputError, isTroupeError } from "@troupe/core";

import type { CliContext } from "../context.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import { connect, joining } from "../follow.ts";
import { findRun, requireOwn } from "../runs.ts";
import { useServers } from "../servers.ts";

/** Ends a run that works, waits for a person, or was interrupted. */
export async function cancel(context: CliContext, options: { readonly run: string }): Promise<number> {
  await requireOwn(context, options.run);
  const servers = await useServers(context);
  try {
    const view = await findRun(servers.url, options.run, context.token);
    const { runId, outcome } = view;
    if (outcome !== undefined)
      throw new InputError("input.invalid", `Run ${runId} is over: it ended ${outcome}.`);
    const remote = await connect(context, servers.url);
    const signal = context.interrupted;
    // The task that began the run ends with it; where it is gone, the run is joined to be canceled.
    const known = await remote.cancel(runId).then(
      () => true,
      (error: unknown) => {
        if (isTroupeError(error) && error.code === "agent.task-lost") return false;
        throw error;
      },
    );
    const { taskId } = await remote.send(joining(view), { signal });
    if (!known) await remote.cancel(taskId);
    for await (const event of remote.join(taskId, { signal })) {
      if (event.type !== "finish" || event.stepId !== undefined) continue;
      context.out(`Run ${runId} ended ${event.outcome}.\n`);
      return event.outcome === "canceled" ? EXIT.completed : exitCodeOf(event.outcome, event.error?.code);
    }
    return EXIT.failed;
  } finally {
    await servers.release();
  }
}
