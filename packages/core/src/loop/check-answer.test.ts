import { emptyTurn, reduceTurn, type Citation, type ResultTable } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent, type AgentDeps } from "../agent/create-agent.ts";
import type { AgentConfigInput } from "../config/agent-config.ts";
import type { AgentRequest } from "../ports/agent.ts";
import { memorySuspendedRuns } from "../suspend/memory-suspended-runs.ts";
import { fakeAnswerCheck } from "../testing/fake-answer-check.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { sampleSuspendedRun } from "../testing/suspended-run.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

const passage: Citation = {
  id: "a",
  document: "Plan",
  source: "plan.md",
  collection: "c",
  chunkId: "k",
  quote: "Ten pilots run.",
  start: 0,
  end: 15,
};
const table: ResultTable = { id: "result-1", columns: ["region", "revenue"], rows: [["North", 4.5]] };
const search = echoTool("search", (text) => ({ text: `${text} [a]`, citations: [passage] }));
const query = echoTool("query", (text) => ({ text, tables: [table] }));
const call = (name: string, text = "x") => ({ name, arguments: { text } });
const find: ScriptedStep = { calls: [call("search")] };

const FALSE = { "2.4": "figure", Tideline: "uncited", "[99]": "unknown" } as const;
const DRAFT = "Ten pilots run [1]. Customers accept 2.4 alarms [1].";

async function run(
  steps: readonly ScriptedStep[],
  more: {
    readonly config?: Partial<AgentConfigInput>;
    readonly deps?: Partial<AgentDeps>;
    readonly request?: Partial<AgentRequest>;
    readonly check?: ReturnType<typeof fakeAnswerCheck>;
  } = {},
) {
  const model = scriptedModel(steps);
  const check = more.check ?? fakeAnswerCheck({ words: FALSE });
  const agent = createAgent(
    { ...testConfig, ...more.config },
    {
      model,
      tools: [search, query, echoTool()],
      clock: virtualClock(),
      newId: () => "id-1",
      answerCheck: check,
      ...more.deps,
    },
  );
  const events = await runAgent(agent, more.request);
  model.assertDone();
  const turn = events.reduce(reduceTurn, emptyTurn);
  const finish = finishOf(events);
  expect(turn.content).toBe(finish.response.content);
  return { events, finish, check, turn, requests: model.requests };
}

const replace = (...replacements: readonly { sentence: string; text: string }[]): ScriptedStep => ({
  calls: [finishCall("", { replacements, derived: [] })],
});

