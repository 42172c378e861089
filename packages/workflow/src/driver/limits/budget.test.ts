import { AgentError } from "@troupe/core";
import { scriptedModel } from "@troupe/core/testing";
import { NO_USAGE, type AgentEvent, type Usage } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { tryWorkflow, type ScriptedTurn } from "../../testing/index.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const used = (tokens: number, costUsd?: number): Usage => ({
  ...NO_USAGE,
  outputTokens: tokens,
  modelCalls: 1,
  ...(costUsd === undefined ? {} : { costUsd }),
});
const uses = (tokens: number, more: Partial<ScriptedTurn> = {}, costUsd?: number): ScriptedTurn => ({
  ms: 100,
  ...more,
  result: { usage: used(tokens, costUsd), ...more.result },
});
const told = (tokens: number): AgentEvent => ({
  v: 1,
  runId: "t",
  seq: 0,
  attempt: 1,
  agent: "a",
  type: "usage",
  model: "m",
  usage: used(tokens),
});
const handed = (trial: Awaited<ReturnType<typeof tryWorkflow>>) =>
  trial.gateway.calls.map(({ request: { messageId, delegation } }) => [
    messageId.replace("run-1/", ""),
    delegation.limits.maxTotalTokens,
  ]);
const limits = { max_total_tokens: 9_000 };

