import { NO_USAGE } from "@troupe/stream";
import { expect, it } from "vitest";

import type { RunInput, RunOutcome } from "../engine/run.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema, type WorkflowInput } from "../schema/workflow-schema.ts";
import type { AgentScript } from "../testing/scripted-gateway.ts";
import { tryWorkflow } from "../testing/workflow-trial.ts";
import { retryInput } from "./retry-input.ts";

const usage = { ...NO_USAGE, inputTokens: 10, modelCalls: 1 };
const agent = "a";
const diamond: WorkflowInput["steps"] = [
  { id: "first", agent, instruction: "one" },
  { id: "left", agent, instruction: "two", depends_on: ["first"] },
  { id: "right", agent, instruction: "three", depends_on: ["first"] },
  { id: "end", agent, instruction: "four", depends_on: ["left", "right"] },
];
const workflow = { mode: "parallel" as const, steps: diamond };
const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "trial", ...workflow }));
const input: RunInput = { objective: "the objective", trace: "00-trace", collectionId: "docs" };

/** Fails the steps with these instructions. */
const failing =
  (...bad: readonly string[]): AgentScript =>
  ({ delegation }) =>
    bad.includes(delegation.instruction)
      ? { result: { outcome: "failed", answer: "", error: { code: "x", message: "no" } } }
      : { result: { outcome: "completed", answer: delegation.instruction, usage } };

const ended = async (...bad: readonly string[]): Promise<RunOutcome> =>
  (await tryWorkflow(workflow, failing(...bad))).outcome();
const keptBy = (again: RunInput): readonly string[] => Object.keys(again.kept ?? {});

it("keeps what is neither the step nor behind it", async () => {
  const outcome = await ended();
  const from = (step: string) => keptBy(retryInput({ spec, input, outcome }, step));
  expect(from("first")).toEqual([]);
  expect(from("left")).toEqual(["first", "right"]);
  expect(from("end")).toEqual(["first", "left", "right"]);
});

it("begins with the first step that failed, and does again what has no result", async () => {
  const outcome = await ended("two", "three");
  expect(outcome.steps.map((step) => step.outcome)).toEqual(["completed", "failed", "failed", "skipped"]);
  expect(retryInput({ spec, input, outcome })).toEqual({
    objective: "the objective",
    collectionId: "docs",
    retryOf: "run-1",
    kept: { first: { ...outcome.steps[0], keptFrom: "run-1" } },
  });
  expect(keptBy(retryInput({ spec, input, outcome }, "right"))).toEqual(["first"]);
});

it.each([
  ["ends", 'no step "ends"; did you mean "end"? Its steps are "first", "left", "right", "end".'],
  ["nope", 'no step "nope". Its steps are "first", "left", "right", "end".'],
  ["end", 'cannot begin again from step "end": step "left", which it waits for, has no result'],
])("refuses to begin from %s, and says why", async (from, message) => {
  const outcome = await ended("two", "three");
  expect(() => retryInput({ spec, input, outcome }, from)).toThrow(message);
});

it("refuses without a step what has nothing to do again", async () => {
  const outcome = await ended();
  expect(() => retryInput({ spec, input, outcome })).toThrow('Every step of run "run-1" completed.');
});

it("writes only the answer again where that alone is not whole", async () => {
  const outcome = await ended();
  const partial: RunOutcome = { ...outcome, outcome: "partial" };
  const again = retryInput({ spec: { ...spec, final: "synthesize" }, input, outcome: partial });
  expect(keptBy(again)).toEqual(["first", "left", "right", "end"]);
});

it("asks about its plan again unless a person has approved it", async () => {
  const approval = { workflow: { name: "trial" } };
  const approved = { requestId: "$plan", at: 1, through: "cli" };
  const outcome = await ended("two");
  expect(retryInput({ spec, input: { ...input, approval }, outcome })).toMatchObject({ approval });
  const plan = { hash: "x", approved };
  const again = retryInput({ spec, input: { ...input, approval }, outcome: { ...outcome, plan } });
  expect(again.approval).toBeUndefined();
  const revised = { ...spec, final: "synthesize" as const, maxReplans: 2 };
  const revisable = { spec: revised, input: { ...input, approval }, outcome: { ...outcome, plan } };
  // Steps that are added to the approved plan are asked about.
  expect(retryInput(revisable).approval).toEqual({ ...approval, given: true });
});

it("is run with what was kept, which is told, handed on, shown with its usage and not counted again", async () => {
  const outcome = await ended("four");
  const again = await tryWorkflow(workflow, failing(), { input: retryInput({ spec, input, outcome }) });
  const second = await again.outcome();
  expect(again.gateway.calls.map(({ request }) => request.delegation.instruction)).toEqual(["four"]);
  expect(again.gateway.calls[0]?.request.delegation.results["left"]).toEqual({
    ...outcome.steps[1],
    state: undefined,
    ms: undefined,
  });
  expect(second).toMatchObject({ outcome: "completed", usage });
  expect(second.steps.map((step) => [step.keptFrom, step.usage])).toEqual([
    ...["run-1", "run-1", "run-1"].map((run) => [run, usage]),
    [undefined, usage],
  ]);
  const told = again.events().flatMap((event) => (event.type === "step-status" ? [event] : []));
  expect(told[0]).toMatchObject({ step: "first", state: "completed", reason: "kept from run run-1" });
  // Whoever does that one again is told who found it first.
  const third = retryInput({ spec, input, outcome: { ...second, runId: "run-2" } }, "end");
  expect(third.kept?.["first"]).toMatchObject({ keptFrom: "run-1" });
});

it("takes no result for a step that is named like something every object has", async () => {
  const steps = [{ id: "constructor", agent, instruction: "one" }];
  const trial = await tryWorkflow({ steps }, failing(), { input: { kept: {}, retryOf: "r" } });
  await trial.outcome();
  expect(trial.gateway.calls).toHaveLength(1);
});