describe("an answer with findings", () => {
  it("is refused once; replacements correct it, and the first text is superseded", async () => {
    const { events, finish, requests, turn } = await run([
      find,
      { calls: [finishCall(DRAFT)], split: 9 },
      replace({ sentence: "Customers  accept 2.4\nalarms [1].", text: "Customers accept alarms [1]." }),
    ]);
    expect(finish).toMatchObject({
      outcome: "completed",
      response: {
        content: "Ten pilots run [1]. Customers accept alarms [1].",
        is_task_complete: true,
        citations: [{ id: "1" }],
        checks: [{ status: "verified" }, { status: "verified" }],
      },
    });
    expect(finish.error).toBeUndefined();
    const said = requests[2]?.messages.at(-1);
    expect(said).toMatchObject({ role: "tool", results: [{ name: "finish", isError: true }] });
    const text = said?.role === "tool" ? (said.results[0]?.text ?? "") : "";
    expect(text).toContain("1 of 2 claims could not be verified");
    expect(text).toContain(
      "1. Customers accept 2.4 alarms [1].\n   its sources do not have this figure: 2.4",
    );
    expect(text).toMatch(/replacements.*derived/s);
    expect(outline(events.filter((event) => event.type !== "text-delta")).slice(2)).toEqual([
      "text-start t1 answer",
      "attempt-start",
      "text-end t1",
      "text-start t3 answer",
      "text-end t3",
      "citation",
      "finish completed [t3]",
    ]);
    expect(eventsOf(events, "attempt-start")).toMatchObject([{ attempt: 2, items: ["t1"] }]);
    const texts = turn.items.filter((item) => item.kind === "message");
    expect(texts.map(({ text, superseded }) => [text, superseded])).toEqual([
      [DRAFT, true],
      [finish.response.content, false],
    ]);
  });

  it("is corrected by a whole new content, which is a draft until it is accepted", async () => {
    const { events, finish } = await run([
      find,
      { calls: [finishCall(DRAFT)] },
      { calls: [finishCall("Ten pilots run [1].")], split: 5 },
    ]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Ten pilots run [1]." } });
    expect(outline(events)).toContain("text-start t2 open");
    expect(eventsOf(events, "attempt-start")).toMatchObject([{ items: ["t1", "t2"] }]);
    expect(finish.answerItems).toEqual(["t3"]);
  });

  it.each(["finish", "marker"] as const)("stays in mode %s where the new one is an apology", async (mode) => {
    const first = "Ten pilots run. Ten more come. They end soon. Customers accept 2.4 alarms.";
    const write = (text: string): ScriptedStep =>
      mode === "finish" ? { calls: [finishCall(text)] } : { text: `[FINAL ANSWER]\n${text}` };
    const { finish } = await run([write(first), write("Sorry.")], { config: { response_mode: mode } });
    expect(finish).toMatchObject({ outcome: "partial", response: { content: first } });
  });

  it("may be corrected after more work", async () => {
    const found = echoTool("look", () => ({ text: "Tideline" }));
    const { finish } = await run(
      [{ calls: [finishCall("Ten pilots run. Tideline offered.")] }, { calls: [call("look")] }, replace()],
      { deps: { tools: [found] } },
    );
    expect(finish).toMatchObject({
      outcome: "completed",
      response: { content: "Ten pilots run. Tideline offered." },
      answerItems: ["t1"],
    });
  });

  it("keeps the operands that the model named for sentences that stay", async () => {
    const derived = [{ figure: "24", sentence: "Ten pilots", operands: ["10", "14"] }];
    const first = { calls: [finishCall(DRAFT, { derived })] };
    const text = "Customers accept alarms [1].";
    const { check } = await run([
      find,
      first,
      replace({ sentence: "Customers accept 2.4 alarms [1].", text }),
    ]);
    expect(check.asked.map(({ options }) => options?.derived)).toEqual([derived, derived]);
  });

  it("keeps figures whose operands the model names", async () => {
    const named = [{ figure: "2.4", sentence: "Tideline", operands: ["1", 1.4] }];
    const { finish, check, events } = await run([
      find,
      { calls: [finishCall(DRAFT)] },
      { calls: [finishCall("", { replacements: [], derived: named })] },
    ]);
    expect(check.asked.map(({ options }) => options)).toEqual([
      { bound: "strict" },
      {
        bound: "lenient",
        derived: [{ figure: "2.4", sentence: "Tideline", operands: ["1", "1.4"] }],
        refused: DRAFT,
      },
    ]);
    expect(finish).toMatchObject({
      outcome: "completed",
      response: { content: DRAFT, checks: [{ status: "verified" }, { status: "derived" }] },
    });
    expect(eventsOf(events, "attempt-start")).toEqual([]);
  });

  it("keeps the strict findings of a sentence that is repeated unchanged", async () => {
    const check = fakeAnswerCheck({ words: FALSE, strict: ["2.4"] });
    const first = [find, { calls: [finishCall(DRAFT)] }];
    const same = await run([...first, { calls: [finishCall(DRAFT)] }], { check });
    expect(same.finish).toMatchObject({ outcome: "partial", response: { content: DRAFT } });
    const text = JSON.stringify(same.requests.at(-1)?.messages);
    expect(text).toContain("with no entry in derived, is shown to the person as unverified");
    const kept = await run([...first, replace()], { check });
    expect(kept.finish).toMatchObject({ outcome: "partial", response: { content: DRAFT } });
    const sentence = "Customers accept 2.4 alarms [1].";
    const changed = await run([...first, replace({ sentence, text: "They accept 2.4 alarms [1]." })], {
      check,
    });
    expect(changed.finish).toMatchObject({ outcome: "completed" });
  });

  it("is partial with what remains, and the error says what", async () => {
    const { finish } = await run([find, { calls: [finishCall(DRAFT)] }, { calls: [finishCall(DRAFT)] }]);
    expect(finish).toMatchObject({
      outcome: "partial",
      response: {
        content: DRAFT,
        is_task_complete: false,
        checks: [{ status: "verified" }, { status: "finding", finding: { kind: "figure", detail: "2.4" } }],
      },
      error: {
        code: "agent.unverified",
        message:
          '1 of 2 claims could not be verified.\n- "Customers accept 2.4 alarms [1]." (its sources do not have this figure: 2.4)',
      },
    });
  });

  it("names replacements whose sentence is not in the answer", async () => {
    const { finish } = await run([
      find,
      { calls: [finishCall(DRAFT)] },
      replace(
        { sentence: "Customers accept 2.4 alarms [1].", text: "" },
        { sentence: "Nobody wrote this.", text: "So." },
      ),
    ]);
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { content: "Ten pilots run [1]." },
      error: { code: "agent.unverified", message: expect.stringContaining('"Nobody wrote this."') as string },
    });
  });

  it("loses the references that no tool returned, in the text that is shown too", async () => {
    const wrong = "Ten pilots run [1, 99]. See [result-x] and [step/9]. In code: `a[77]`.";
    const { finish, events } = await run([
      find,
      { calls: [finishCall(wrong)] },
      { calls: [finishCall(wrong)] },
    ]);
    const content = "Ten pilots run [1]. See and. In code: `a[77]`.";
    expect(finish).toMatchObject({ outcome: "partial", response: { content } });
    expect(finish.error?.message).toContain("removed: [99], [result-x], [step/9].");
    for (const { sentence } of finish.response.checks ?? []) expect(content).toContain(sentence);
    expect(eventsOf(events, "attempt-start")).toHaveLength(1);
  });

  it("is not refused without a round that is left", async () => {
    const { finish } = await run([{ calls: [finishCall(DRAFT)] }], { config: { max_iterations: 1 } });
    expect(finish).toMatchObject({ outcome: "partial", error: { code: "agent.unverified" } });
  });

  it("is the answer, with its checks, where the run ends before another comes", async () => {
    const { finish } = await run(
      [find, { calls: [finishCall(DRAFT)] }, { text: "Looking.", calls: [call("echo")] }],
      { config: { max_iterations: 3 } },
    );
    expect(finish).toMatchObject({
      outcome: "partial",
      error: { code: "agent.limit" },
      answerItems: ["t1"],
      response: { content: DRAFT, checks: [{ status: "verified" }, { status: "finding" }] },
    });
  });

  it("is caught where nothing was searched", async () => {
    const { finish } = await run([{ calls: [finishCall("Tideline offered.")] }, replace()]);
    expect(finish).toMatchObject({ outcome: "partial", response: { content: "Tideline offered." } });
  });
});