describe("what a run may use", () => {
  it("is handed whole to a step that is alone, and what it leaves to the next, within the step's own", async () => {
    const steps = [step("a"), step("b", { limits: { max_total_tokens: 500 } }), step("c")];
    const trial = await tryWorkflow({ limits, steps }, () => uses(400));
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(handed(trial)).toEqual([
      ["a#1", 9_000],
      ["b#1", 500],
      ["c#1", 8_200],
    ]);
  });

  it("is shared equally by steps that may work at the same time, so that together they cannot pass it", async () => {
    const steps = [step("a"), step("b"), step("c"), step("d", { depends_on: ["a", "b", "c"] })];
    const trial = await tryWorkflow({ mode: "parallel", limits, steps }, ({ delegation }) =>
      uses(delegation.instruction === "do d" ? 10 : 2_000),
    );
    expect((await trial.outcome()).usage.outputTokens).toBe(6_010);
    expect(handed(trial)).toEqual([
      ["a#1", 3_000],
      ["b#1", 3_000],
      ["c#1", 3_000],
      ["d#1", 3_000],
    ]);
  });

  it("keeps a share for a step that somebody has to answer for first", async () => {
    const form = { fields: [{ field_name: "word", required: false }] };
    const human = { id: "who", kind: "human" as const, form };
    const steps = [human, step("a"), step("b", { depends_on: ["who"] })];
    const trial = await tryWorkflow({ mode: "parallel", limits, steps }, () => uses(10, { ms: 60_000 }));
    const reply = { requestId: "who", values: {} };
    await trial.engine.signal("run-1", "human:who", reply, { idempotencyKey: "k" });
    await trial.clock.advance(0);
    expect(handed(trial)).toEqual([
      ["a#1", 4_500],
      ["b#1", 4_500],
    ]);
  });

  it("ends the run in a state with a name when it is used up, with what was found", async () => {
    const steps = [step("a"), step("b"), step("c"), step("d")];
    const trial = await tryWorkflow({ limits, steps }, () => uses(4_500));
    const outcome = await trial.outcome();
    expect(handed(trial)).toEqual([
      ["a#1", 9_000],
      ["b#1", 4_500],
    ]);
    expect(outcome).toMatchObject({
      outcome: "partial",
      error: {
        code: "workflow.budget",
        message: expect.stringMatching(/limit of 9,000 tokens is used up.* raise max_total_tokens/),
      },
      usage: { outputTokens: 9_000 },
    });
    expect(outcome.response.content).toContain("## B\n\ndo b");
    expect(outcome.steps.map(({ state, reason }) => [state, reason])).toEqual([
      ["completed", undefined],
      ["completed", undefined],
      ["skipped", "the run's limit of 9,000 tokens is used up"],
      ["skipped", "the run's limit of 9,000 tokens is used up"],
    ]);
  });

  it("is not said to be used up by a run that needs no more", async () => {
    const trial = await tryWorkflow({ limits, steps: [step("a")] }, () => uses(9_000));
    expect(await trial.outcome()).toMatchObject({ outcome: "completed" });
  });

  it("counts attempts that failed, and tries no more often than it can pay", async () => {
    const failed = uses(5_000, {
      result: { outcome: "failed", answer: "", error: { code: "x", message: "no" } },
    });
    const steps = [step("a", { retry: { attempts: 5, backoff_seconds: 1 } })];
    const trial = await tryWorkflow({ limits, steps }, () => failed);
    const outcome = await trial.outcome();
    expect(handed(trial)).toEqual([
      ["a#1", 9_000],
      ["a#2", 4_000],
    ]);
    expect(outcome).toMatchObject({ outcome: "failed", error: { code: "workflow.budget" } });
    expect(outcome.steps[0]?.error).toEqual({
      code: "x",
      message: "no; it is not tried again, as the run's limit of 9,000 tokens is used up",
    });
  });

  it("lets go of its place while it waits for what somebody else holds who waits for a place", async () => {
    const request = {
      requestId: "own",
      kind: "form" as const,
      form: { title: "", description: "", fields: [] },
    };
    const turns: { [agent: string]: ScriptedTurn[] } = {
      "a-agent": [uses(10, { result: { outcome: "input-required", request } }), uses(10)],
      "b-agent": [uses(4_500, { result: { outcome: "failed" } }), uses(10)],
    };
    const steps = [step("a"), step("b", { retry: { attempts: 2, backoff_seconds: 1 } })];
    const trial = await tryWorkflow(
      { mode: "parallel", max_parallel: 1, limits, steps },
      (_request, agent) => turns[agent]?.shift() ?? {},
    );
    await trial.clock.advance(60_000);
    const reply = { requestId: "a#1", values: {} };
    await trial.engine.signal("run-1", "reply:a#1", reply, { idempotencyKey: "k" });
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(handed(trial)).toEqual([
      ["a#1", 4_500],
      ["b#1", 4_500],
      ["a#1.1", 4_500],
      ["b#2", 4_480],
    ]);
  });

  it("counts what was heard of an attempt that timed out, once its agent is told to stop", async () => {
    const turns: ScriptedTurn[] = [{ never: true, events: [told(7_000)] }, uses(10)];
    const steps = [step("a", { timeout_seconds: 5, retry: { attempts: 2 } })];
    const trial = await tryWorkflow({ limits, steps }, () => turns.shift() ?? {});
    const outcome = await trial.outcome();
    expect(handed(trial)).toEqual([
      ["a#1", 9_000],
      ["a#2", 2_000],
    ]);
    expect(outcome.usage.outputTokens).toBe(7_010);
    expect(outcome.steps[0]?.usage.outputTokens).toBe(7_010);
  });

  it("counts once what was heard of an attempt whose connection broke", async () => {
    const away = new AgentError("agent.unreachable", "gone", { retryable: true });
    const turns: ScriptedTurn[] = [{ ms: 10, break: away, events: [told(7_000)] }, uses(10)];
    const steps = [step("a", { retry: { attempts: 2 } })];
    const trial = await tryWorkflow({ limits, steps }, () => turns.shift() ?? {});
    expect((await trial.outcome()).usage.outputTokens).toBe(7_010);
    expect(handed(trial).at(-1)).toEqual(["a#2", 2_000]);
  });

  it("lends nothing of an agent that is told to stop before it has heard", async () => {
    const steps = [
      step("a", { timeout_seconds: 5, on_failure: "continue" }),
      step("b"),
      step("c", { depends_on: ["b"] }),
    ];
    const trial = await tryWorkflow({ mode: "parallel", limits, steps }, (_request, agent) =>
      agent === "a-agent"
        ? { never: true, events: [told(2_000)], stopsAfterMs: 3_000 }
        : uses(10, { ms: agent === "b-agent" ? 6_000 : 10 }),
    );
    expect((await trial.outcome()).usage.outputTokens).toBe(2_020);
    // At six seconds what was handed to the first is still with an agent that may use it.
    expect(handed(trial)).toEqual([
      ["a#1", 3_000],
      ["b#1", 6_000],
      ["c#1", 5_990],
    ]);
  });

  it("counts dollars as agents tell them", async () => {
    const steps = [step("a"), step("b"), step("c")];
    const trial = await tryWorkflow({ limits: { max_cost_usd: 0.5 }, steps }, () => uses(1, {}, 0.25));
    const outcome = await trial.outcome();
    expect(trial.gateway.calls.map(({ request }) => request.delegation.limits.maxCostUsd)).toEqual([
      0.5, 0.25,
    ]);
    expect(outcome).toMatchObject({
      outcome: "partial",
      usage: { costUsd: 0.5 },
      error: {
        code: "workflow.budget",
        message: expect.stringMatching(/limit of \$0\.5 .* raise max_cost_usd/),
      },
    });
  });

  const spent = { code: "agent.budget", message: "The limit of 9,000 tokens was reached before the answer." };

  it("is said to be used up in one way, also where an agent that was lent all of it notices", async () => {
    const short = uses(8_900, { result: { outcome: "failed", answer: "", error: spent } });
    const outcome = await (await tryWorkflow({ limits, steps: [step("a")] }, () => short)).outcome();
    expect(outcome).toMatchObject({ outcome: "failed", error: { code: "workflow.budget" } });
    expect(outcome.steps[0]?.error).toEqual({
      code: "workflow.budget",
      message: `${spent.message} What was finished before is kept; raise max_total_tokens in the limits of the workflow, or ask for less, and run it again.`,
    });
    // With what it has, the run ends so too.
    const half = uses(8_900, { result: { outcome: "partial", answer: "Half.", error: spent } });
    const partial = await (await tryWorkflow({ limits, steps: [step("a")] }, () => half)).outcome();
    expect(partial).toMatchObject({ outcome: "partial", error: { code: "workflow.budget" } });
  });

  it("names the limit that is used up, and no other", async () => {
    const both = { max_total_tokens: 9_000, max_cost_usd: 3 };
    const dear = { ...spent, message: "The cost limit of $3.00 was reached before the answer." };
    for (const [error, key] of [
      [spent, "max_total_tokens"],
      [dear, "max_cost_usd"],
    ] as const) {
      const short = uses(8_900, { result: { outcome: "failed", answer: "", error } });
      const outcome = await (await tryWorkflow({ limits: both, steps: [step("a")] }, () => short)).outcome();
      expect(outcome.error?.message).toContain(`; raise ${key} in the limits of the workflow`);
    }
    // The tokens are the step's own, and only the dollars are lent of the run's.
    const own = step("a", { limits: { max_total_tokens: 100 } });
    const short = uses(100, { result: { outcome: "failed", answer: "", error: spent } });
    const outcome = await (await tryWorkflow({ limits: both, steps: [own] }, () => short)).outcome();
    expect(outcome.error?.code).toBe("agent.budget");
  });

  it("is not used up where a step may use no more by itself", async () => {
    const short = uses(100, { result: { outcome: "failed", answer: "", error: spent } });
    const own = step("a", { limits: { max_total_tokens: 100 } });
    const outcome = await (await tryWorkflow({ limits, steps: [own] }, () => short)).outcome();
    expect(outcome.error?.code).toBe("agent.budget");
  });

  it("holds over a crash: what was used before is not forgotten", async () => {
    const steps = [step("a"), step("b"), step("c")];
    const first = await tryWorkflow({ limits, steps }, () => uses(4_000));
    await first.clock.advance(150);
    const second = await first.crash();
    await second.outcome();
    expect(handed(second)).toEqual([
      ["a#1", 9_000],
      ["b#1", 5_000],
      ["c#1", 1_000],
    ]);
  });
});

