import { isTroupeError } from "@troupe/core";
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
  switch (outcome) {
    case "completed":
      return EXIT.completed;
    case "partial":
      return EXIT.partial;
    case "input-required":
      return EXIT.inputNeeded;
    case "canceled":
      return EXIT.interrupted;
    case "failed":
      return errorCode === "agent.unreachable"
        ? EXIT.unreachable
        : errorCode?.startsWith("input.")
          ? EXIT.usage
          : EXIT.failed;
  }
}

/** Exit code for an error that ended a command. */
export function exitCodeOfError(error: unknown): number {
  if (!isTroupeError(error)) return EXIT.failed;
  if (error.code.startsWith("input.")) return EXIT.usage;
  return error.code === "agent.unreachable" ? EXIT.unreachable : EXIT.failed;
}
