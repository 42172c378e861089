import { isDeepStrictEqual } from "node:util";

import { InputError, momentText } from "@troupe/core";
import type { Answered, InputReply } from "@troupe/stream";
import { answerSignal, checkReply, eventsSoFar, readAnswer, type AnswerValue } from "@troupe/workflow";

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

/**
 * The answer that a question has, also where its step did not take it in yet; undefined where none is known. It is
 * only said beside something else, so it may be unknown where storage is away.
 */
export async function firstAnswer(
  { engine, log }: RunState,
  runId: string,
  requestId: string,
): Promise<Partial<AnswerValue> | undefined> {
  try {
    const given = (await engine.recorded(runId))?.signals.get(answerSignal(requestId));
    if (given !== undefined) return readAnswer(given);
    const steps = (await log.view(runId))?.steps ?? [];
    const answered = steps.flatMap(({ answers = [] }) => answers).find((one) => one.requestId === requestId);
    return answered && { answered };
  } catch {
    return undefined;
  }
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
  try {
    // What has its answer is asked no more, and stands in the log alone.
    const asked = (await eventsSoFar(log, runId)).flatMap(({ event }) =>
      event.type === "input-required" && event.request.requestId === reply.requestId ? [event.request] : [],
    );
    const checked = asked[0] && checkReply(asked[0], { ...reply });
    return checked?.ok === true && isDeepStrictEqual(first.reply, checked.reply);
  } catch {
    // It is not known to be, where storage is away.
    return false;
  }
}
