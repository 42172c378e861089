import { isDeepStrictEqual } from "node:util";

import { InputError, momentText } from "@troupe/core";
import type { Answered, InputReply, InputRequest } from "@troupe/stream";
import {
  answerSignal,
  checkReply,
  eventsSoFar,
  humanRequestId,
  readAnswer,
  type AnswerValue,
  type RunLog,
} from "@troupe/workflow";

import type { RunState } from "./state.ts";

/** That another answer was first. Whoever gave this one must not take that for theirs. */
export function otherAnswer(requestId: string, first: Answered | undefined): InputError {
  return new InputError(
    "input.conflict",
    `"${requestId}" ${whatWasFirst(first)}; this answer was not taken.`,
  );
}

function whatWasFirst(first: Answered | undefined): string {
  if (first === undefined) return "has been answered already";
  const { by, at, through } = first;
  if (through === "default") return `was not answered by ${momentText(at)} and has the form's own values`;
  return `has been answered already${by === undefined ? "" : ` by ${by}`} (${momentText(at)}, ${through})`;
}

/** The answer that a question has, also where its step did not take it in yet; undefined where none is on record. */
export async function firstAnswer(
  { engine, log }: RunState,
  runId: string,
  requestId: string,
): Promise<Partial<AnswerValue> | undefined> {
  const given = (await engine.recorded(runId))?.signals.get(answerSignal(requestId));
  if (given !== undefined) return readAnswer(given);
  const view = await log.view(runId);
  const told = [view?.approval ?? [], ...(view?.steps ?? []).map(({ answers = [] }) => answers)].flat();
  const answered = told.find((one) => one.requestId === requestId);
  return answered && { answered };
}

/** Whose answer a question has. It is only said beside something else, so it may be unknown where storage is away. */
export async function whoseAnswer(
  state: RunState,
  runId: string,
  requestId: string,
): Promise<Answered | undefined> {
  const first = await firstAnswer(state, runId, requestId).catch(() => undefined);
  return first?.answered;
}

/**
 * Whether a reply is the first answer once more. An answer is kept as it was checked, with defaults for what was left
 * out and texts as values, so the reply is checked as well before the two are compared.
 */
export async function isAnswer(
  { log }: RunState,
  runId: string,
  { reply, first }: { readonly reply: InputReply; readonly first: Partial<AnswerValue> },
): Promise<boolean> {
  if (isDeepStrictEqual(first.reply, reply)) return true;
  const request = await answeredRequest(log, runId, reply.requestId);
  const checked = request && checkReply(request, { ...reply });
  return checked?.ok === true && isDeepStrictEqual(first.reply, checked.reply);
}

/** What has its answer is asked no more, and stands in the log alone. */
async function answeredRequest(
  log: RunLog,
  runId: string,
  requestId: string,
): Promise<InputRequest | undefined> {
  for (const { event } of await eventsSoFar(log, runId))
    if (event.type === "input-required" && event.request.requestId === requestId) return event.request;
  // It was answered before its turn, which never came.
  const step = (await log.view(runId))?.steps.find(({ id }) => humanRequestId(id) === requestId);
  return step?.form && { requestId, kind: "form", form: step.form };
}
