import { AgentError } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { memoryEngine, tryWorkflow } from "../testing/index.ts";
import { createDagDriver } from "./create-dag-driver.ts";
import { retryWaitMs } from "./steps/retry-wait.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const unreachable = (): AgentError =>
  new AgentError("agent.unreachable", "agent is gone", { retryable: true });

describe("order", () => {
  it("runs a sequential workflow one after the other and hands each result on", async () => {
    const trial = await tryWorkflow({ steps: [step("a"), step("b"), step("c")] }, () => ({ ms: 100 }));
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("completed");
    expect(outcome.response.content).toBe("do c");
    expect(outcome.steps.map((result) => [result.stepId, result.ms])).toEqual([
      ["a", 100],
      ["b", 100],
      ["c", 100],
    ]);
    expect(trial.gateway.calls.map((call) => Object.keys(call.request.delegation.results))).toEqual([
      [],
      ["a"],
      ["b"],
    ]);
  });

  it("runs independent branches at the same time and joins them", async () => {
    const steps = [step("a"), step("b"), step("c"), step("join", { depends_on: ["a", "b", "c"] })];
    const trial = await tryWorkflow({ mode: "parallel", steps }, () => ({ ms: 1_000 }));
    const started = trial.clock.now();
    const ended = trial.engine.result("run-1").then(() => trial.clock.now());
    await trial.clock.advance(10_000);
    expect((await ended) - started).toBe(2_000);
    expect(trial.gateway.peak).toBe(3);
  });

  it("lets a step whose question was answered wait until there is room, and go before what has not begun", async () => {
    const fields = { title: "", description: "", fields: [] };
    const request = { requestId: "own", kind: "form" as const, form: fields };
    const steps = [step("a"), step("b"), step("c")];
    const script = ({ reply }: { readonly reply?: unknown }, agent: string) =>
      agent === "a-agent" && reply === undefined
        ? { ms: 10, result: { outcome: "input-required" as const, request } }
        : { ms: 1_000 };
    const trial = await tryWorkflow({ mode: "parallel", max_parallel: 1, steps }, script);
    await trial.clock.advance(100);
    const answer = { requestId: "a#1", values: {} };
    await trial.engine.signal("run-1", "reply:a#1", answer, { idempotencyKey: "k" });
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(trial.gateway.peak).toBe(1);
    expect(trial.gateway.calls.map(({ request: { messageId } }) => messageId)).toEqual([
      "run-1/a#1",
      "run-1/b#1",
      "run-1/a#1.1",
      "run-1/c#1",
    ]);
  });

  it("never runs more at once than max_parallel", async () => {
    const steps = ["a", "b", "c", "d", "e"].map((id) => step(id));
    const trial = await tryWorkflow({ mode: "parallel", max_parallel: 2, steps }, () => ({ ms: 100 }));
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(trial.gateway.peak).toBe(2);
  });

  it("shows a step only the results it depends on, and keeps two steps of one agent apart", async () => {
    const steps = [
      { id: "one", agent: "same", instruction: "first", depends_on: [] },
      { id: "two", agent: "same", instruction: "second", depends_on: [] },
      step("end", { depends_on: ["two"] }),
      step("both", { depends_on: ["one", "two"] }),
    ];
    const trial = await tryWorkflow({ steps, final: "synthesize" }, () => ({ ms: 10 }));
    const outcome = await trial.outcome();
    const seen = Object.fromEntries(
      trial.gateway.calls.map((call) => [
        call.request.delegation.instruction,
        Object.values(call.request.delegation.results).map((result) => result.answer),
      ]),
    );
    expect(seen).toEqual({ first: [], second: [], "do end": ["second"], "do both": ["first", "second"] });
    expect(outcome.steps.map((result) => result.answer)).toEqual(["first", "second", "do end", "do both"]);
  });

  it("delegates with objective, tools, limits, collection and a message id of run, step and attempt", async () => {
    const steps = [
      step("a", {
        allowed_tools: ["search"],
        collection: "docs",
        limits: { max_iterations: 4, max_total_tokens: 9_000, max_cost_usd: 0.5, max_tool_calls: 7 },
        timeout_seconds: 60,
        expected_output: "facts",
      }),
    ];
    const trial = await tryWorkflow({ steps }, () => ({}));
    await trial.outcome();
    expect(trial.gateway.calls[0]?.request).toEqual({
      messageId: "run-1/a#1",
      stepId: "a",
      delegation: {
        v: 1,
        objective: "the objective",
        instruction: "do a",
        expectedOutput: "facts",
        allowedTools: ["search"],
        limits: {
          timeoutMs: 60_000,
          maxIterations: 4,
          maxTotalTokens: 9_000,
          maxCostUsd: 0.5,
          maxToolCalls: 7,
        },
        collectionId: "docs",
        results: {},
      },
    });
  });
});

