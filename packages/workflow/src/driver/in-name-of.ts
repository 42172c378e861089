import { callerIn, type CallerOptions } from "@troupe/core";

import type { RunInput } from "../engine/run.ts";

/** Agents are called in the name of whoever began the run, with the rights they had then. */
export function inNameOf(input: RunInput): CallerOptions {
  const caller = callerIn(input);
  return caller === undefined ? {} : { caller };
}
