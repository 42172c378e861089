import { AgentError, type AgentResult } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { answerSignal } from "../../engine/answer-signal.ts";
import { retryWaitMs } from "./retry-wait.ts";
import { tryWorkflow, type ScriptedTurn } from "../../testing/index.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const gone = new AgentError("agent.task-lost", "the task is not known", { retryable: true });
const ended = (code: string): ScriptedTurn => ({
  ms: 100,
  result: { outcome: "failed", answer: "", error: { code, message: code } },
});

/** What an agent does with its first messages; later ones it answers. */
function turns(...first: readonly ScriptedTurn[]) {
  let asked = 0;
  return (): ScriptedTurn => first[asked++] ?? { ms: 100 };
}

describe("work an agent has lost", () => {
  it.each<[string, ScriptedTurn]>([
    ["a task it does not know any more", { ms: 100, break: gone }],
    ["one cut off by a restart", ended("agent.restarted")],
    ["one cut off by a shutdown", ended("agent.shutting-down")],
  ])("is sent again without using up an attempt: %s", async (_name, lost) => {
    const trial = await tryWorkflow({ steps: [step("a")] }, turns(lost, lost, lost));
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("completed");
    expect(trial.gateway.calls.map((call) => call.request.messageId)).toEqual([
      "run-1/a#1",
      "run-1/a#2",
      "run-1/a#3",
      "run-1/a#4",
    ]);
    expect(outcome.steps[0]).toMatchObject({ answer: "do a", ms: 400, provenance: { attempt: 4 } });
    const again = trial.events().filter((event) => event.type === "attempt-start");
    expect(again.map((event) => event.attempt)).toEqual([101, 201, 301]);
    // There is nothing left to be told about it.
    expect(trial.gateway.canceled).toEqual([]);
  });

  it("is given up after three times, with the others' results kept", async () => {
    const script = (_request: unknown, agent: string): ScriptedTurn =>
      agent === "a-agent" ? { ms: 10, break: gone } : { ms: 100 };
    const steps = [step("a", { on_failure: "continue" }), step("b")];
    const trial = await tryWorkflow({ mode: "parallel", final: "synthesize", steps }, script);
    const outcome = await trial.outcome();
    expect(trial.gateway.calls.filter(({ agent }) => agent === "a-agent")).toHaveLength(4);
    expect(outcome.outcome).toBe("partial");
    expect(outcome.steps).toMatchObject([
      { state: "failed", error: { code: "agent.task-lost" } },
      { state: "completed", answer: "do b" },
    ]);
  });

  it("leaves the attempts of the step and their pauses as they are", async () => {
    const away = new AgentError("agent.unreachable", "not there", { retryable: true });
    const steps = [step("a", { retry: { attempts: 2, backoff_seconds: 5 } })];
    const trial = await tryWorkflow({ steps }, turns({ break: gone }, { break: away }, { break: gone }));
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("completed");
    const pause = retryWaitMs(5_000, 1, "run-1/a#2/backoff");
    expect(outcome.steps[0]).toMatchObject({ ms: 100 + pause, provenance: { attempt: 4 } });
  });

  it("shares one timeout with what was done before", async () => {
    const trial = await tryWorkflow(
      { steps: [step("a", { timeout_seconds: 10 })] },
      turns({ ms: 6_000, break: gone }, { never: true }),
    );
    const started = trial.clock.now();
    const until = trial.engine.result("run-1").then((outcome) => [outcome, trial.clock.now() - started]);
    await trial.clock.advance(60_000);
    expect(await until).toMatchObject([{ steps: [{ error: { code: "agent.timeout" } }] }, 10_000]);
  });

  it("is asked anew when the agent forgot what it asked", async () => {
    const asks: Partial<AgentResult> = {
      outcome: "input-required",
      request: { requestId: "own", kind: "form", form: { title: "", description: "", fields: [] } },
    };
    const trial = await tryWorkflow(
      { steps: [step("a")] },
      turns({ result: asks }, { refuse: gone }, { result: asks }),
    );
    for (const id of ["a#1", "a#2"]) {
      await trial.clock.advance(1_000);
      const reply = { requestId: id, values: {} };
      await trial.engine.signal("run-1", answerSignal(id), reply, { idempotencyKey: id });
    }
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(trial.gateway.calls.map((call) => call.request.messageId)).toEqual([
      "run-1/a#1",
      "run-1/a#2",
      "run-1/a#2.1",
    ]);
  });

  it("ends the same wherever the run is cut", async () => {
    const steps = [step("a"), step("b"), step("c", { depends_on: ["a", "b"] })];
    const script = () => {
      let lost = 0;
      return (_request: unknown, agent: string): ScriptedTurn =>
        agent === "a-agent" && lost++ < 2 ? { ms: 100, break: gone } : { ms: 150 };
    };
    const whole = await tryWorkflow({ mode: "parallel", steps }, script());
    expect((await whole.outcome()).outcome).toBe("completed");
    for (let cut = 0; cut <= 600; cut += 25) {
      let trial = await tryWorkflow({ mode: "parallel", steps }, script());
      await trial.clock.advance(cut);
      trial = await trial.crash();
      expect((await trial.outcome()).outcome).toBe("completed");
      expect(trial.gateway.calls.map((call) => call.request.messageId)).toEqual(
        whole.gateway.calls.map((call) => call.request.messageId),
      );
      expect(trial.journal.names("run-1").toSorted()).toEqual(whole.journal.names("run-1").toSorted());
    }
  });
});
