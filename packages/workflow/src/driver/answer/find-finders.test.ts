import type { StepResult } from "@troupe/core";
import { NO_USAGE, type ChartSpec, type Citation, type FoundBy } from "@troupe/stream";
import { expect, it } from "vitest";

import type { StepOutcome } from "../../engine/run.ts";
import { findFinders } from "./find-finders.ts";

const cite = (chunkId: string, foundBy?: FoundBy): Citation => ({
  id: chunkId,
  document: "d",
  source: "s",
  collection: "c",
  chunkId,
  quote: "q",
  start: 0,
  end: 1,
  ...(foundBy === undefined ? {} : { foundBy }),
});
const chart = (title: string): ChartSpec => ({
  v: 1,
  id: "chart-1",
  kind: "bar",
  title,
  series: [],
  rows: [],
  provenance: { resultId: "r", query: "SELECT 1", source: "sales.csv" },
});

const result = (
  stepId: string,
  endedAt: number,
  more: Partial<StepOutcome> = {},
): StepOutcome & StepResult => ({
  stepId,
  agent: `${stepId}-agent`,
  state: "completed",
  outcome: "completed",
  answer: "",
  data: null,
  citations: [],
  artifacts: [],
  usage: NO_USAGE,
  ms: 1,
  ...more,
  provenance: { attempt: 1, startedAt: 0, endedAt, ...more.provenance },
});

/** As an earlier run is handed over. */
const earlier = (...results: readonly StepResult[]) => ({
  v: 1 as const,
  turns: [],
  results: Object.fromEntries(results.map((one) => [one.stepId, one])),
});

it("says of what was handed on within a run who had it first, whatever the order of the steps", () => {
  const steps = [
    result("deck", 9, { citations: [cite("x")], data: { charts: [chart("Revenue")] } }),
    result("research", 4, { citations: [cite("x")] }),
    result("data", 5, { data: { charts: [chart("Revenue")] } }),
  ];
  const { ofCitation, ofChart } = findFinders(steps, undefined);
  expect(ofCitation(cite("x")).foundBy).toEqual({ step: "research", agent: "research-agent", at: 4 });
  expect(ofChart({ ...chart("Revenue"), id: "chart-7" })).toEqual({
    ...chart("Revenue"),
    id: "chart-7",
    foundBy: { step: "data", agent: "data-agent", at: 5 },
  });
  expect(ofChart(chart("Other")).foundBy).toBeUndefined();
});

it("says it of what comes from an earlier run, also where that had it from one before", () => {
  const first = { step: "research", agent: "rag", at: 1, runId: "run-1" };
  const before = {
    ...result("turn2.deck", 5, { agent: "ppt", citations: [cite("x", first), cite("y")] }),
    provenance: { runId: "run-2", attempt: 1, startedAt: 4, endedAt: 5 },
  };
  const steps = [result("deck", 9, { citations: [cite("x"), cite("y"), cite("z")] })];
  const { ofCitation } = findFinders(steps, earlier(before));
  expect(["x", "y", "z"].map((place) => ofCitation(cite(place)).foundBy)).toEqual([
    first,
    { step: "deck", agent: "ppt", at: 5, runId: "run-2" },
    { step: "deck", agent: "deck-agent", at: 9 },
  ]);
});

it("names the run that a kept result is of, and believes no agent that names another", () => {
  const said = { step: "else", agent: "else", at: 1 };
  const steps = [
    result("research", 4, { citations: [cite("x")], keptFrom: "run-0" }),
    result("data", 5, { citations: [cite("y", said)] }),
  ];
  const { ofCitation } = findFinders(steps, undefined);
  expect(ofCitation(cite("x")).foundBy).toMatchObject({ step: "research", runId: "run-0" });
  expect(ofCitation(cite("y", said)).foundBy).toEqual({ step: "data", agent: "data-agent", at: 5 });
  expect(ofCitation(cite("nobody", said))).not.toHaveProperty("foundBy");
});
