import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InputError, systemClock, type AgentRequest, type Model, type RunnableAgent } from "@troupe/core";
import { finishOf, runAgent, scriptedModel } from "@troupe/core/testing";
import { playbookModel } from "@troupe/playbook";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { openEmbeddedEngine, type HostedEngine, type RunView, type WorkflowInput } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { sharedEngine } from "../testing/shared-engine.ts";
import { createOrchestrator } from "./create-orchestrator.ts";

const GO: WorkflowInput = { version: 1, name: "Go", steps: [{ agent: "alpha", instruction: "Find." }] };
const ASKED = "Create a presentation about our AI strategy based on our documents";

/** An agent that answers at once, cites one passage or makes one file, and keeps what it was asked. */
function specialist(name: string, tag: string) {
  const asked: AgentRequest[] = [];
  const agent: RunnableAgent = {
    profile: {
      name,
      title: name,
      description: `Does ${tag}.`,
      version: "1",
      skills: [{ id: tag, name: tag, description: "", tags: [tag], examples: [] }],
    },
    async *run(request) {
      asked.push(request);
      let seq = 0;
      const event = (body: AgentEventBody): AgentEvent => ({
        v: EVENT_VERSION,
        runId: request.runId,
        seq: seq++,
        attempt: 1,
        agent: name,
        ...body,
      });
      const n = asked.length;
      if (tag === "deck") {
        const file = { name: "deck.pptx", mediaType: "application/x", bytes: 1, sha256: "0".repeat(64) };
        yield event({
          type: "artifact",
          artifact: { id: `deck-${n}`, url: `http://127.0.0.1:9/${n}`, ...file },
        });
      }
      const place = { document: "Plan", source: "plan.md", collection: "c", start: 0, end: 1, quote: "q" };
      const citations = tag === "deck" ? [] : [{ id: "1", chunkId: `${name}-${n}`, ...place }];
      const content = tag === "deck" ? `Deck ${n}.` : `Finding ${n} of ${name} [1].`;
      const response = { ...EMPTY_RESPONSE, is_task_complete: true, content, citations };
      yield event({ type: "finish", outcome: "completed", response, answerItems: [] });
    },
  };
  return { agent, asked };
}

interface PlannerInput {
  readonly task: string;
  readonly conversation?: readonly {
    readonly steps: readonly {
      readonly id: string;
      readonly found: boolean;
      readonly inputs: readonly string[];
    }[];
  }[];
}

/** Plans what follows on earlier turns as a model does; first requests are left to the playbook. */
function followingPlanner(): Model {
  const playbook = playbookModel();
  const plan = (step: object): Model =>
    scriptedModel([{ text: JSON.stringify({ steps: [{ depends_on: [], ...step }], final: "passthrough" }) }]);
  return {
    id: "follows",
    stream(request, options) {
      const [first] = request.messages;
      const { task, conversation = [] } = JSON.parse(
        first?.role === "user" ? first.text : "{}",
      ) as PlannerInput;
      const year = /^and for (\d{4})\?$/.exec(task)?.[1];
      const deck = conversation
        .flatMap(({ steps }) => steps)
        .findLast(({ id, found }) => id === "deck" && found);
      if (/^(?:now make it|shorter)/.test(task) && deck !== undefined)
        return plan({ id: "deck", agent: "gamma", instruction: task, earlier: deck.inputs }).stream(
          request,
          options,
        );
      if (year === undefined) return playbook.stream(request, options);
      const instruction = `What was the revenue by region in ${year}?`;
      return plan({ id: "answer", agent: "beta", instruction, earlier: [] }).stream(request, options);
    },
  };
}

/** Of the run itself; each step's agent has one too. */
const endOf = (events: readonly AgentEvent[]) =>
  finishOf(events.filter((event) => event.stepId === undefined));

