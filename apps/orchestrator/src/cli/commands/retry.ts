import { getJson } from "../../adapters/get-json.ts";
import type { CliContext } from "../context.ts";
import { follow, joining, type FollowOptions, type KnownRun } from "../follow.ts";
import { addressOf, findRun, requireOwn } from "../runs.ts";
import { useServers } from "../servers.ts";

export interface RetryOptions extends FollowOptions {
  readonly run: string;
  /** The step to begin again from; the first that failed when absent. */
  readonly from?: string;
}

/** Does a run again from a step on, as a new run, and follows that to its end. */
export async function retry(context: CliContext, options: RetryOptions, known: KnownRun): Promise<number> {
  await requireOwn(context, options.run);
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
