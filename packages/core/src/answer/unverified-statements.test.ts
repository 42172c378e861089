import type { Json } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { Tool } from "../ports/tool.ts";
import { fakeAnswerCheck } from "../testing/fake-answer-check.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

const saving = { name: "save", arguments: { text: "x" } };

async function run(steps: readonly ScriptedStep[], save: Tool) {
  const model = scriptedModel(steps);
  const answerCheck = fakeAnswerCheck({ words: { "93 %": "figure" } });
  const agent = createAgent(testConfig, { model, tools: [save], clock: virtualClock(), answerCheck });
  const finish = finishOf(await runAgent(agent));
  model.assertDone();
  return { finish, requests: model.requests };
}

describe("a file with statements that its sources do not have", () => {
  const unverified = [3, 4, 5, 6].map((slide) => ({
    slide,
    place: "title",
    statement: `Margin is 9${slide} %`,
    problem: `9${slide} % was not found`,
  }));
  const save = (data: Json): Tool => echoTool("save", () => ({ text: "Saved.", given: "", data }));
  const steps = [{ calls: [saving] }, { calls: [finishCall("All is saved.")] }];

  it("makes the run partial, with a reason that names slides and statements, whatever the model says", async () => {
    const { finish } = await run(steps, save({ unverified, compared: true }));
    expect(finish).toMatchObject({ outcome: "partial", response: { is_task_complete: false } });
    expect(finish.error).toEqual({
      code: "agent.unverified",
      message: [
        "4 statements of a file are not in its sources.",
        '- slide 3, title: "Margin is 93 %" (93 % was not found)',
        '- slide 4, title: "Margin is 94 %" (94 % was not found)',
        '- slide 5, title: "Margin is 95 %" (95 % was not found)',
        "- and 1 more",
      ].join("\n"),
    });
  });

  it("is reported by the answer without a refusal, unless it is stated as true", async () => {
    const saved = save({ unverified });
    const answer = (text: string) => [{ calls: [saving] }, { calls: [finishCall(text)] }];
    for (const report of [
      'Slide 3, title: "Margin is 93 %" was not found.',
      "The title “Margin is 93 %…” has no source.",
    ]) {
      const { finish } = await run(answer(report), saved);
      expect(finish).toMatchObject({ outcome: "partial", response: { checks: [{ status: "finding" }] } });
    }
    const claim = "Margin is 93 %.";
    const { requests } = await run([...answer(claim), { calls: [finishCall("So.")] }], saved);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain("The answer was not accepted");
  });

  it("leaves the run complete if nothing was compared or nothing is unverified", async () => {
    for (const data of [
      { unverified, compared: false },
      { unverified: [], compared: true },
      { unverified: 7 },
    ]) {
      const { finish } = await run(steps, save(data));
      expect(finish.outcome).toBe("completed");
    }
  });
});