describe("failure", () => {
  it("retries what may pass with a new name and a growing wait, and never runs a sibling again", async () => {
    let tries = 0;
    const steps = [step("a", { retry: { attempts: 3, backoff_seconds: 2 } }), step("b")];
    const trial = await tryWorkflow({ mode: "parallel", steps }, (_request, agent) =>
      agent === "a-agent" && ++tries < 3 ? { ms: 10, break: unreachable() } : { ms: 10 },
    );
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("completed");
    expect(trial.gateway.calls.map((call) => call.request.messageId)).toEqual([
      "run-1/a#1",
      "run-1/b#1",
      "run-1/a#2",
      "run-1/a#3",
    ]);
    const waits = retryWaitMs(2_000, 1, "run-1/a#1/backoff") + retryWaitMs(2_000, 2, "run-1/a#2/backoff");
    expect(outcome.steps[0]).toMatchObject({
      outcome: "completed",
      ms: 30 + waits,
      provenance: { attempt: 3 },
    });
    const retries = trial.events().filter((event) => event.type === "attempt-start");
    expect(retries.map((event) => [event.stepId, event.attempt])).toEqual([
      ["a", 101],
      ["a", 201],
    ]);
  });

  it("does not retry what cannot pass, keeps the others' results and never calls that completed", async () => {
    const steps = [
      step("a", { retry: { attempts: 3 } }),
      step("b"),
      step("deck", { depends_on: ["a", "b"] }),
    ];
    const trial = await tryWorkflow({ mode: "parallel", steps }, (_request, agent) =>
      agent === "a-agent" ? { refuse: new AgentError("agent.unknown", "no such agent") } : { ms: 50 },
    );
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("partial");
    expect(outcome.steps.map((result) => [result.stepId, result.state, result.answer])).toEqual([
      ["a", "failed", ""],
      ["b", "completed", "do b"],
      ["deck", "skipped", ""],
    ]);
    expect(outcome.steps[2]?.reason).toBe('step "a" failed: no such agent');
  });

  it("fail starts nothing more, skip leaves out the dependents only, continue tells them why", async () => {
    const trialOf = (on_failure: "fail" | "skip" | "continue") =>
      tryWorkflow(
        {
          mode: "parallel",
          final: "synthesize",
          steps: [
            step("a", { on_failure }),
            step("after", { depends_on: ["a"] }),
            step("b"),
            step("later", { depends_on: ["b"] }),
          ],
        },
        (_request, agent) =>
          agent === "a-agent"
            ? { ms: 10, result: { outcome: "failed", error: { code: "x", message: "broken" } } }
            : { ms: 50 },
      );
    const states = async (policy: "fail" | "skip" | "continue") =>
      (await (await trialOf(policy)).outcome()).steps.map((result) => result.state);
    expect(await states("fail")).toEqual(["failed", "skipped", "completed", "skipped"]);
    expect(await states("skip")).toEqual(["failed", "skipped", "completed", "completed"]);
    expect(await states("continue")).toEqual(["failed", "completed", "completed", "completed"]);

    const carried = await trialOf("continue");
    expect((await carried.outcome()).outcome).toBe("partial");
    const after = carried.gateway.calls.find((call) => call.agent === "after-agent");
    expect(after?.request.delegation.results["a"]).toMatchObject({
      outcome: "failed",
      error: { code: "x", message: "broken" },
    });
  });

  it("goes on beside a step whose agent ended as canceled, and says why that one has no result", async () => {
    const steps = [
      step("a"),
      step("after", { depends_on: ["a"] }),
      step("b"),
      step("later", { depends_on: ["b"] }),
    ];
    const trial = await tryWorkflow({ mode: "parallel", final: "synthesize", steps }, (_request, agent) =>
      agent === "a-agent" ? { ms: 10, result: { outcome: "canceled", answer: "" } } : { ms: 50 },
    );
    const outcome = await trial.outcome();
    const why = 'agent "a-agent" ended its task as canceled';
    expect(outcome.steps.map(({ state, reason }) => [state, reason])).toEqual([
      ["canceled", why],
      ["skipped", `step "a" was canceled: ${why}`],
      ["completed", undefined],
      ["completed", undefined],
    ]);
    const told = trial.events().find((event) => event.type === "step-status" && event.state === "canceled");
    expect(told).toMatchObject({ step: "a", reason: why });
  });

  it("takes a partial result as good enough to go on, and is itself partial then", async () => {
    const trial = await tryWorkflow({ steps: [step("a"), step("b")] }, (_request, agent) =>
      agent === "a-agent" ? { result: { outcome: "partial" } } : {},
    );
    const outcome = await trial.outcome();
    expect(outcome.steps.map((result) => result.state)).toEqual(["partial", "completed"]);
    expect(outcome).toMatchObject({
      outcome: "partial",
      response: { is_task_complete: false, content: "do b" },
    });
  });

  it("gives up a step that takes too long, tells its agent, and goes on with the run", async () => {
    const steps = [
      step("slow", { timeout_seconds: 5, on_failure: "continue" }),
      step("end", { depends_on: ["slow"] }),
    ];
    const trial = await tryWorkflow({ steps }, (_request, agent) =>
      agent === "slow-agent" ? { never: true } : {},
    );
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("partial");
    expect(outcome.steps[0]).toMatchObject({ state: "failed", ms: 5_000, error: { code: "agent.timeout" } });
    expect(trial.gateway.canceled).toEqual(["task-1"]);
  });
});

