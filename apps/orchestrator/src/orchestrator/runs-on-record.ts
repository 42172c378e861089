import { InputError, ownerIn } from "@troupe/core";
import { scrub } from "@troupe/service";
import type { ArtifactRef } from "@troupe/stream";
import {
  describeRun,
  eventsSoFar,
  exportRun,
  runInputSchema,
  type RunDetail,
  type RunExport,
  type RunRecords,
  type RunView,
} from "@troupe/workflow";

import { listRuns, type RunsFilter } from "./list-runs.ts";

/** What can be asked of runs whether or not somebody drives them. */
export interface RunsOnRecord {
  /**
   * Newest first, 50 where no limit is given; with `idPrefix` only those whose id begins with it. Throws an
   * `InputError` for a limit that is no whole number from 1 on.
   */
  runs(filter?: RunsFilter): Promise<readonly RunView[]>;
  run(runId: string): Promise<RunView | null>;
  /** Everything that is known of a run: plan, steps, questions, usage, files. Null when there is no such run. */
  show(runId: string): Promise<RunDetail | null>;
  /**
   * A run as one JSON value, for somebody who looks into it elsewhere: without secrets, and without whose it
   * is. Throws an `InputError` when there is no such run, or nothing of it.
   */
  export(runId: string): Promise<RunExport>;
}

/** Where a file of this owner is now. */
type Locate = <T extends ArtifactRef>(file: T, owner: string) => Promise<T>;

/** @param shown what a run is while it is looked at: nobody may drive it */
export function runsOnRecord(
  { events, recorded }: Pick<RunRecords, "events" | "recorded">,
  shown: (views: readonly RunView[]) => Promise<readonly RunView[]>,
  locate: Locate = async (file) => file,
): RunsOnRecord {
  const viewOf = async (runId: string): Promise<RunView | null> => {
    const view = await events.view(runId);
    return view && ((await shown([view]))[0] ?? null);
  };
  return {
    async export(runId) {
      const view = await events.view(runId);
      if (view === null) throw new InputError("input.not-found", `There is no run "${runId}".`);
      const [logged, known] = await Promise.all([eventsSoFar(events, runId), recorded(runId)]);
      return exportRun({ view, recorded: known, events: logged }, (text) => scrub(text));
    },
    runs: (filter) => listRuns((query) => events.runs(query), shown, filter),
    run: viewOf,
    async show(runId) {
      const view = await viewOf(runId);
      if (view === null) return null;
      const [logged, known] = await Promise.all([eventsSoFar(events, runId), recorded(runId)]);
      const owner = ownerIn(runInputSchema.safeParse(known?.input).data ?? {});
      const detail = describeRun({
        view,
        events: logged,
        ...(known === undefined ? {} : { recorded: known }),
      });
      return located(detail, (file) => locate(file, owner));
    },
  };
}

async function located(
  detail: RunDetail,
  locate: <T extends ArtifactRef>(file: T) => Promise<T>,
): Promise<RunDetail> {
  const steps = detail.steps.map(async (step) => ({
    ...step,
    artifacts: await Promise.all(step.artifacts.map(locate)),
  }));
  return {
    ...detail,
    steps: await Promise.all(steps),
    artifacts: await Promise.all(detail.artifacts.map(locate)),
  };
}
