import { InputError, toErrorInfo } from "@troupe/core";

import type { CliContext } from "./context.ts";
import { brokenLine } from "./deliver.ts";
import type { KnownRun } from "./follow.ts";
import { shownEvents } from "./shown-events.ts";

/** With `--json`, whoever reads the events waits for a result, however the command ended. */
export async function withResultLine(
  context: CliContext,
  options: { readonly json: boolean },
  command: (known: KnownRun) => Promise<number>,
): Promise<number> {
  const known: KnownRun = { runId: "", next: 0, shown: shownEvents() };
  try {
    return await command(known);
  } catch (error) {
    const outcome = context.interrupted.aborted ? "canceled" : "failed";
    if (options.json)
      context.out(`${JSON.stringify(brokenLine(known.runId, outcome, toErrorInfo(error)))}\n`);
    throw error;
  }
}

/** The result of a command line that could not be read. */
export function unusableLine(message: string): string {
  const error = new InputError("input.invalid", message.replace(/^error: /, ""));
  return `${JSON.stringify(brokenLine("", "failed", toErrorInfo(error)))}\n`;
}
