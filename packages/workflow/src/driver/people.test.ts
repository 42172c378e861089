import { AgentError, type AgentResult } from "@troupe/core";
import type { InputRequest } from "@troupe/stream";
import { expect, it } from "vitest";

import { answerSignal } from "../engine/answer-signal.ts";
import { tryWorkflow } from "../testing/index.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const audience = { field_name: "audience", field_label: "Audience" };
const review = { id: "review", kind: "human" as const, form: { title: "Who reads it?", fields: [audience] } };

const question: InputRequest = {
  requestId: "agent-own-id",
  kind: "form",
  form: {
    title: "Which year?",
    description: "",
    fields: [
      {
        field_name: "year",
        field_label: "Year",
        field_description: "",
        field_type: "number",
        field_values: [],
        default_value: null,
        placeholder: "",
        required: true,
      },
    ],
  },
};
const asks: Partial<AgentResult> & { readonly request: InputRequest } = {
  outcome: "input-required",
  request: question,
};

it("waits for a person at a human step, however long, and hands the answer on", async () => {
  const trial = await tryWorkflow({ steps: [step("a"), { ...review }, step("b")] }, () => ({ ms: 10 }));
  await trial.clock.advance(7_200_000);
  const view = await trial.engine.get("run-1");
  expect(view).toMatchObject({
    status: "input-required",
    requests: [{ step: "review", request: { requestId: "review" } }],
  });
  const reply = { requestId: "review", values: { audience: "the board" } };
  expect(await trial.engine.signal("run-1", answerSignal("review"), reply, { idempotencyKey: "1" })).toBe(
    "accepted",
  );
  const outcome = await trial.outcome();
  expect(outcome.outcome).toBe("completed");
  expect(trial.gateway.calls.at(-1)?.request.delegation.results["review"]).toMatchObject({
    answer: "Audience: the board",
    data: { values: { audience: "the board" } },
  });
  expect((await trial.engine.get("run-1"))?.requests).toEqual([]);
});

it("keeps an answer that comes before it is asked for, over a crash too", async () => {
  const first = await tryWorkflow({ steps: [step("a"), { ...review }] }, () => ({ ms: 1_000 }));
  const reply = { requestId: "review", values: { audience: "us" } };
  await first.engine.signal("run-1", "human:review", reply, { idempotencyKey: "1" });
  const second = await first.crash();
  const outcome = await second.outcome();
  expect(outcome.response.content).toBe("Audience: us");
});

it("goes on with the same task when a person answers what an agent asked, and its clock stood meanwhile", async () => {
  const steps = [
    step("a", { timeout_seconds: 10 }),
    step("b", { depends_on: ["a"] }),
    step("free", { depends_on: [] }),
  ];
  const trial = await tryWorkflow({ steps, final: "synthesize" }, (request, agent) => {
    if (agent !== "a-agent") return { ms: 10 };
    return request.reply ? { ms: 5_000, result: { answer: "for 2026" } } : { ms: 4_000, result: asks };
  });
  await trial.clock.advance(3_600_000);
  expect(trial.states()).toContain("free completed");
  expect((await trial.engine.get("run-1"))?.requests[0]?.request.requestId).toBe("a#1");
  const reply = { requestId: "a#1", values: { year: 2026 } };
  await trial.engine.signal("run-1", answerSignal("a#1"), reply, { idempotencyKey: "1" });
  const outcome = await trial.outcome();
  const sent = trial.gateway.calls.filter((call) => call.agent === "a-agent").map((call) => call.request);
  expect(sent.map((request) => [request.messageId, request.taskId])).toEqual([
    ["run-1/a#1", undefined],
    ["run-1/a#1.1", "task-1"],
  ]);
  expect(sent[1]?.reply).toEqual({ requestId: "agent-own-id", values: { year: 2026 } });
  expect(outcome.steps[0]).toMatchObject({ state: "completed", answer: "for 2026" });
});