async function team(home?: string, engine?: HostedEngine, model = followingPlanner()) {
  const documents = specialist("alpha", "documents");
  const data = specialist("beta", "sql");
  const deck = specialist("gamma", "deck");
  const orchestrator = await createOrchestrator({
    agents: [documents.agent, data.agent, deck.agent],
    model,
    ...(home === undefined ? {} : { home }),
    ...(engine === undefined ? {} : { engine }),
    clock: systemClock,
  });
  onTestFinished(() => orchestrator.close());
  let runs = 0;
  const ask = async (text: string, more: Partial<AgentRequest> = {}) => {
    const runId = `${home === undefined ? "" : "again-"}run-${++runs}`;
    return endOf(await runAgent(orchestrator.agent, { runId, text, contextId: "c-1", ...more }));
  };
  return { orchestrator, documents, data, deck, ask };
}

const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-conversation-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

it("names a file that was given by its address, and not read, to each step", async () => {
  const { ask, documents, deck } = await team();
  const unreadFiles = [{ name: "plan.pdf", url: "https://x.example/plan.pdf" }];
  await ask(ASKED, { unreadFiles });
  await ask(ASKED);
  const handed = [documents, deck].map(({ asked }) => asked.map(({ delegation }) => delegation?.unreadFiles));
  expect(handed).toEqual([
    [unreadFiles, undefined],
    [unreadFiles, undefined],
  ]);
});

it("refuses by its rules what follows on an earlier turn, and plans a plain new question", async () => {
  const { orchestrator, documents, deck } = await team(undefined, undefined, playbookModel());
  const ask = async (runId: string, text: string) =>
    endOf(await runAgent(orchestrator.agent, { runId, text, contextId: "c-1" }));
  await ask("first", ASKED);
  for (const [at, text] of ["now make it 5 slides", "and for 2025?", "the biggest one"].entries())
    expect(await ask(`follows-${at}`, text)).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringMatching(/takes a model: set ANTHROPIC_API_KEY/) as unknown },
    });
  expect(deck.asked).toHaveLength(1);
  expect((await ask("new", "What does the travel policy say about trains?")).outcome).toBe("completed");
  expect(documents.asked).toHaveLength(2);
});

it("hands a deck that is made again what the first was made of, and looks nothing up", async () => {
  const { ask, documents, deck, orchestrator } = await team();
  await ask(ASKED);
  const end = await ask("now make it 5 slides");
  expect([end.outcome, end.response.content]).toEqual(["completed", "Deck 2."]);
  expect([documents.asked.length, deck.asked.length]).toEqual([1, 2]);
  const { delegation } = deck.asked[1] ?? {};
  expect(delegation).toMatchObject({ objective: "now make it 5 slides", results: {} });
  expect(delegation?.earlier).toEqual({
    v: 1,
    turns: [{ turn: 1, runId: "run-1", asked: ASKED, outcome: "completed" }],
    results: {
      "turn1.documents": expect.objectContaining({
        stepId: "turn1.documents",
        agent: "alpha",
        answer: "Finding 1 of alpha [1].",
        citations: [
          expect.objectContaining({
            id: "1",
            chunkId: "alpha-1",
            foundBy: { step: "documents", agent: "alpha", runId: "run-1", at: expect.any(Number) },
          }),
        ],
        provenance: expect.objectContaining({ runId: "run-1", attempt: 1 }),
      }),
    },
  });
  expect(await orchestrator.run("run-2")).toMatchObject({ threadId: "c-1", status: "completed" });
  expect((await orchestrator.show("run-2"))?.steps[0]?.given).toMatchObject([
    { step: "turn1.documents", agent: "alpha", outcome: "completed", characters: 23 },
  ]);
});

it("goes on after a restart, and after a turn that failed or was canceled, which it tells of", async () => {
  const folder = home();
  const first = await team(folder);
  await first.ask(ASKED);
  await first.ask("Delete all of our invoices.");
  const stopped = new AbortController();
  stopped.abort();
  await runAgent(
    first.orchestrator.agent,
    { runId: "stopped", text: "What do our documents say about tides?", contextId: "c-1" },
    { signal: stopped.signal },
  );
  await first.orchestrator.close();

  const { ask, deck } = await team(folder);
  await ask("shorter", { runId: "later" });
  expect(deck.asked[0]?.delegation?.earlier?.turns.map(({ turn, outcome }) => [turn, outcome])).toEqual([
    [1, "completed"],
    [2, "failed"],
    [3, "canceled"],
  ]);
  expect(deck.asked[0]?.delegation?.earlier?.results["turn1.documents"]?.answer).toContain("Finding 1");
});

