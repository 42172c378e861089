import type { CaptureProgress } from "@troupe/a2a/capture";

import { EXIT, exitCodeOf } from "../exit-codes.ts";

/** As `run` would end: by how the task ended, and where it did not by whether anything came. */
export function exitCodeOfCapture({ outcome, ended, events }: CaptureProgress): number {
  switch (outcome) {
    case "unfinished":
      break;
    case "rejected":
      return EXIT.failed;
    case "auth-required":
      return EXIT.inputNeeded;
    default:
      return exitCodeOf(outcome);
  }
  if (ended?.end === "interrupted") return EXIT.interrupted;
  if (ended?.end === "refused") return EXIT.failed;
  if (events > 0) return EXIT.partial;
  return ended?.end === "broken" ? EXIT.unreachable : EXIT.failed;
}
