import type { EarlierContext, StepResult } from "@troupe/core";
import type { ChartSpec, Citation, FoundBy } from "@troupe/stream";

import type { StepOutcome } from "../../engine/run.ts";
import { placeOf } from "../../planner/renumber.ts";

/** Tells of what a run ends with which step found it. */
export interface Finders {
  readonly ofCitation: <T extends Citation>(citation: T) => T;
  readonly ofChart: (chart: ChartSpec) => ChartSpec;
}

/**
 * A step that hands on what it was handed cites it too: found it has the first that ended with it, of this run or of
 * the earlier ones it built on. What an agent says itself of who found something is no proof and counts for nothing.
 */
export function findFinders(
  steps: readonly StepOutcome[],
  earlier: Pick<EarlierContext, "results"> | undefined,
): Finders {
  const before = Object.values(earlier?.results ?? {}).map((result) => ({ result, ...earlierStep(result) }));
  const now = steps.map((result) => ({
    result,
    step: result.stepId,
    ...(result.keptFrom === undefined ? {} : { runId: result.keptFrom }),
  }));
  const finders = new Map<string, FoundBy>();
  const note = (key: string, by: FoundBy): void => void (finders.has(key) || finders.set(key, by));
  const inOrder = [...before, ...now].toSorted(
    (a, b) => a.result.provenance.endedAt - b.result.provenance.endedAt,
  );
  for (const { result, ...of } of inOrder) {
    const by = { ...of, agent: result.agent, at: result.provenance.endedAt };
    // Of an earlier run it was told when that ended, by the same rule.
    const isTold = earlier !== undefined && result.provenance.runId !== undefined;
    for (const one of result.citations) note(placeOf(one), (isTold ? one.foundBy : undefined) ?? by);
    for (const one of result.data?.charts ?? [])
      note(chartKey(one), (isTold ? one.foundBy : undefined) ?? by);
  }
  const told = <T extends { readonly foundBy?: FoundBy }>(one: T, key: string): T => {
    const { foundBy: _said, ...rest } = one;
    const foundBy = finders.get(key);
    return { ...rest, ...(foundBy === undefined ? {} : { foundBy }) } as T;
  };
  return {
    ofCitation: (citation) => told(citation, placeOf(citation)),
    ofChart: (chart) => told(chart, chartKey(chart)),
  };
}

/** `turn1.research` of a run is its step `research`. */
function earlierStep({ stepId, provenance }: StepResult): Pick<FoundBy, "step" | "runId"> {
  const { runId } = provenance;
  return { step: stepId.slice(stepId.indexOf(".") + 1), ...(runId === undefined ? {} : { runId }) };
}

/** The same chart has the same key, whatever id it was given. */
const chartKey = ({ kind, title, provenance }: ChartSpec): string =>
  JSON.stringify([kind, title, provenance.resultId, provenance.query, provenance.source]);