it("shows nobody the turns of another, whatever conversation they name", async () => {
  const { ask, deck } = await team();
  await ask(ASKED, { userId: "ann" });
  const end = await ask("now make it 5 slides", { userId: "bob" });
  expect(JSON.stringify([end, deck.asked.slice(1)])).not.toContain("Finding 1 of alpha");
  await ask("now make it 5 slides");
  await ask("now make it 5 slides", { userId: "ann", contextId: "c-2" });
  expect(deck.asked.map(({ delegation }) => delegation?.earlier === undefined)).not.toContain(false);
  await ask("now make it 5 slides", { userId: "ann" });
  expect(Object.keys(deck.asked.at(-1)?.delegation?.earlier?.results ?? {})).toEqual(["turn1.documents"]);
});

it("works on the collection that the conversation was about, unless another is named", async () => {
  const { ask, data } = await team();
  await ask("What was the revenue by region in 2024?", { collectionId: "norrvik" });
  await ask("and for 2025?");
  await ask("and for 2023?", { collectionId: "other" });
  expect(data.asked.map(({ delegation }) => [delegation?.instruction, delegation?.collectionId])).toEqual([
    ["What was the revenue by region in 2024?", "norrvik"],
    ["What was the revenue by region in 2025?", "norrvik"],
    ["What was the revenue by region in 2023?", "other"],
  ]);
});

it("refuses a workflow that builds on what the conversation does not have, with what it has", async () => {
  const { ask, orchestrator, deck } = await team();
  await ask(ASKED);
  const workflow = (earlier: readonly string[]) => ({
    version: 1 as const,
    name: "mine",
    steps: [{ id: "deck", agent: "gamma", instruction: "Make it.", earlier: [...earlier] }],
  });
  const run = (name: string) =>
    orchestrator.executeWorkflow("Mine", workflow([name]), undefined, { threadId: "c-1" });
  await expect(run("turn1.docments")).rejects.toThrow(/"turn1.docments".*turn1.documents/s);
  await expect(run("turn9.research")).rejects.toThrow("no earlier run of this conversation");
  await expect(run("documents")).rejects.toThrow("turn1.research");
  expect((await run("turn1.documents")).outcome).toBe("completed");
  expect(deck.asked.at(-1)?.delegation?.earlier?.results).toHaveProperty(["turn1.documents", "answer"]);
  const views: readonly RunView[] = await orchestrator.runs({ threadId: "c-1" });
  expect(views).toHaveLength(2);
});

it("keeps the names of what was found when runs before it are forgotten, also of a run that is done again", async () => {
  const engine = openEmbeddedEngine({ path: ":memory:", clock: systemClock });
  onTestFinished(() => engine.close());
  const { ask, orchestrator, deck } = await team(undefined, engine);
  await ask(ASKED);
  await ask("now make it 5 slides");
  await ask("shorter");
  await orchestrator.retry("run-2", { task_id: "once-more", from: "deck" });
  await orchestrator.result("once-more");
  expect(await engine.forget("run-1")).toBe("forgotten");
  const workflow = {
    version: 1 as const,
    name: "mine",
    steps: [
      {
        id: "deck",
        agent: "gamma",
        instruction: "Make it.",
        earlier: ["turn2.deck", "turn3.deck", "turn4.deck"],
      },
    ],
  };
  await orchestrator.executeWorkflow("Mine", workflow, undefined, { threadId: "c-1" });
  const { turns, results = {} } = deck.asked.at(-1)?.delegation?.earlier ?? {};
  expect(turns?.map(({ turn, runId }) => [turn, runId])).toEqual([
    [2, "run-2"],
    [3, "run-3"],
    [4, "once-more"],
  ]);
  expect(Object.values(results).map(({ provenance }) => provenance.runId)).toEqual([
    "run-2",
    "run-3",
    "once-more",
  ]);
});

