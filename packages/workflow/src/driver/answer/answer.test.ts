import { ModelError, type AgentResult } from "@troupe/core";
import { fakeAnswerCheck, scriptedModel } from "@troupe/core/testing";
import {
  EMPTY_RESPONSE,
  emptyTurn,
  EVENT_VERSION,
  NO_USAGE,
  reduceTurn,
  type AgentEvent,
  type AgentEventBody,
  type ArtifactRef,
  type Citation,
} from "@troupe/stream";
import { describe, expect, it } from "vitest";

import {
  memoryEngine,
  memoryEventLog,
  memoryJournal,
  tryWorkflow,
  type ScriptedTurn,
  type WorkflowTrial,
} from "../../testing/index.ts";
import { createDagDriver } from "../create-dag-driver.ts";

const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  ...more,
});
const cite = (id: string, chunkId: string): Citation => {
  return { id, document: "d", source: "s", collection: "c", chunkId, quote: "q", start: 0, end: 1 };
};
const file = (id: string): ArtifactRef => {
  return { id, name: `${id}.pptx`, mediaType: "x/y", bytes: 1, sha256: "0".repeat(64), url: `/${id}` };
};

function agentEvents(bodies: readonly AgentEventBody[]): readonly AgentEvent[] {
  return bodies.map((body, seq) => ({
    v: EVENT_VERSION,
    runId: "task",
    seq,
    attempt: 1,
    agent: "x",
    ...body,
  }));
}
const says = (answer: string, result: Partial<AgentResult> = {}) => ({
  result: { answer, ...result },
  events: agentEvents([
    { type: "text-start", itemId: "t1", role: "open" },
    { type: "text-delta", itemId: "t1", delta: "Looking." },
    { type: "text-role", itemId: "t1", role: "narration" },
    { type: "text-end", itemId: "t1" },
    { type: "text-start", itemId: "t2", role: "answer" },
    { type: "text-delta", itemId: "t2", delta: answer },
    { type: "text-end", itemId: "t2" },
    {
      type: "finish",
      outcome: "completed",
      response: { ...EMPTY_RESPONSE, content: answer },
      answerItems: ["t2"],
    },
  ]),
});
/** A step, what its agent sends in the form that it asks for, and that as an answer. */
const valued = step("a", { output_schema: { type: "object", required: ["n"] } });
const value = { result: { answer: "", data: { n: [1] }, citations: [cite("4", "x")] } };
const json = '{\n  "n": [\n    1\n  ]\n}';
const turnOf = (trial: WorkflowTrial) => trial.events().reduce(reduceTurn, emptyTurn);