describe("the answer that a model writes", () => {
  const steps = [step("a"), step("b")];
  const workflow = { mode: "parallel" as const, steps };

  it("is counted, and no longer than what is left pays for", async () => {
    const model = scriptedModel([{ text: "Both.", usage: { outputTokens: 7 } }]);
    const trial = await tryWorkflow({ ...workflow, limits: { max_total_tokens: 9_000 } }, () => uses(1_000), {
      model,
    });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "completed", response: { content: "Both." } });
    const most = model.requests[0]?.maxOutputTokens ?? 0;
    expect(most).toBeGreaterThan(6_000);
    expect(most).toBeLessThan(7_000);
  });

  it("is joined from the steps' answers where nothing is left, or not enough to ask", async () => {
    for (const left of [0, 20]) {
      const model = scriptedModel([]);
      const trial = await tryWorkflow(
        { ...workflow, limits: { max_total_tokens: 2_000 + left, max_cost_usd: 3 } },
        () => uses(1_000),
        {
          model,
        },
      );
      expect(await trial.outcome()).toMatchObject({
        outcome: "partial",
        error: { code: "workflow.budget", message: expect.stringContaining("; raise max_total_tokens in") },
        response: { content: "## A\n\ndo a\n\n## B\n\ndo b" },
      });
    }
  });
});
