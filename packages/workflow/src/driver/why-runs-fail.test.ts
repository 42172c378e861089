import { existsSync, readFileSync } from "node:fs";

import { scriptedModel } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { retryWaitMs } from "./steps/retry-wait.ts";
import { tryWorkflow, type ScriptedTurn } from "../testing/index.ts";

// Why runs of several agents fail, each turned into what has to hold instead. The table in DESIGN.md
// names them all and where each is tested; those of the driver are here.

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const HOUR = 3_600_000;

describe("every delegation", () => {
  it("carries objective, output schema, allowed tools, boundaries and budget", async () => {
    const output_schema = { type: "object", properties: { found: { type: "string" } }, required: ["found"] };
    const steps = [
      step("a", { output_schema, allowed_tools: ["search"], collection: "docs", expected_output: "facts" }),
      step("b"),
    ];
    const workflow = { deadline_seconds: 100, limits: { max_total_tokens: 1_000, max_cost_usd: 1 }, steps };
    const trial = await tryWorkflow(workflow, () => ({ result: { answer: '{"found":"it"}' } }));
    expect((await trial.outcome()).outcome).toBe("completed");
    const [a, b] = trial.gateway.calls.map(({ request }) => request.delegation);
    expect(a).toEqual({
      v: 1,
      objective: "the objective",
      instruction: "do a",
      expectedOutput: "facts",
      outputSchema: output_schema,
      // What it may use and see: these tools, this collection, no result.
      allowedTools: ["search"],
      collectionId: "docs",
      results: {},
      limits: { timeoutMs: 100_000, maxTotalTokens: 1_000, maxCostUsd: 1 },
    });
    expect(Object.keys(b?.results ?? {})).toEqual(["a"]);
    expect(b?.results["a"]?.data).toEqual({ output: { found: "it" } });
  });
});

describe("the same work", () => {
  it("is served from the journal however often the run is driven again, and an agent knows its message", async () => {
    const steps = [step("a"), step("b"), step("c")];
    let trial = await tryWorkflow({ steps }, () => ({ ms: 1_000 }));
    for (let cut = 0; cut < 8; cut++) {
      await trial.clock.advance(300);
      trial = await trial.crash();
    }
    await trial.outcome();
    expect(trial.gateway.calls.map(({ request }) => request.messageId)).toEqual([
      "run-1/a#1",
      "run-1/b#1",
      "run-1/c#1",
    ]);
  });

  it("is done by each step that asks for it: two steps may have two effects, and two answers to compare", async () => {
    const same = { agent: "same", instruction: "send the notice", depends_on: [] };
    const trial = await tryWorkflow(
      {
        steps: [
          { id: "a", ...same },
          { id: "b", ...same },
        ],
      },
      () => ({ ms: 10 }),
    );
    await trial.outcome();
    expect(trial.gateway.calls.map(({ request }) => request.messageId)).toEqual(["run-1/a#1", "run-1/b#1"]);
  });
});

describe("everything that is done again", () => {
  const failed: ScriptedTurn = {
    ms: 1_000,
    result: { outcome: "failed", answer: "", error: { code: "x", message: "no" } },
  };
  const steps = [step("a", { retry: { attempts: 10, backoff_seconds: 1 } })];
  const uses = (tokens: number, costUsd: number) => ({
    inputTokens: tokens,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    modelCalls: 1,
    costUsd,
  });

  it("ends by its number, in a state with a name", async () => {
    const trial = await tryWorkflow({ steps }, () => failed);
    expect(await trial.outcome()).toMatchObject({ outcome: "failed", error: { code: "x" } });
    expect(trial.gateway.calls).toHaveLength(10);
  });

  it("ends by time, in a state with a name", async () => {
    const trial = await tryWorkflow({ steps, deadline_seconds: 5 }, () => failed);
    expect(await trial.outcome()).toMatchObject({ outcome: "failed", error: { code: "workflow.deadline" } });
    expect(retryWaitMs(1_000, 9, "run-1/a#9/backoff")).toBeGreaterThan(5_000);
  });

  it.each([
    ["tokens", { max_total_tokens: 250 }],
    ["cost", { max_cost_usd: 0.25 }],
  ])("ends by %s, in a state with a name", async (_what, limits) => {
    const turn = { ...failed, result: { ...failed.result, usage: uses(100, 0.1) } };
    const trial = await tryWorkflow({ steps, limits }, () => turn);
    expect(await trial.outcome()).toMatchObject({ outcome: "failed", error: { code: "workflow.budget" } });
    expect(trial.gateway.calls).toHaveLength(3);
  });

  it("ends where an agent loses its work again and again", async () => {
    const error = { code: "agent.restarted", message: "it was restarted" };
    const trial = await tryWorkflow({ steps: [step("a")] }, () => ({
      ms: 1,
      result: { outcome: "failed", answer: "", error },
    }));
    expect(await trial.outcome()).toMatchObject({ outcome: "failed", error: { code: "agent.restarted" } });
    expect(trial.gateway.calls).toHaveLength(4);
  });
});

