import { callerIn, readTrace, type CallerOptions } from "@troupe/core";

import type { RunInput } from "../../engine/run.ts";

/** Agents are called in the name of whoever began the run, with the rights they had then, and in its trace. */
export function inNameOf(input: RunInput): CallerOptions {
  const caller = callerIn(input);
  const trace = readTrace(input.trace);
  return {
    ...(caller === undefined ? {} : { caller }),
    ...(trace === undefined ? {} : { trace }),
  };
}
