import { InputError } from "../errors/input-error.ts";
import { describeReply } from "../loop/prompt.ts";
import type { Interrupt } from "../loop/interrupt.ts";
import type { LoopOptions } from "../loop/run.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { SuspendedRun } from "../ports/suspended-runs.ts";

/** The run this turn goes on with, if one waits and is this person's. Never rejects. */
export async function findSuspended(
  turn: AgentRequest,
  { suspended, log }: Pick<LoopOptions, "suspended" | "log">,
  interrupt: Interrupt,
): Promise<{ readonly found?: SuspendedRun; readonly error?: unknown }> {
  try {
    if (interrupt.signal.aborted) return {};
    const found = await interrupt.race(suspended.load(turn.runId));
    if (found === undefined) return {};
    const owner = found.origin.userId ?? found.origin.delegation?.userId;
    if (turn.userId === undefined || owner === undefined || turn.userId === owner) return { found };
    log.warn("a run that waits for somebody else was asked for", { runId: turn.runId });
    return {};
  } catch (error) {
    return { error };
  }
}

/** The request that was suspended, in the name of whoever goes on with it. */
export function originOf({ runId, userId, trace }: AgentRequest, { origin }: SuspendedRun): AgentRequest {
  return {
    ...origin,
    ...(userId === undefined ? {} : { userId }),
    ...(trace === undefined ? {} : { trace }),
    runId,
    text: "",
    history: [],
  };
}

/**
 * The reply to what no longer waits, as text for the model: values stand for themselves. Throws an
 * `InputError` (`input.unsupported`) for decisions, as nobody knows any more what they are about.
 */
export function unknownReply({ reply }: AgentRequest): string {
  if (reply === undefined) return "";
  if ("values" in reply) return describeReply(reply.values, undefined);
  throw new InputError(
    "input.unsupported",
    "No call waits for a decision here: it was decided already, given up, or asked too long ago. Nothing has run; ask for the work again.",
  );
}
