import type { CaptureProgress } from "@troupe/a2a/capture";

import { EXIT } from "../exit-codes.ts";

/** As `run` would end: by how the task ended, and where it did not by whether anything came. */
export function exitCodeOfCapture({ outcome, ended, events }: CaptureProgress): number {
  switch (outcome) {
    case "completed":
      return EXIT.completed;
    case "partial":
      return EXIT.partial;
    case "failed":
    case "rejected":
      return EXIT.failed;
    case "canceled":
      return EXIT.interrupted;
    case "input-required":
    case "auth-required":
      return EXIT.inputNeeded;
    default:
  }
  if (ended?.end === "interrupted") return EXIT.interrupted;
  if (ended?.end === "refused") return EXIT.failed;
  if (events > 0) return EXIT.partial;
  return ended?.end === "broken" ? EXIT.unreachable : EXIT.failed;
}
