import type { RemoteRequest } from "@troupe/a2a/client";
import { InputError, isTroupeError } from "@troupe/core";

import { otherAnswer } from "../orchestrator/other-answer.ts";
import type { CliContext } from "./context.ts";
import type { TurnEnd } from "./deliver.ts";
import { findRun } from "./runs.ts";
import { typed } from "./typed.ts";

/**
 * That another answer was first than the one a turn was begun with, by the turn's own word: its run went on with
 * that one, and how it ended is no result of this.
 */
export function otherWasFirst(
  context: CliContext,
  { reply }: RemoteRequest,
  { runId, finish }: Pick<TurnEnd, "runId" | "finish">,
): InputError | undefined {
  const error = reply && finish?.error;
  // Whoever stops a run is told that it was stopped.
  if (error?.code !== "input.conflict" || context.interrupted.aborted) return undefined;
  const next = `What becomes of the run: ${typed(context, `show ${runId}`)}`;
  return new InputError("input.conflict", `${error.message} ${next}`);
}

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
  const answers = view.steps.flatMap((step) => step.answers ?? []);
  const first = answers.find(({ requestId }) => requestId === reply.requestId);
  const why =
    asked === undefined
      ? first === undefined
        ? `Somebody else has answered run ${view.runId}, so this answer was not taken.`
        : otherAnswer(reply.requestId, first).message
      : atWork
        ? `Run ${view.runId} is at work on other steps, so this answer was not taken. Give it again when the run waits.`
        : `Somebody else is answering run ${view.runId} at this moment, so this answer was not taken.`;
  return new InputError(
    "input.conflict",
    `${why} To follow the run: ${typed(context, `watch ${view.runId}`)}`,
    { cause: error },
  );
}