it("tells a model what was done before, and has a plan mended that names what is not there", async () => {
  const { orchestrator, ask } = await team();
  await ask(ASKED);
  await orchestrator.close();
  const documents = specialist("alpha", "documents");
  const deck = specialist("gamma", "deck");
  const plan = (name: string) => ({
    text: JSON.stringify({
      version: 1,
      name: "five",
      mode: "parallel",
      steps: [
        {
          id: "deck",
          agent: "gamma",
          instruction: "5 slides.",
          depends_on: [],
          expected_output: "",
          earlier: [name],
        },
      ],
      final: "passthrough",
      refusal: "",
      needs: "",
    }),
  });
  const first = {
    text: JSON.stringify({
      ...JSON.parse(plan("x").text),
      steps: [{ id: "a", agent: "alpha", instruction: "Find.", depends_on: [], expected_output: "" }],
    }),
  };
  const model = scriptedModel([first, plan("turn1.nothing"), plan("turn1.a")]);
  const again = await createOrchestrator({ agents: [documents.agent, deck.agent], model });
  onTestFinished(() => again.close());
  await runAgent(again.agent, { runId: "r1", text: "Tell all of it and make slides.", contextId: "c" });
  const end = endOf(await runAgent(again.agent, { runId: "r2", text: "Make five of them.", contextId: "c" }));
  expect(end.outcome).toBe("completed");
  const [, asked, repaired] = model.requests;
  expect(JSON.stringify(asked?.messages)).toContain("turn1.a");
  expect(asked?.system).toContain('"conversation" is what was asked and done before');
  expect(model.requests[0]?.system).not.toContain("conversation");
  expect(JSON.stringify(repaired?.messages.at(-1))).toContain("turn1.nothing");
  expect(deck.asked[0]?.delegation?.earlier?.results["turn1.a"]?.answer).toBe("Finding 1 of alpha [1].");
});

it("counts runs that begin at the same moment as turns of their own, at one orchestrator and at two", async () => {
  const engine = sharedEngine();
  const [one, other] = [await team(undefined, engine), await team(undefined, engine)];
  const turnOf = async (runId: string) => (await engine.input(runId))?.turn;
  const begin = ({ orchestrator }: typeof one, task_id: string) =>
    orchestrator.executeWorkflow({ task_id, description: "Go." }, GO, undefined, { threadId: "c" });
  const begun = ["a", "b", "c", "d"];
  await Promise.all(begun.map((id, at) => begin(at < 2 ? one : other, id)));
  expect(new Set(await Promise.all(begun.map(turnOf)))).toEqual(new Set([1, 2, 3, 4]));
  const again = ["e", "f", "g"];
  const retry = ({ orchestrator }: typeof one, task_id: string) =>
    orchestrator.retry("a", { task_id, from: "alpha" });
  await Promise.all(again.map((id, at) => retry(at < 2 ? one : other, id)));
  expect(new Set(await Promise.all(again.map(turnOf)))).toEqual(new Set([5, 6, 7]));
  await Promise.all(again.map((id) => one.orchestrator.result(id)));
});

it("ends a turn that its engine refuses once it is on record, and no other's", async () => {
  const shared = sharedEngine();
  const start: HostedEngine["start"] = async (spec, input, o) => {
    if (o.runId === "large") throw new InputError("input.too-large", "too large");
    return shared.start(spec, input, o);
  };
  const { orchestrator } = await team(undefined, { ...shared, start });
  const begin = (task_id: string, description: string) =>
    orchestrator.executeWorkflow({ task_id, description }, GO, undefined, { threadId: "c" });
  await expect(begin("large", "Go.")).rejects.toMatchObject({ code: "input.too-large" });
  expect(await orchestrator.run("large")).toMatchObject({ status: "failed", reason: "too large" });
  expect(await begin("b", "Go.")).toMatchObject({ outcome: "completed" });
  await expect(begin("b", "Stop.")).rejects.toMatchObject({ code: "input.conflict" });
  expect(await orchestrator.run("b")).toMatchObject({ status: "completed" });
});
