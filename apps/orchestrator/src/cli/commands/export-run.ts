import { resolve } from "node:path";

import { InputError } from "@troupe/core";
import { createPrivate, replacePrivate } from "@troupe/service";

import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { withRuns } from "../runs.ts";

export interface ExportOptions {
  readonly run: string;
  /** `-` is stdout. */
  readonly out?: string;
}

/** Writes a run to one file. Works with and without running servers. */
export async function exportRun(context: CliContext, { run, out }: ExportOptions): Promise<number> {
  const exported = await withRuns(context, (runs) => runs.export(run));
  const text = `${JSON.stringify(exported)}\n`;
  if (out === "-") {
    context.out(text);
    return EXIT.completed;
  }
  const path = resolve(
    context.cwd,
    out ?? `run-${exported.run.runId.replaceAll(/[^\w-]/g, "_").slice(0, 80)}.json`,
  );
  if (out !== undefined) replacePrivate(path, text);
  else if (!createPrivate(path, text))
    throw new InputError("input.invalid", `"${path}" is there already. Name the file: --out FILE.`);
  context.out(`${path}\n`);
  const { length } = exported.outcome?.artifacts ?? [];
  if (length > 0) context.err(`Files of the run are named in it, not held: ${length}.\n`);
  return EXIT.completed;
}