it("needs no citations in an answer that is JSON, and removes nothing from it", async () => {
  const json = '{"alarms": 2.4, "pilots": [10, 99]}';
  const found = echoTool("found", (text) => ({ text, citations: [{ ...passage, quote: "2.4 alarms" }] }));
  for (const content of [json, `\`\`\`json\n${json}\n\`\`\``]) {
    const check = fakeAnswerCheck({ words: { "2.4": "uncited" } });
    const { finish } = await run([{ calls: [call("found")] }, { calls: [finishCall(content)] }], {
      deps: { tools: [found] },
      check,
    });
    expect(finish).toMatchObject({ outcome: "completed", response: { content } });
    expect(check.asked.map(({ options }) => options)).toEqual([{ bound: "strict", format: "json" }]);
  }
});

describe("other endings", () => {
  it("are checked as plain text, corrected by finish", async () => {
    const { finish, requests } = await run([
      find,
      { text: DRAFT },
      replace({ sentence: "Customers accept 2.4 alarms [1].", text: "" }),
    ]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Ten pilots run [1]." } });
    const messages = requests[2]?.messages.slice(-2);
    expect(messages).toMatchObject([
      { role: "assistant", text: DRAFT },
      { role: "user", text: expect.stringContaining("Call finish again") as string },
    ]);
  });

  it("are checked in marker mode, where the answer begins anew", async () => {
    const { finish, requests } = await run(
      [
        find,
        { text: `[FINAL ANSWER]\n${DRAFT}`, split: 7 },
        { text: "[FINAL ANSWER]\nTen pilots run [1].", split: 7 },
      ],
      { config: { response_mode: "marker" } },
    );
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Ten pilots run [1]." } });
    expect(requests[2]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining("after the line [FINAL ANSWER]") as string,
    });
  });

  it("are checked in structured mode", async () => {
    const response = (content: string): ScriptedStep => ({
      text: JSON.stringify({ content, is_task_complete: true, require_user_input: false }),
      split: 11,
    });
    const { finish } = await run(
      [find, { text: "Draft." }, response(DRAFT), { text: "Again." }, response("Ten pilots run [1].")],
      { config: { response_mode: "structured" } },
    );
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Ten pilots run [1]." } });
  });

  it("carry no checks where a question is asked or the model says that it failed", async () => {
    const asks = await run([
      { calls: [finishCall("Tideline?", { require_user_input: true, user_input: "Which Tideline?" })] },
    ]);
    expect(asks.finish).toMatchObject({ outcome: "input-required" });
    const failed = await run([{ calls: [finishCall("No Tideline.", { was_task_successful: false })] }]);
    expect(failed.finish).toMatchObject({ outcome: "failed" });
    for (const { finish } of [asks, failed]) expect(finish.response.checks).toBeUndefined();
  });
});

