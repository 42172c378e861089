import type { RemoteRequest } from "@troupe/a2a/client";
import { InputError, isTroupeError } from "@troupe/core";

import type { CliContext } from "./context.ts";
import { findRun } from "./runs.ts";
import { typed } from "./typed.ts";

/**
 * Why the orchestrator refused an answer, where somebody else was first with one or the run is at work: to the
 * task that is only a message at the wrong time. Any other error stays what it is.
 */
export async function notTaken(
  context: CliContext,
  url: string,
  { reply, taskId }: RemoteRequest,
  error: unknown,
): Promise<unknown> {
  if (reply === undefined || taskId === undefined) return error;
  if (!isTroupeError(error) || error.code !== "agent.protocol") return error;
  const view = await findRun(url, taskId, context.token).catch(() => undefined);
  if (view === undefined) return error;
  const asked = view.requests.find(({ request }) => request.requestId === reply.requestId);
  const atWork = view.steps.some(({ state }) => state === "in_progress");
  const isBusy = error.message.includes("still being worked on");
  if (asked !== undefined && !isBusy) return error;
  const why =
    asked === undefined
      ? `Somebody else has answered run ${view.runId}, so this answer was not taken.`
      : atWork
        ? `Run ${view.runId} is at work on other steps, so this answer was not taken. Give it again when the run waits.`
        : `Somebody else is answering run ${view.runId} at this moment, so this answer was not taken.`;
  return new InputError(
    "input.conflict",
    `${why} To follow the run: ${typed(context, `watch ${view.runId}`)}`,
    { cause: error },
  );
}
