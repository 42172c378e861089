import { StoreError } from "@troupe/core";
import { WorkflowError, type RunView } from "@troupe/workflow";
import { expect, it } from "vitest";

import { servedView, unservedView } from "./interruption.ts";

const view = (more: Partial<RunView>): RunView => {
  return {
    runId: "r",
    name: "n",
    objective: "o",
    status: "running",
    createdAt: 1,
    steps: [],
    requests: [],
    ...more,
  };
};

it("says of a run that its orchestrator cannot go on with why, and of one that ended only how", () => {
  const full = new StoreError("store.full", "the disk is full");
  expect(servedView(view({}), undefined)).toEqual(view({}));
  expect(servedView(view({}), full)).toMatchObject({
    status: "interrupted",
    reason:
      "The run is interrupted, not over: the disk is full. It goes on from where it stands when it is resumed, or the orchestrator is started again.",
  });
  const foreign = new WorkflowError("workflow.journal-mismatch", "the journal has another step next");
  expect(servedView(view({}), foreign).reason).toBe(
    "The run is interrupted, not over: the journal has another step next. The version that began it can go on with it.",
  );
  const ended = view({ status: "completed", outcome: "completed" });
  expect(servedView(ended, full)).toEqual(ended);
});

it("knows what becomes of a run while nobody drives it", () => {
  expect(unservedView(view({}))).toMatchObject({ status: "interrupted" });
  expect(unservedView(view({ status: "planning" }))).toMatchObject({ status: "failed", outcome: "failed" });
  const waits = view({ status: "input-required" });
  expect(unservedView(waits)).toEqual(waits);
});
