import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";

const year = {
  field_name: "year",
  field_label: "Year",
  field_description: "",
  field_type: "number",
  field_values: [],
  default_value: null,
  placeholder: "2026",
  required: true,
};
const ask = {
  calls: [
    finishCall("Which year do you mean?", {
      is_task_complete: false,
      require_user_input: true,
      user_input: "Which year?",
      input_fields: [year],
    }),
  ],
};

function setup(steps: readonly ScriptedStep[]) {
  const model = scriptedModel(steps);
  let ids = 0;
  return { model, agent: createAgent(testConfig, { model, newId: () => `id-${++ids}` }) };
}

describe("asking a person", () => {
  it("ends the turn with the form and no completed answer", async () => {
    const { agent } = setup([ask]);
    const events = await runAgent(agent);
    expect(eventsOf(events, "input-required")).toMatchObject([
      {
        request: {
          requestId: "id-1",
          kind: "form",
          form: { title: "Tester", description: "Which year?", fields: [{ field_name: "year" }] },
        },
      },
    ]);
    expect(finishOf(events)).toMatchObject({
      outcome: "input-required",
      answerItems: ["t1"],
      response: {
        is_task_complete: false,
        require_user_input: true,
        metadata: { user_input: true, question: "Which year?", input_fields: [{ field_name: "year" }] },
      },
    });
  });

  it("offers one free field when the question came without any", async () => {
    const question = finishCall("", { require_user_input: true, user_input: "Which one?" });
    const { agent } = setup([{ calls: [question] }]);
    const events = await runAgent(agent);
    expect(eventsOf(events, "input-required")[0]?.request).toMatchObject({
      form: { description: "Which one?", fields: [{ field_type: "text", required: true }] },
    });
    expect(finishOf(events).answerItems).toEqual([]);
  });

  it("puts a valid reply to the model as text", async () => {
    const { agent, model } = setup([ask, { text: "Sales of 2026." }]);
    await runAgent(agent);
    const events = await runAgent(agent, {
      text: "",
      reply: { requestId: "id-1", values: { year: "2026" } },
    });
    expect(finishOf(events).outcome).toBe("completed");
    expect(model.requests[1]?.messages).toMatchObject([
      { role: "user", text: "Go." },
      { role: "assistant", toolCalls: [{ callId: "call-1", name: "finish" }] },
      {
        role: "tool",
        results: [
          {
            callId: "call-1",
            text: "You asked: Which year?\nThe person answered:\n- Year (year): 2026",
            isError: false,
          },
        ],
      },
    ]);
  });

  it("asks again, without the model, when the reply does not fit the form", async () => {
    const { agent, model } = setup([ask]);
    await runAgent(agent);
    const events = await runAgent(agent, { reply: { requestId: "id-1", values: { year: "soon" } } });
    expect(finishOf(events)).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
    expect(finishOf(events).error?.message).toContain('Year: "soon" is not a number.');
    expect(eventsOf(events, "input-required")).toMatchObject([{ request: { requestId: "id-2" } }]);
    expect(model.requests).toHaveLength(1);
  });

  it("forgets what a run asked that was canceled, and nothing else", async () => {
    const { agent, model } = setup([ask, ask, { text: "ok" }]);
    await runAgent(agent, { runId: "one" });
    await runAgent(agent, { runId: "two" });
    await agent.cancel?.("one");
    const soon = (runId: string, requestId: string) =>
      runAgent(agent, { runId, reply: { requestId, values: { year: "soon" } } });
    expect(finishOf(await soon("one", "id-1")).outcome).toBe("completed");
    expect(model.requests[2]?.messages[0]).toMatchObject({ text: expect.stringContaining("- year: soon") });
    expect(finishOf(await soon("two", "id-2")).outcome).toBe("input-required");
  });

  it("takes a reply to a form it no longer knows as it is", async () => {
    const { agent, model } = setup([{ text: "ok" }]);
    await runAgent(agent, {
      text: "Go on.",
      reply: { requestId: "old", values: { list: ["a", "b"], none: null } },
    });
    expect(model.requests[0]?.messages[0]).toMatchObject({
      text: "Go on.\n\nThe person answered what you asked:\n- list: a, b\n- none: (left empty)",
    });
  });

  it("has no use for decisions", async () => {
    const { agent } = setup([]);
    const events = await runAgent(agent, { reply: { requestId: "x", decisions: [] } });
    expect(finishOf(events)).toMatchObject({ outcome: "failed", error: { code: "input.unsupported" } });
  });
});
