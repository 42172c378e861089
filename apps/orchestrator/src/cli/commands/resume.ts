import { InputError } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import { getJson } from "../../adapters/get-json.ts";
import type { CliContext } from "../context.ts";
import { follow, joining, type FollowOptions, type KnownRun } from "../follow.ts";
import { addressOf, requireOwn, withRuns } from "../runs.ts";
import { useServers } from "../servers.ts";
import { typed } from "../typed.ts";
import { answerCommands } from "../waiting.ts";

export interface ResumeOptions extends FollowOptions {
  readonly run: string;
}

/** Goes on with a run that was interrupted, and follows it to its end. */
export async function resume(context: CliContext, options: ResumeOptions, known: KnownRun): Promise<number> {
  await requireOwn(context, options.run);
  const { view, isUp } = await withRuns(context, async (runs) => ({
    view: await runs.find(options.run),
    isUp: runs.url !== undefined,
  }));
  if (view.status !== "interrupted") throw nothingToResume(context, view);
  known.runId = view.runId;
  if (view.userId !== undefined) known.userId = view.userId;
  // Servers that are started now take up by themselves what was cut off.
  const servers = await useServers(context);
  try {
    if (isUp) await getJson(addressOf(servers.url, view.runId, "resume"), context.token, "POST");
    return await follow(context, servers, joining(view), options, known);
  } finally {
    await servers.release();
  }
}

function nothingToResume(context: CliContext, view: RunView): InputError {
  const { runId, outcome } = view;
  const why =
    outcome !== undefined
      ? `run ${runId} ended ${outcome}. To do it again in part: ${typed(context, `retry ${runId}`)}`
      : view.status === "input-required"
        ? `run ${runId} waits for a person. ${view.requests.flatMap((asked) => answerCommands(context, runId, asked)).join("; ")}`
        : `run ${runId} is at work. To follow it: ${typed(context, `watch ${runId}`)}`;
  return new InputError("input.invalid", `There is nothing to resume: ${why}`);
}
