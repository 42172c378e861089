import { isTroupeError } from "@troupe/core/errors";
import type { Outcome } from "@troupe/stream";

/** What the command line ends with. */
export const EXIT = {
  completed: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  inputNeeded: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

/** @param errorCode code of the error a failed run ended with */
export function exitCodeOf(outcome: Outcome, errorCode?: string): number {
  return outcome === "failed" ? exitCodeOfFailure(errorCode ?? "") : BY_OUTCOME[outcome];
}

const BY_OUTCOME = {
  completed: EXIT.completed,
  partial: EXIT.partial,
  "input-required": EXIT.inputNeeded,
  canceled: EXIT.interrupted,
} as const satisfies { [O in Exclude<Outcome, "failed">]: number };

function exitCodeOfFailure(code: string): number {
  if (code === "agent.unreachable") return EXIT.unreachable;
  // Nothing was wrong with what was handed in: nobody answered.
  return code.startsWith("input.") && code !== "input.expired" ? EXIT.usage : EXIT.failed;
}

/** Exit code for an error that ended a command. */
export function exitCodeOfError(error: unknown): number {
  return isTroupeError(error) ? exitCodeOfFailure(error.code) : EXIT.failed;
}
