import { InputError } from "@troupe/core";

import type { RecordedRun } from "../engine/recorded-run.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import { runInputSchema, type RunView } from "../engine/run.ts";
import { cleanJson, type Scrub } from "./clean-json.ts";
import type { RunExport } from "./run-export.ts";

export interface ExportedRun {
  readonly view: RunView;
  readonly recorded: RecordedRun | undefined;
  /** All so far, in their order. */
  readonly events: readonly LoggedEvent[];
}

/**
 * Makes the file of a run, ended or not. Left out are whose it is, what they may use, in whose trace and
 * conversation it stands, and the caller's own metadata; nothing of them decides anything. Throws an
 * `InputError` for a run without a plan.
 */
export function exportRun({ view, recorded, events }: ExportedRun, scrub: Scrub): RunExport {
  const { runId, name, objective, createdAt } = view;
  const input = runInputSchema.safeParse(recorded?.input).data;
  if (recorded === undefined || input === undefined)
    throw new InputError(
      "input.unsupported",
      `Run "${runId}" never had a plan, so there is nothing of it to export.`,
    );
  const { userId: _1, scopes: _2, trace: _3, threadId: _4, turn: _5, metadata: _6, ...asked } = input;
  const { spec, journal, signals, outcome } = recorded;
  const made: RunExport = {
    v: 1,
    kind: "troupe.run",
    run: { runId, name, objective, createdAt },
    spec,
    input: asked,
    ...(journal === undefined ? {} : { journal }),
    signals: Object.fromEntries(signals),
    events,
    outcome,
  };
  return cleanJson(made, scrub);
}