describe("passthrough", () => {
  it("gives the sources of the answer the numbers that its step streamed", async () => {
    const answer = "Late [7], early [2], late again [7], and no source [1]. See [chart-1].";
    const given = [cite("2", "x"), cite("5", "y"), cite("7", "z")];
    const trial = await tryWorkflow({ steps: [step("a")] }, () => says(answer, { citations: given }));
    const outcome = await trial.outcome();
    expect(outcome.response).toMatchObject({ content: answer, citations: given });
    expect(outcome.citations).toEqual(outcome.response.citations);
    const { content, citations } = outcome.response;
    expect(turnOf(trial)).toMatchObject({ content, citations });
  });

  it("makes the last step's answer the run's, and keeps every step's sources and files", async () => {
    const results: { readonly [agent: string]: Partial<AgentResult> } = {
      "a-agent": { citations: [cite("1", "x"), cite("2", "y")], artifacts: [file("notes")] },
      "b-agent": { citations: [cite("1", "y")], artifacts: [file("deck")], data: { charts: [] } },
    };
    const trial = await tryWorkflow({ steps: [step("a"), step("b")] }, (_request, agent) =>
      says(`by ${agent}`, results[agent]),
    );
    const outcome = await trial.outcome();
    expect(outcome.response).toMatchObject({
      content: "by b-agent",
      citations: [cite("1", "y")],
      data: { charts: [] },
    });
    // The second handed on what the first had found.
    const foundBy = expect.objectContaining({ step: "a", agent: "a-agent" }) as unknown;
    expect(outcome.response.citations).toEqual([{ ...cite("1", "y"), foundBy }]);
    expect(outcome.citations).toEqual([
      { ...cite("1", "y"), foundBy },
      { ...cite("2", "x"), foundBy },
    ]);
    expect(outcome.artifacts.map((artifact) => [artifact.stepId, artifact.id])).toEqual([
      ["a", "notes"],
      ["b", "deck"],
    ]);
  });

  it("names the answer's items as the reader's fold knows them", async () => {
    const trial = await tryWorkflow({ steps: [step("a"), step("b")] }, (_request, agent) =>
      says(`by ${agent}`),
    );
    await trial.outcome();
    const finish = trial.events().at(-1);
    expect(finish).toMatchObject({ type: "finish", answerItems: ["b/1/t2"] });
    const turn = turnOf(trial);
    expect(turn).toMatchObject({ content: "by b-agent", outcome: "completed" });
    const answers = turn.items.filter((item) => item.kind === "message" && item.key === "b/1/t2");
    expect(answers).toMatchObject([{ role: "answer", text: "by b-agent" }]);
  });

  it("takes a file without words for an answer, and neither for none", async () => {
    const silent = (artifacts: readonly ArtifactRef[]) =>
      tryWorkflow({ steps: [step("a")] }, () => ({ result: { answer: "", artifacts } }));
    expect((await (await silent([file("deck")])).outcome()).outcome).toBe("completed");
    const nothing = await (await silent([])).outcome();
    expect(nothing).toMatchObject({ outcome: "failed", error: { message: "no step gave an answer" } });
  });

  it("takes a value that fits its schema without words for an answer, as JSON", async () => {
    const trial = await tryWorkflow({ steps: [valued] }, () => value);
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      response: { content: json, citations: [cite("4", "x")], data: { output: { n: [1] } } },
      answerFrom: ["a"],
    });
    expect(outcome.steps[0]).toMatchObject({ answer: "", data: { output: { n: [1] } } });
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", answerItems: ["answer-value"] });
    const { content, citations } = outcome.response;
    expect(turnOf(trial)).toMatchObject({ content, citations, outcome: "completed" });
  });

  it("hands on such a value among what was found in the place of an answer", async () => {
    const trial = await tryWorkflow({ steps: [valued, step("b")] }, (_request, agent) =>
      agent === "a-agent" ? value : { result: { answer: "" } },
    );
    expect(await trial.outcome()).toMatchObject({
      outcome: "partial",
      response: { content: `## What is missing\n\n- b (b-agent): gave no answer\n\n## A\n\n${json}` },
    });
  });

  it("has the checks of its step, and the reason where something could not be verified", async () => {
    const finding = { kind: "figure", detail: "3.3" } as const;
    const checks = [{ sentence: "by a-agent", status: "finding", finding }] as const;
    const error = { code: "agent.unverified", message: "1 of 1 claim could not be verified." };
    const trial = await tryWorkflow({ steps: [step("a")] }, () =>
      says("by a-agent", { outcome: "partial", checks, error }),
    );
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "partial", response: { checks }, error });
    expect(outcome.steps).toMatchObject([{ checks }]);
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", response: { checks }, error });
  });

  it("counts every event once: numbers of the run's own grow by one, a step's stay its agent's", async () => {
    const trial = await tryWorkflow({ steps: [step("a"), step("b")], final: "synthesize" }, () => says("x"));
    await trial.outcome();
    const own = trial.events().filter((event) => event.stepId === undefined);
    expect(own.map((event) => event.seq)).toEqual(own.map((_event, index) => index));
    expect(own[0]).toMatchObject({ type: "plan-update", plan: { name: "trial" } });
    const forwarded = trial.events().filter((event) => event.stepId === "a");
    expect(forwarded.map((event) => event.seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("synthesize", () => {
  const workflow = { mode: "parallel" as const, final: "synthesize" as const, steps: [step("a"), step("b")] };

  it("has the model write the answer from the steps' results", async () => {
    const model = scriptedModel([{ text: "Both agree.", split: 4, usage: { outputTokens: 5 } }]);
    const trial = await tryWorkflow(workflow, (_request, agent) => says(`by ${agent}`), { model });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      response: { content: "Both agree." },
      usage: { outputTokens: 5 },
    });
    expect(turnOf(trial)).toMatchObject({ content: "Both agree.", outcome: "completed" });
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", answerItems: ["answer-x"] });
  });

  it("is corrected once its claims were checked, and is not checked again after a crash", async () => {
    const model = scriptedModel([{ text: "Tideline left." }, { text: "Both agree." }]);
    const answerCheck = fakeAnswerCheck({ words: { Tideline: "uncited" } });
    const first = await tryWorkflow(workflow, () => ({ ms: 10 }), { model, answerCheck });
    const outcome = await first.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      response: { content: "Both agree.", checks: [{ sentence: "Both agree.", status: "verified" }] },
    });
    expect(turnOf(first).content).toBe("Both agree.");
    expect(first.events().at(-1)).toMatchObject({ answerItems: ["answer-x-corrected"] });
    const own = first.events().filter((event) => event.stepId === undefined);
    expect(own.map((event) => event.seq)).toEqual(own.map((_event, index) => index));
    const attempts = own.flatMap((event) => ("itemId" in event ? [[event.itemId, event.attempt]] : []));
    expect(new Map(attempts as [string, number][])).toEqual(
      new Map([
        ["answer-x", 1],
        ["answer-x-corrected", 2],
      ]),
    );
    const second = await first.crash();
    expect((await second.engine.result("run-1")).response).toEqual(outcome.response);
    expect(model.requests).toHaveLength(2);
  });

  it("is not written again after a crash behind it", async () => {
    const model = scriptedModel([{ text: "Once." }]);
    const first = await tryWorkflow(workflow, () => ({ ms: 10 }), { model });
    await first.outcome();
    const second = await first.crash();
    expect((await second.engine.result("run-1")).response.content).toBe("Once.");
    expect(model.requests).toHaveLength(1);
  });

  it("hands over the steps' answers as they are when the model cannot write, and says partial", async () => {
    const model = scriptedModel([
      { text: "Half an", fail: new ModelError("model.stream-broken", "broke"), failAfter: 1 },
    ]);
    const trial = await tryWorkflow(workflow, (_request, agent) => says(`by ${agent}`), { model });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "partial",
      response: { content: "## A\n\nby a-agent\n\n## B\n\nby b-agent" },
    });
    expect(turnOf(trial).content).toBe(outcome.response.content);
  });

  it("hands them over, too, when the model only announces an answer from cited findings, twice", async () => {
    const announced = { text: "I will now combine the findings." };
    const model = scriptedModel([announced, announced]);
    const script = (_request: unknown, agent: string) =>
      says(`by ${agent} [1]`, { citations: [cite("1", agent)] });
    const trial = await tryWorkflow(workflow, script, { model });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "partial",
      response: {
        content: "## A\n\nby a-agent [1]\n\n## B\n\nby b-agent [2]",
        citations: [{ id: "1" }, { id: "2" }],
      },
    });
    expect(turnOf(trial).content).toBe(outcome.response.content);
    model.assertDone();
  });

  it("stops when the run is canceled while it is being written", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([{ text: "never told", gate: gate.promise }]);
    const trial = await tryWorkflow(workflow, () => ({ ms: 10 }), { model });
    await trial.clock.advance(100);
    expect(model.requests).toHaveLength(1);
    await trial.engine.cancel("run-1", "enough");
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "canceled", response: { content: "" } });
    expect(outcome.steps.map((one) => one.state)).toEqual(["completed", "completed"]);
  });

  it("names the files of steps that said nothing, without a model", async () => {
    const silent = (_request: unknown, agent: string) => ({
      result: { answer: " ", artifacts: [file(agent)] },
    });
    const trial = await tryWorkflow(workflow, silent, { model: scriptedModel([]) });
    const outcome = await trial.outcome();
    const content = "The files are ready: a-agent.pptx, b-agent.pptx.";
    expect(outcome).toMatchObject({ outcome: "completed", response: { content, is_task_complete: true } });
    expect(turnOf(trial)).toMatchObject({ content, outcome: "completed" });
    const own = trial.events().filter((event) => event.stepId === undefined);
    expect(own.map((event) => event.seq)).toEqual(own.map((_event, index) => index));
  });

  it("is partial when a step of them failed", async () => {
    const one = (_request: unknown, agent: string): ScriptedTurn =>
      agent === "a-agent"
        ? { ms: 10, result: { answer: "", artifacts: [file("deck")] } }
        : { result: { answer: "", outcome: "failed" } };
    const outcome = await (await tryWorkflow(workflow, one)).outcome();
    expect(outcome).toMatchObject({
      outcome: "partial",
      response: { content: "The file is ready: deck.pptx." },
    });
  });

  describe("of answers that their output_schema refuses", () => {
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const b = step("b", { on_failure: "continue", output_schema: schema });
    const refused = 'the answer of agent "b-agent" does not fit the output_schema of the step';

    it.each(["with a model", "without"])("is not made: the run has failed, %s", async (how) => {
      const a = step("a", { on_failure: "continue", output_schema: schema });
      const model = how === "without" ? undefined : scriptedModel([]);
      const all = { ...workflow, steps: [a, b] };
      const trial = await tryWorkflow(all, () => says("12 gazillion"), model && { model });
      const outcome = await trial.outcome();
      expect(outcome).toMatchObject({
        outcome: "failed",
        response: { content: "" },
        error: { code: "workflow.output-invalid" },
      });
      expect(outcome.answerFrom).toBeUndefined();
    });

    it("names the files of the steps that made some", async () => {
      const made = { result: { answer: "", artifacts: [file("deck")] } };
      const trial = await tryWorkflow({ ...workflow, steps: [step("a"), b] }, (_request, agent) =>
        agent === "a-agent" ? made : says("12 gazillion"),
      );
      expect(await trial.outcome()).toMatchObject({
        outcome: "partial",
        response: { content: "The file is ready: deck.pptx." },
        answerFrom: ["a"],
      });
    });

    it("is made of the others, after what is missing", async () => {
      const trial = await tryWorkflow({ ...workflow, steps: [step("a"), b] }, (_request, agent) =>
        says(agent === "a-agent" ? "Seven." : "12 gazillion"),
      );
      expect(await trial.outcome()).toMatchObject({
        outcome: "partial",
        response: {
          content: `## What is missing\n\n- b (b-agent): failed: ${refused}: the answer is no JSON\n\n## A\n\nSeven.`,
        },
        answerFrom: ["a"],
      });
    });
  });

  it("is what the journal has, where an earlier version put refused answers together", async () => {
    const b = step("b", { output_schema: { type: "object" } });
    const trial = await tryWorkflow({ ...workflow, steps: [b] }, () => says("12 gazillion"));
    await trial.outcome();
    const journal = memoryJournal();
    const run = trial.journal.run("run-1");
    if (run) await journal.addRun(run, 0);
    const written = { outcome: "completed", content: "12 gazillion", citations: [], data: null };
    const before = JSON.stringify({ ...written, usage: NO_USAGE, answerItems: ["answer-x"], from: ["b"] });
    for (const [seq, { name, value }] of trial.journal.entries("run-1").entries()) {
      const text = JSON.stringify(value).replace('"synthesis":null', `"synthesis":${before}`);
      await journal.addEntry("run-1", seq, name, text);
    }
    const { clock, gateway } = trial;
    const eventLog = memoryEventLog();
    const engine = memoryEngine({ clock, journal, events: eventLog });
    await engine.register(createDagDriver({ gateway, eventLog, clock }));
    const ended = engine.result("run-1");
    await clock.advance(1_000);
    expect(await ended).toMatchObject({ outcome: "partial", response: { content: "12 gazillion" } });
  });

  it("is made of a value that came without words, too", async () => {
    const model = scriptedModel([{ text: "One." }]);
    const script = (_request: unknown, agent: string) => (agent === "a-agent" ? value : { ms: 10 });
    const trial = await tryWorkflow({ ...workflow, steps: [valued, step("b")] }, script, { model });
    expect(await trial.outcome()).toMatchObject({ outcome: "completed", answerFrom: ["a", "b"] });
    expect(model.requests[0]?.messages[1]).toMatchObject({ text: `Step a (a-agent, completed):\n${json}` });
    const joined = await tryWorkflow({ ...workflow, steps: [valued, step("b")] }, script);
    expect((await joined.outcome()).response.content).toBe(`## A\n\n${json}\n\n## B\n\ndo b`);
  });

  it("is not asked when no step found anything", async () => {
    const trial = await tryWorkflow(workflow, () => ({ result: { outcome: "failed", answer: "" } }), {
      model: scriptedModel([]),
    });
    expect((await trial.outcome()).outcome).toBe("failed");
  });
});
