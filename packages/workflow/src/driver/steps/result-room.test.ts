import { NO_USAGE } from "@troupe/stream";
import { expect, it } from "vitest";

import { tryWorkflow, type ScriptedTurn } from "../../testing/index.ts";

const MIB = 1024 * 1024;
const steps = ["a", "b", "c", "d", "e"].map((id) => ({
  id,
  agent: id,
  instruction: "go",
  on_failure: "continue" as const,
}));
const large = { answer: "x".repeat(7 * MIB) };

it.each([
  ["at the same time", "parallel", false],
  ["one after the other, also over a crash", "sequential", true],
] as const)(
  "takes no more results than a run may hold, %s, and keeps those it has",
  async (_when, mode, crashes) => {
    const script = (): ScriptedTurn => ({ ms: 1_000, result: large });
    const first = await tryWorkflow({ mode, final: "synthesize", steps }, script);
    if (crashes) await first.clock.advance(3_500);
    const trial = crashes ? await first.crash() : first;
    const outcome = await trial.outcome();
    expect(outcome.steps.map(({ state, error }) => [state, error?.code])).toEqual([
      ...Array.from({ length: 4 }, () => ["completed", undefined]),
      ["failed", "workflow.too-large"],
    ]);
    expect(outcome.steps[4]?.error?.message).toMatch(
      /^the result of agent "e" has 7,340,\d+ characters, .* 33,554,432; /,
    );
    expect(outcome.outcome).toBe("partial");
  },
);

it("counts what an earlier run found, which stands in the outcome too", async () => {
  const first = await tryWorkflow(
    { mode: "parallel", final: "synthesize", steps: steps.slice(0, 4) },
    () => ({
      result: large,
    }),
  );
  const { steps: found } = await first.outcome();
  const kept = Object.fromEntries(found.map((step) => [step.stepId, step]));
  const trial = await tryWorkflow(
    { mode: "parallel", final: "synthesize", steps },
    () => ({ result: large }),
    {
      input: { kept, retryOf: "run-0" },
    },
  );
  expect((await trial.outcome()).steps[4]?.error?.code).toBe("workflow.too-large");
});

it("ends a run as failed whose outcome is larger than can be kept, and says what to do", async () => {
  const usage = { ...NO_USAGE, outputTokens: 7 };
  const trial = await tryWorkflow(
    { mode: "parallel", final: "synthesize", steps },
    () => ({ result: { answer: "found".repeat(100), usage } }),
    { outcomeChars: 5_000 },
  );
  const outcome = await trial.outcome();
  expect(outcome).toMatchObject({
    outcome: "failed",
    response: { content: "" },
    usage: { outputTokens: 35 },
    error: { code: "workflow.too-large", message: expect.stringContaining("as files") },
  });
  expect(outcome.steps.map(({ stepId, state, answer }) => [stepId, state, answer])).toEqual(
    steps.map(({ id }) => [id, "completed", ""]),
  );
  expect(outcome).not.toHaveProperty("answerFrom");
  expect(trial.events().at(-1)).toMatchObject({ type: "finish", outcome: "failed", answerItems: [] });
});