it("asks for an approval as for a form, and again with the reason when the agent does not take the answer", async () => {
  const calls = [{ callId: "c1", tool: "send_mail", arguments: { to: "ann" } }];
  const approval: InputRequest = { requestId: "own", kind: "approval", calls };
  const error = { code: "input.invalid", message: "to: is no address" };
  const trial = await tryWorkflow({ steps: [step("a", { timeout_seconds: 10 })] }, ({ reply }) => {
    if (reply === undefined) return { ms: 10, result: { outcome: "input-required", request: approval } };
    const edited = "decisions" in reply && reply.decisions[0]?.type === "edit";
    if (edited) return { ms: 10, result: { outcome: "input-required", request: approval, error } };
    return { ms: 10, result: { answer: "sent" } };
  });
  const signal = async (id: string, decision: object) => {
    await trial.clock.advance(3_600_000);
    const reply = { requestId: id, decisions: [{ callId: "c1", ...decision }] };
    return trial.engine.signal("run-1", answerSignal(id), reply, { idempotencyKey: id });
  };
  expect(await signal("a#1", { type: "edit", arguments: { to: "" } })).toBe("accepted");
  await trial.clock.advance(1_000);
  expect(await trial.engine.get("run-1")).toMatchObject({
    status: "input-required",
    steps: [{ reason: 'waits for an answer to "a#2": to: is no address' }],
    requests: [{ step: "a", request: { ...approval, requestId: "a#2" } }],
  });
  expect(await signal("a#2", { type: "approve" })).toBe("accepted");
  expect((await trial.outcome()).response.content).toBe("sent");
  expect(trial.gateway.calls.map(({ request }) => [request.taskId, request.reply])).toEqual([
    [undefined, undefined],
    ["task-1", { requestId: "own", decisions: [{ callId: "c1", type: "edit", arguments: { to: "" } }] }],
    ["task-1", { requestId: "own", decisions: [{ callId: "c1", type: "approve" }] }],
  ]);
});

it.each(["agent.unreachable", "agent.unknown"] as const)(
  "goes on waiting with its question when nobody is there to take the answer, over a crash too: %s",
  async (code) => {
    const away = new AgentError(code, "Nobody is there.", { retryable: true });
    let refusals = 2;
    let trial = await tryWorkflow(
      { steps: [step("a", { timeout_seconds: 10, retry: { attempts: 3 } })] },
      ({ reply }) => {
        if (reply === undefined) return { ms: 4_000, result: asks };
        return refusals-- > 0 ? { refuse: away } : { ms: 5_000, result: { answer: "for 2026" } };
      },
    );
    for (const id of ["a#1", "a#2", "a#3"]) {
      await trial.clock.advance(3_600_000);
      const reply = { requestId: id, values: { year: 2026 } };
      expect(await trial.engine.signal("run-1", answerSignal(id), reply, { idempotencyKey: id })).toBe(
        "accepted",
      );
      await trial.clock.advance(1_000);
      if (id !== "a#2") continue;
      trial = await trial.crash();
      await trial.clock.advance(1_000);
      expect(await trial.engine.get("run-1")).toMatchObject({
        status: "input-required",
        steps: [{ reason: 'waits for an answer to "a#3": the answer did not arrive. Nobody is there.' }],
        requests: [{ step: "a", request: { ...question, requestId: "a#3" } }],
      });
    }
    expect((await trial.outcome()).response.content).toBe("for 2026");
    expect(trial.gateway.calls.map(({ request }) => [request.messageId, request.taskId])).toEqual([
      ["run-1/a#1", undefined],
      ["run-1/a#1.3", "task-1"],
    ]);
  },
);

it("tells the agent of a run that is canceled after an answer did not arrive", async () => {
  const away = new AgentError("agent.unreachable", "Nobody is there.");
  const trial = await tryWorkflow({ steps: [step("a")] }, ({ reply }) =>
    reply ? { refuse: away } : { result: asks },
  );
  const reply = { requestId: "a#1", values: { year: 2026 } };
  await trial.engine.signal("run-1", answerSignal("a#1"), reply, { idempotencyKey: "1" });
  await trial.clock.advance(1_000);
  await trial.engine.cancel("run-1", "enough");
  expect((await trial.outcome()).outcome).toBe("canceled");
  expect(trial.gateway.canceled).toEqual(["task-1"]);
});

it.each([
  ["most of the step's time", 295, 300],
  ["a time shorter than a gateway bears with it", 1, 8],
])("asks again of an agent that is away after it used %s", async (_what, worked, timeout_seconds) => {
  const away = new AgentError("agent.unreachable", "Nobody is there.", { retryable: true });
  let isAway = true;
  const trial = await tryWorkflow({ steps: [step("a", { timeout_seconds })] }, ({ reply }) => {
    if (!reply) return { ms: worked * 1_000, result: asks };
    return isAway ? { sendMs: 11_000, refuse: away } : { ms: 1, result: { answer: "for 2026" } };
  });
  const answer = (id: string) => {
    const reply = { requestId: id, values: { year: 2026 } };
    return trial.engine.signal("run-1", answerSignal(id), reply, { idempotencyKey: id });
  };
  await trial.clock.advance(3_600_000);
  await answer("a#1");
  await trial.clock.advance(60_000);
  expect(await trial.engine.get("run-1")).toMatchObject({
    status: "input-required",
    requests: [{ request: { requestId: "a#2" } }],
  });
  isAway = false;
  await answer("a#2");
  expect((await trial.outcome()).response.content).toBe("for 2026");
});