describe("input that is missing", () => {
  it("is asked for, and what depends on it waits: nothing is guessed", async () => {
    const form = { fields: [{ field_name: "audience" }] };
    const steps = [{ id: "who", kind: "human" as const, form }, step("deck")];
    const trial = await tryWorkflow({ steps }, () => ({}));
    await trial.clock.advance(100 * HOUR);
    expect(trial.gateway.calls).toEqual([]);
    expect((await trial.engine.get("run-1"))?.status).toBe("input-required");
  });
});

describe("the answer", () => {
  const workflow = { mode: "parallel" as const, steps: [step("a"), step("b"), step("c")] };
  const script = (_request: unknown, agent: string): ScriptedTurn => ({
    result: { answer: { "a-agent": "Sales are 7.", "b-agent": "Sales are 9." }[agent] ?? "" },
  });

  it("lists the steps whose output it was made from", async () => {
    const joined = await (await tryWorkflow(workflow, script)).outcome();
    expect(joined.answerFrom).toEqual(["a", "b"]);
    const passed = await (await tryWorkflow({ steps: [step("a"), step("b")] }, () => ({}))).outcome();
    expect(passed.answerFrom).toEqual(["b"]);
    const failing = await tryWorkflow({ steps: [step("a"), step("b")] }, (_request, agent) =>
      agent === "b-agent" ? { result: { outcome: "failed", answer: "" } } : {},
    );
    expect((await failing.outcome()).answerFrom).toEqual(["a"]);
  });

  it("reports where agents contradict each other: each is quoted under its name, or a model is told to", async () => {
    const { response } = await (await tryWorkflow(workflow, script)).outcome();
    expect(response.content).toBe("## A\n\nSales are 7.\n\n## B\n\nSales are 9.");
    const model = scriptedModel([{ text: "Steps a and b differ: 7 and 9." }]);
    await (await tryWorkflow(workflow, script, { model })).outcome();
    const [request] = model.requests;
    expect(request?.system).toMatch(/contradict each other, say so and name the steps/);
    expect(request?.messages.map((message) => ("text" in message ? message.text : ""))).toEqual([
      "the objective",
      "Step a (a-agent, completed):\nSales are 7.",
      "Step b (b-agent, completed):\nSales are 9.",
      "Steps without a finding:\n- c (c-agent): gave no answer",
    ]);
  });
});

describe("completed", () => {
  const output_schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const answers = (...texts: string[]) => {
    let turn = 0;
    return (): ScriptedTurn => ({ ms: 10, result: { answer: texts[turn++] ?? "" } });
  };

  it("is only what fits its schema, whatever the agent says: who makes it does not judge it", async () => {
    const trial = await tryWorkflow({ steps: [step("a", { output_schema })] }, answers('{"n":"seven"}'));
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "failed",
      error: { code: "workflow.output-invalid", message: expect.stringMatching(/a-agent.*output_schema.*n/) },
    });
    expect(outcome.steps[0]?.answer).toBe('{"n":"seven"}');
  });

  it("comes of a second try that is told what was wrong, and is judged the same after a crash", async () => {
    const steps = [step("a", { output_schema, retry: { attempts: 2, backoff_seconds: 1 } }), step("b")];
    const first = await tryWorkflow({ steps }, answers("seven", '```json\n{"n":7}\n```', "done"));
    await first.clock.advance(100);
    const second = await first.crash();
    const outcome = await second.outcome();
    expect(outcome.outcome).toBe("completed");
    expect(outcome.steps[0]).toMatchObject({ data: { output: { n: 7 } }, provenance: { attempt: 2 } });
    expect(second.gateway.calls.map(({ request }) => request.delegation.instruction)).toEqual([
      "do a",
      "do a\n\nYour answer before was not taken: the answer is no JSON",
      "do b",
    ]);
  });

  it("is asked for without a word about an answer before the last", async () => {
    const steps = [step("a", { output_schema, retry: { attempts: 3, backoff_seconds: 0 } })];
    const turns = [{ result: { answer: "seven" } }, { result: { outcome: "failed" as const } }];
    let asked = 0;
    const trial = await tryWorkflow({ steps }, () => turns[asked++] ?? { result: { answer: '{"n":7}' } });
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(trial.gateway.calls.at(-1)?.request.delegation.instruction).toBe("do a");
  });
});

it("the table of what has to hold names a test for each, that is there", () => {
  const design = readFileSync(new URL("../../DESIGN.md", import.meta.url), "utf8");
  const section = design.slice(design.indexOf("## Why runs of several agents fail"));
  const rows = [...section.matchAll(/^\| (.+?) +\| `(\S+\.test\.ts)` +\| (.+?) +\|$/gm)];
  expect(rows).toHaveLength(13);
  for (const [, , file = "", title = ""] of rows) {
    const source = new URL(`../../../../${file}`, import.meta.url);
    expect([file, existsSync(source)]).toEqual([file, true]);
    expect([title, readFileSync(source, "utf8").includes(title)]).toEqual([title, true]);
  }
});