describe("a run that waits for a person", () => {
  it("keeps its evidence, and that its answer was refused", async () => {
    const suspended = memorySuspendedRuns();
    const check = fakeAnswerCheck({ words: FALSE });
    const risky = { ...echoTool("risky", (text) => ({ text })), needsApproval: true };
    const deps = { suspended, tools: [query, risky], check };
    const first = await run(
      [
        { calls: [call("query")] },
        { calls: [finishCall("Tideline offered 4.5.")] },
        { calls: [call("risky", "no news")] },
      ],
      { deps, check },
    );
    expect(first.finish.outcome).toBe("input-required");
    const [request] = eventsOf(first.events, "input-required");
    const second = await run([replace({ sentence: "Tideline offered 4.5.", text: "They offered 4.5." })], {
      deps,
      check,
      request: {
        reply: {
          requestId: request?.request.requestId ?? "",
          decisions: [{ callId: "call-3", type: "approve" }],
        },
      },
    });
    expect(second.finish).toMatchObject({
      outcome: "completed",
      response: { content: "They offered 4.5.", data: { tables: [table] } },
    });
    expect(check.asked.at(-1)?.evidence).toMatchObject({
      tables: [table],
      given: ["Go.", "no news", "2023-11-14"],
    });
  });
});

it("takes up a run that an earlier version kept, whose messages count as given", async () => {
  const suspended = memorySuspendedRuns();
  await suspended.save("run-1", sampleSuspendedRun());
  const check = fakeAnswerCheck({ words: { Sales: "uncited" } });
  const { finish } = await run([{ calls: [finishCall("Sales are fine.")] }], {
    check,
    deps: { suspended },
    request: { userId: "ann", reply: { requestId: "request-1", values: { year: 2025 } } },
  });
  expect(finish).toMatchObject({ outcome: "completed", response: { checks: [{ status: "verified" }] } });
  expect(check.asked[0]?.evidence.given.join()).toContain("2025");
});

describe("answer_check", () => {
  it("off, or no check at all, leaves everything as it was", async () => {
    const off = await run([{ calls: [finishCall("Tideline [99].")] }], { config: { answer_check: "off" } });
    expect(off.check.asked).toEqual([]);
    expect(off.finish).toMatchObject({ outcome: "completed", response: { content: "Tideline [99]." } });
    expect(off.finish.response).not.toHaveProperty("checks");
    expect(JSON.stringify(off.requests[0]?.tools)).not.toContain("replacements");
  });

  it("model has the model review once what the rules let pass, and counts what it used", async () => {
    const check = fakeAnswerCheck({ words: {}, review: { never: "contradicted" } });
    const steps = [{ calls: [finishCall("It never fails.")] }, { calls: [finishCall("It never fails.")] }];
    const { finish, events } = await run(steps, { check, config: { answer_check: "model" } });
    expect(check.reviews).toBe(1);
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { checks: [{ finding: { kind: "contradicted" } }] },
    });
    expect(eventsOf(events, "usage").map(({ usage }) => usage.inputTokens)).toEqual([7]);
  });

  it("model has what its correction changed reviewed too, and nothing twice", async () => {
    const check = fakeAnswerCheck({ words: {}, review: { never: "contradicted", always: "contradicted" } });
    const asked: (readonly string[])[] = [];
    const counting = {
      ...check,
      review: (...args: Parameters<typeof check.review>) => {
        asked.push(args[0].map(({ sentence }) => sentence));
        return check.review(...args);
      },
    };
    const steps = [
      { calls: [finishCall("It never fails. So it is.")] },
      replace({ sentence: "It never fails.", text: "It always fails." }),
    ];
    const { finish } = await run(steps, { check: counting, config: { answer_check: "model" } });
    expect(asked).toEqual([["It never fails.", "So it is."], ["It always fails."]]);
    expect(finish).toMatchObject({
      outcome: "partial",
      response: {
        content: "It always fails. So it is.",
        checks: [{ finding: { kind: "contradicted" } }, { status: "verified" }],
      },
    });
  });

  it("model goes by the rules where the review fails", async () => {
    const check = fakeAnswerCheck({ words: {}, review: new Error("down") });
    const { finish } = await run([{ calls: [finishCall("So.")] }], {
      check,
      config: { answer_check: "model" },
    });
    expect(finish).toMatchObject({ outcome: "completed", response: { checks: [{ status: "verified" }] } });
  });

  it("is partial where the check itself fails", async () => {
    const check = {
      ...fakeAnswerCheck({ words: {} }),
      check: () => {
        throw new Error("broken");
      },
    };
    const { finish } = await run([{ calls: [finishCall("So.")] }], { check });
    expect(finish).toMatchObject({ outcome: "partial", error: { code: "agent.unverified" } });
    expect(finish.error?.message).toContain("could not be checked");
    expect(finish.response).not.toHaveProperty("checks");
  });
});