describe("cancel", () => {
  it("tells every running agent at once, starts nothing more and ends as canceled", async () => {
    const steps = [step("a"), step("b"), step("c", { depends_on: ["a"] })];
    const trial = await tryWorkflow({ mode: "parallel", final: "synthesize", steps }, () => ({
      never: true,
    }));
    const started = trial.clock.now();
    expect(await trial.engine.cancel("run-1", "not needed any more")).toBe("accepted");
    await trial.clock.advance(0);
    expect(trial.gateway.canceled).toEqual(["task-1", "task-2"]);
    const outcome = await trial.engine.result("run-1");
    expect(trial.clock.now() - started).toBe(0);
    expect(outcome).toMatchObject({ outcome: "canceled", error: { message: "not needed any more" } });
    expect(outcome.steps.map((result) => result.state)).toEqual(["canceled", "canceled", "canceled"]);
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", outcome: "canceled" });
  });

  it("waits for a send under way and cancels the task it brings", async () => {
    const gate = Promise.withResolvers<void>();
    const trial = await tryWorkflow({ steps: [step("a")] }, () => ({ never: true }));
    const slow = {
      ...trial.gateway,
      send: async (...args: Parameters<typeof trial.gateway.send>) => {
        await gate.promise;
        return trial.gateway.send(...args);
      },
    };
    const engine = memoryEngine({ clock: trial.clock });
    await engine.register(createDagDriver({ gateway: slow, eventLog: engine.events, clock: trial.clock }));
    const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps: [step("z")] }));
    await engine.start(spec, { objective: "o" }, { runId: "slow-send" });
    await trial.clock.advance(0);
    await engine.cancel("slow-send", "stop");
    await trial.clock.advance(0);
    expect(trial.gateway.canceled).toEqual([]);
    gate.resolve();
    await trial.clock.advance(0);
    expect(trial.gateway.canceled).toEqual([trial.gateway.calls.at(-1)?.taskId]);
    expect((await engine.result("slow-send")).outcome).toBe("canceled");
  });
});

describe("an agent that cannot be told to stop", () => {
  it("holds the end of the run for a bounded time only", async () => {
    const trial = await tryWorkflow({ steps: [step("a")] }, () => ({ never: true }));
    const gateway = { ...trial.gateway, cancel: () => new Promise<never>(() => undefined) };
    const engine = memoryEngine({ clock: trial.clock });
    await engine.register(createDagDriver({ gateway, eventLog: engine.events, clock: trial.clock }));
    const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps: [step("z")] }));
    await engine.start(spec, { objective: "o" }, { runId: "deaf" });
    await trial.clock.advance(0);
    const asked = trial.clock.now();
    await engine.cancel("deaf", "stop");
    const ended = engine.result("deaf").then(() => trial.clock.now() - asked);
    await trial.clock.advance(60_000);
    expect(await ended).toBe(10_000);
  });

  it("does not wait for ever for a send that never returns", async () => {
    const trial = await tryWorkflow({ steps: [step("a")] }, () => ({ never: true }));
    const gateway = { ...trial.gateway, send: () => new Promise<never>(() => undefined) };
    const engine = memoryEngine({ clock: trial.clock });
    await engine.register(createDagDriver({ gateway, eventLog: engine.events, clock: trial.clock }));
    const steps = [step("z", { timeout_seconds: 30 })];
    const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps }));
    await engine.start(spec, { objective: "o" }, { runId: "hung" });
    await trial.clock.advance(0);
    const started = trial.clock.now();
    const ended = engine.result("hung").then((outcome) => [outcome.outcome, trial.clock.now() - started]);
    await trial.clock.advance(120_000);
    expect(await ended).toEqual(["failed", 45_000]);
  });
});
