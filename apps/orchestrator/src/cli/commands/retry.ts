import { getJson } from "../../adapters/get-json.ts";
import { retryOf } from "../../orchestrator/retry-run.ts";
import { openRecords } from "../../orchestrator/state.ts";
import type { CliContext } from "../context.ts";
import { follow, joining, type FollowOptions, type KnownRun } from "../follow.ts";
import { journaledElsewhere } from "../journaled-elsewhere.ts";
import { addressOf, findRun, requireOwn, withRuns } from "../runs.ts";
import { findRunning, useServers } from "../servers.ts";

export interface RetryOptions extends FollowOptions {
  readonly run: string;
  /** The step to begin again from; the first that failed when absent. */
  readonly from?: string;
}

/** Does a run again from a step on, as a new run, and follows that to its end. */
export async function retry(context: CliContext, options: RetryOptions, known: KnownRun): Promise<number> {
  await requireOwn(context, options.run);
  await checkRecord(context, options);
  const servers = await useServers(context);
  try {
    const earlier = await findRun(servers.url, options.run, context.token);
    const from = options.from === undefined ? "" : `?from=${encodeURIComponent(options.from)}`;
    const address = `${addressOf(servers.url, earlier.runId, "retry")}${from}`;
    const { runId } = (await getJson(address, context.token, "POST")) as { readonly runId: string };
    const view = { ...earlier, runId };
    known.runId = runId;
    if (view.userId !== undefined) known.userId = view.userId;
    if (options.quiet !== true) context.err(`Run ${runId} does run ${earlier.runId} again.\n`);
    return await follow(context, servers, joining(view), options, known);
  } finally {
    await servers.release();
  }
}

/** Throws what the servers would, before any are started for it. Servers that run check it themselves. */
async function checkRecord(context: CliContext, { run, from }: RetryOptions): Promise<void> {
  if ((await findRunning(context.home)) !== undefined || journaledElsewhere(context)) return;
  const { runId } = await withRuns(context, (runs) => runs.find(run));
  const records = openRecords(context);
  try {
    const recorded = await records.recorded(runId);
    // A run that was cut off goes on once its servers start.
    if (recorded?.outcome !== null) retryOf(runId, recorded, from);
  } finally {
    records.close();
  }
}
