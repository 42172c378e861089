import { resolve } from "node:path";

import { scrub } from "@troupe/service";
import { replayRun, type ReplayReport } from "@troupe/workflow";

import { isFile } from "../../adapters/read-plain-file.ts";
import { readRunExport } from "../../adapters/read-run-export.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { count } from "../render/figures.ts";
import { harmless } from "../render/harmless.ts";
import { withRuns } from "../runs.ts";

export interface ReplayOptions {
  /** A file, or the id of a run. */
  readonly run: string;
  readonly json: boolean;
}

/** Runs the driver of this program again over what was recorded. 1 where it does otherwise. */
export async function replay(context: CliContext, { run, json }: ReplayOptions): Promise<number> {
  const path = resolve(context.cwd, run);
  const exported = isFile(path) ? readRunExport(path) : await withRuns(context, (runs) => runs.export(run));
  const report = await replayRun(exported, (text) => scrub(text));
  context.out(json ? `${JSON.stringify(report)}\n` : reportText(report));
  return report.result === "differs" ? EXIT.failed : EXIT.completed;
}

function reportText({
  runId,
  result,
  entries,
  recorded,
  events,
  differences,
  waitsFor = [],
}: ReplayReport): string {
  const compared = `${count(entries)} of ${count(recorded)} entries of the journal, ${count(events)} events`;
  const lines = {
    same: [`Run ${runId} replays the same: ${compared}, and its outcome.`],
    open: [
      `Run ${runId} had not ended, and replays the same as far as it came: ${compared}.`,
      ...(waitsFor.length === 0 ? [] : [`  It waits for ${waitsFor.join(", ")}`]),
    ],
    differs: [
      `Run ${runId} does not replay the same (${compared}):`,
      ...differences.map(({ code, where, message }) => `  ${code}, ${where}: ${message}`),
    ],
  }[result];
  return harmless(`${lines.join("\n")}\n`);
}