it("gives up an answer that does not arrive at all, half a minute after the step's time", async () => {
  const trial = await tryWorkflow({ steps: [step("a", { timeout_seconds: 6 })] }, ({ reply }) =>
    reply ? { sendMs: 3_600_000 } : { ms: 4_000, result: asks },
  );
  await trial.clock.advance(60_000);
  const reply = { requestId: "a#1", values: { year: 2026 } };
  await trial.engine.signal("run-1", answerSignal("a#1"), reply, { idempotencyKey: "1" });
  await trial.clock.advance(31_000);
  expect((await trial.engine.get("run-1"))?.steps).toMatchObject([{ state: "in_progress" }]);
  await trial.clock.advance(1_000);
  expect((await trial.engine.get("run-1"))?.steps).toMatchObject([{ state: "failed" }]);
  expect(trial.gateway.canceled).toEqual(["task-1"]);
});

it("tells a task that asks to stop where the answer cannot be sent, before it is tried again", async () => {
  const refusal = new AgentError("agent.busy", "Not now.", { retryable: true });
  const trial = await tryWorkflow(
    { steps: [step("a", { retry: { attempts: 2, backoff_seconds: 1 } })] },
    ({ messageId, reply }) => {
      if (reply) return { refuse: refusal };
      return messageId.endsWith("#1") ? { result: asks } : { result: { answer: "without asking" } };
    },
  );
  const reply = { requestId: "a#1", values: { year: 2026 } };
  await trial.engine.signal("run-1", answerSignal("a#1"), reply, { idempotencyKey: "1" });
  expect((await trial.outcome()).response.content).toBe("without asking");
  expect(trial.gateway.canceled).toEqual(["task-1"]);
});

it("tells a task that asks to stop where the run is canceled while the answer is on its way", async () => {
  const trial = await tryWorkflow({ steps: [step("a")] }, ({ reply }) =>
    reply ? { sendMs: 60_000 } : { result: asks },
  );
  const reply = { requestId: "a#1", values: { year: 2026 } };
  await trial.engine.signal("run-1", answerSignal("a#1"), reply, { idempotencyKey: "1" });
  await trial.clock.advance(1_000);
  await trial.engine.cancel("run-1", "enough");
  await trial.clock.advance(0);
  expect(trial.gateway.canceled).toEqual(["task-1"]);
  expect((await trial.outcome()).outcome).toBe("canceled");
});

it("tells a task to stop again whose answer reached it after it was told", async () => {
  const trial = await tryWorkflow({ steps: [step("a")] }, ({ reply }) =>
    reply ? { sendMs: 5_000, never: true } : { result: asks },
  );
  const reply = { requestId: "a#1", values: { year: 2026 } };
  await trial.engine.signal("run-1", answerSignal("a#1"), reply, { idempotencyKey: "1" });
  await trial.clock.advance(1_000);
  await trial.engine.cancel("run-1", "enough");
  expect((await trial.outcome()).outcome).toBe("canceled");
  expect(trial.gateway.canceled).toEqual(["task-1", "task-1"]);
  expect(trial.gateway.running).toBe(0);
});

it("counts the work before and after the question against one timeout", async () => {
  const trial = await tryWorkflow({ steps: [step("a", { timeout_seconds: 6 })] }, (request) =>
    request.reply ? { never: true } : { ms: 4_000, result: asks },
  );
  await trial.clock.advance(60_000);
  await trial.engine.signal(
    "run-1",
    "reply:a#1",
    { requestId: "a#1", values: { year: 1 } },
    { idempotencyKey: "1" },
  );
  const answered = trial.clock.now();
  const ended = trial.engine.result("run-1").then(() => trial.clock.now());
  await trial.clock.advance(60_000);
  expect((await ended) - answered).toBe(2_000);
});

it("fails the step when the answer cannot be used, and says what was wrong", async () => {
  const trial = await tryWorkflow({ steps: [{ ...review }] }, () => ({}));
  await trial.engine.signal(
    "run-1",
    "human:review",
    { requestId: "review", values: { color: "red" } },
    { idempotencyKey: "1" },
  );
  const outcome = await trial.outcome();
  expect(outcome.outcome).toBe("failed");
  expect(outcome.steps[0]?.error).toMatchObject({ code: "input.invalid" });
  expect(outcome.steps[0]?.error?.message).toContain("color");
});

it("cancels the task of an agent that waits for a person", async () => {
  const trial = await tryWorkflow({ steps: [step("a")] }, () => ({ ms: 10, result: asks }));
  await trial.clock.advance(1_000);
  await trial.engine.cancel("run-1", "never mind");
  expect((await trial.outcome()).outcome).toBe("canceled");
  expect(trial.gateway.canceled).toEqual(["task-1"]);
});
