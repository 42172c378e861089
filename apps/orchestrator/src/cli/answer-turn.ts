import { InputError, toErrorInfo } from "@troupe/core";
import type { ErrorInfo, InputReply } from "@troupe/stream";

import type { CliContext } from "./context.ts";
import { resultLine, type TurnEnd } from "./deliver.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { checkInputs } from "./input-names.ts";
import type { Verdict } from "./decide.ts";
import { answerRequest } from "./inputs.ts";
import { harmless } from "./render/harmless.ts";
import { waitingText } from "./waiting.ts";

interface Given {
  readonly json: boolean;
  readonly inputs: ReadonlyMap<string, string>;
  readonly verdict?: Verdict;
  /** The values are for this question alone: each must be a field of it. */
  readonly only?: boolean;
  /** Why the answer that was sent before was not taken; told already. */
  readonly refused?: ErrorInfo | undefined;
}

/**
 * Answers the latest question of a turn, or leaves the run waiting and says how to go on: nobody was
 * there to ask, the person left, or what was given does not fit.
 * @returns the reply to send, or the exit code
 */
export async function answerTurn(
  context: CliContext,
  turn: TurnEnd,
  given: Given,
): Promise<InputReply | number> {
  const request = turn.requests.at(-1)?.request;
  try {
    if (given.only === true) checkInputs(given.inputs, request?.kind === "form" ? request.form.fields : []);
    const reply = request && (await answerRequest(context, request, given.inputs, given.verdict));
    return reply ?? leaveWaiting(context, turn, given);
  } catch (error) {
    if (error instanceof InputError) return leaveWaiting(context, turn, given, error);
    throw error;
  }
}

function leaveWaiting(
  context: CliContext,
  turn: TurnEnd,
  { json, refused }: Given,
  problem?: InputError,
): number {
  const { aborted } = context.interrupted;
  if (problem !== undefined) context.err(harmless(`troupe: ${problem.message}\n`));
  context.err(waitingText(context, turn.runId, turn.requests));
  if (json) {
    const why = problem === undefined ? refused : toErrorInfo(problem);
    const error = why === undefined ? {} : { error: { ...why } };
    const line = { ...resultLine(turn, { saved: [] }), outcome: "input-required", ...error };
    context.out(`${JSON.stringify(line)}\n`);
  }
  if (problem !== undefined) return EXIT.usage;
  if (aborted) return EXIT.interrupted;
  return refused === undefined ? EXIT.inputNeeded : exitCodeOf("failed", refused.code);
}
