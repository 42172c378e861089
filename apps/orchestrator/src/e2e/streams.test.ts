import { checkArtifactStream, type WireEvent } from "@troupe/a2a";
import { connectAgent } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { captureWire, collect, plainMessage, scriptedAgent, type AgentScript } from "@troupe/a2a/testing";
import { systemClock } from "@troupe/core";
import { scriptedModel } from "@troupe/core/testing";
import {
  EMPTY_RESPONSE,
  emptyTurn,
  LineBuffer,
  reduceTurn,
  replyOperation,
  type AgentEvent,
  type AgentEventBody,
  type Outcome,
  type TurnState,
} from "@troupe/stream";
import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

import { deliver } from "../cli/deliver.ts";
import { answerText } from "../cli/render/answer-text.ts";
import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";
import { testContext } from "../testing/test-context.ts";

const signal = new AbortController().signal;

const text = (itemId: string, role: "open" | "answer", ...deltas: readonly string[]) =>
  [
    { type: "text-start", itemId, role },
    ...deltas.map((delta) => ({ type: "text-delta", itemId, delta }) as const),
  ] as const satisfies readonly AgentEventBody[];

const ending = (outcome: Outcome, content: string, answerItems: readonly string[]): AgentEventBody => ({
  type: "finish",
  outcome,
  response: { ...EMPTY_RESPONSE, is_task_complete: outcome === "completed", content },
  answerItems,
});

/** An orchestrator behind A2A, before agents of which each is a server of its own. */
async function orchestrated(scripts: { readonly [name: string]: AgentScript }) {
  const servers = await Promise.all(
    Object.entries(scripts).map(([name, script]) => serveAgent({ agent: scriptedAgent(script, { name }) })),
  );
  const agents = servers.map((server) => server.url);
  const orchestrator = await createOrchestrator({ agents, model: scriptedModel([]) });
  const served = await serveAgent({ agent: orchestrator.agent });
  onTestFinished(async () => {
    await served.close();
    await orchestrator.close();
    await Promise.all(servers.map((server) => server.close()));
  });
  return served.url;
}

const workflow = (agents: readonly string[]) => ({
  version: 1,
  name: "Streams",
  mode: "parallel",
  steps: agents.map((agent) => ({ id: `do-${agent}`, agent, instruction: "Do it." })),
  final: "passthrough",
});

function artifactsIn(wire: readonly WireEvent[]) {
  return wire.flatMap((event) =>
    event.$case === "artifactUpdate" && !event.value.append && event.value.artifact !== undefined
      ? [event.value.artifact]
      : [],
  );
}

it("brings flags, steps, roles and states of tools through the orchestrator as the agent emitted them", async () => {
  const url = await orchestrated({
    finder: () => [
      ...text("aside", "open", "✅ completed, ", "🔧 Calling next"),
      { type: "tool-start", callId: "c1", tool: "search", arguments: { q: "x" } },
      { type: "text-role", itemId: "aside", role: "narration" },
      { type: "text-end", itemId: "aside" },
      { type: "tool-end", callId: "c1", tool: "search", status: "ok", summary: "No errors found", ms: 1 },
      { type: "tool-start", callId: "c2", tool: "search", arguments: {} },
      { type: "tool-end", callId: "c2", tool: "search", status: "error", summary: "✅ completed", ms: 1 },
      ...text("answer", "answer", "It ", "is ", "so."),
      { type: "text-end", itemId: "answer" },
      ending("completed", "It is so.", ["answer"]),
    ],
  });
  const asked = plainMessage("Find it.");
  const message = { ...asked.message!, metadata: { workflow: workflow(["finder"]) } };
  const wire = await captureWire(url, { ...asked, message });
  expect(checkArtifactStream(wire)).toEqual([]);
  const shown = artifactsIn(wire).map(({ artifactId, name, metadata = {} }) => {
    const { is_narration, is_final_answer, plan_step_id, status } = metadata;
    const flags = { narration: is_narration, answer: is_final_answer, step: plan_step_id, status };
    return [name, artifactId, JSON.parse(JSON.stringify(flags)) as unknown];
  });
  const step = "do-finder";
  const steps = shown.filter(([name]) => !String(name).startsWith("execution_plan"));
  expect(steps).toEqual([
    ["streaming_result", `${step}/1/aside`, { narration: true, step }],
    ["tool_notification_start", `${step}/1/tool-start:c1`, { step }],
    ["tool_notification_end", `${step}/1/tool-end:c1`, { step, status: "ok" }],
    ["tool_notification_start", `${step}/1/tool-start:c2`, { step }],
    ["tool_notification_end", `${step}/1/tool-end:c2`, { step, status: "error" }],
    ["streaming_result", `${step}/1/answer`, { answer: true, step }],
    ["complete_result", `${step}/1/complete_result`, { step }],
    ["final_result", "final_result", {}],
  ]);

  const remote = await connectAgent(url);
  const metadata = { workflow: workflow(["finder"]) };
  const events = await collect(remote.stream({ text: "Find it.", metadata }, { signal }));
  const told = events.flatMap((event) =>
    "itemId" in event && event.type !== "text-delta" && event.type !== "text-end"
      ? [[event.stepId, event.itemId, event.type, event.role]]
      : [],
  );
  expect(told).toEqual([
    [step, "aside", "text-start", "open"],
    [step, "aside", "text-role", "narration"],
    [step, "answer", "text-start", "answer"],
  ]);
});

/** What an agent says and does; the last of it is its answer. */
const movesArb = fc.array(
  fc.record({
    role: fc.constantFrom("open" as const, "answer" as const),
    // An answer that cannot be seen is none.
    deltas: fc
      .array(fc.constantFrom("word ", "é", "\u{1F600}", "\n\n", "**b** ", "[1]", "```\n"), {
        minLength: 1,
        maxLength: 5,
      })
      .filter((deltas) => deltas.join("").trim() !== ""),
    tool: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

function scriptOf(
  moves: typeof movesArb extends fc.Arbitrary<infer T> ? T : never,
): readonly AgentEventBody[] {
  const events: AgentEventBody[] = [];
  moves.forEach(({ role, deltas, tool }, index) => {
    const itemId = `t${index}`;
    const last = index === moves.length - 1;
    events.push(...text(itemId, last ? role : "open", ...deltas));
    if (!last) events.push({ type: "text-role", itemId, role: "narration" });
    else if (role === "open") events.push({ type: "text-role", itemId, role: "answer" });
    events.push({ type: "text-end", itemId });
    if (!tool || last) return;
    const call = { callId: `c${index}`, tool: "search" };
    events.push({ type: "tool-start", ...call, arguments: {} });
    events.push({ type: "tool-end", ...call, status: "ok", summary: "", ms: 1 });
  });
  const content = moves.at(-1)?.deltas.join("") ?? "";
  return [...events, ending("completed", content, [`t${moves.length - 1}`])];
}

it("leaves every kind of reader with the same text: web, command line, lines of JSON, and one that only appends", async () => {
  let scripts: readonly (readonly AgentEventBody[])[] = [];
  const url = await orchestrated({
    one: () => scripts[0] ?? [],
    two: () => scripts[1] ?? [],
    last: () => scripts[2] ?? [],
  });
  const remote = await connectAgent(url);
  const { steps, ...rest } = workflow(["one", "two", "last"]);
  // Two at once, and one that builds on both, so that its answer is the run's; all three are told.
  const joined = {
    ...rest,
    steps: steps.map((step, at) => (at < 2 ? step : { ...step, depends_on: ["do-one", "do-two"] })),
  };
  await fc.assert(
    fc.asyncProperty(fc.tuple(movesArb, movesArb, movesArb), async (moves) => {
      scripts = moves.map(scriptOf);
      const expected = moves[2].at(-1)?.deltas.join("") ?? "";
      const events: AgentEvent[] = [];
      let turn: TurnState = emptyTurn;
      // As a Slack app would: lines are added to a message, which is replaced where its text is no longer the reply.
      let message = "";
      let told = "";
      const send = (more: string): Promise<void> => {
        message += more;
        return Promise.resolve();
      };
      const buffer = new LineBuffer({ send, clock: systemClock });
      for await (const event of remote.stream({ text: "Go.", metadata: { workflow: joined } }, { signal })) {
        events.push(event);
        turn = reduceTurn(turn, event);
        const operation = replyOperation(told, turn);
        if (operation === undefined) continue;
        told = turn.content;
        if (operation.type === "append") buffer.append(operation.text);
        else {
          await buffer.discard();
          message = operation.text;
        }
      }
      await buffer.close();
      expect([turn.outcome, turn.content, message]).toEqual(["completed", expected, expected]);
      const said = turn.items.flatMap((item) => (item.kind === "message" ? [[item.stepId, item.text]] : []));
      for (const [at, { id }] of steps.entries())
        expect(said.flatMap(([step, text]) => (step === id ? [text] : []))).toEqual(
          moves[at]?.map(({ deltas }) => deltas.join("")),
        );
      const finish = events.at(-1);
      if (finish?.type !== "finish") throw new Error("no finish");
      const printed = async (json: boolean): Promise<string> => {
        let out = "";
        const context = testContext("/nowhere", { out: (more) => void (out += more) });
        await deliver(context, { runId: "r", finish, requests: [] }, { json, out: "." });
        return out;
      };
      const shown = answerText(expected);
      expect(await printed(false)).toBe(`${shown}\n`);
      expect(JSON.parse(await printed(true))).toMatchObject({ type: "result", answer: expected });
    }),
    { numRuns: 15 },
  );
});

it("tells each of two users who are served at once of their own plan and work only", async () => {
  const both = Promise.withResolvers<void>();
  let working = 0;
  const url = await orchestrated({
    async *finder({ userId = "nobody" }) {
      if (++working === 2) both.resolve();
      await both.promise;
      yield* [...text("a", "answer", "It is ", `for ${userId}.`), { type: "text-end", itemId: "a" } as const];
      yield ending("completed", `It is for ${userId}.`, ["a"]);
    },
  });
  const told = async (userId: string): Promise<readonly AgentEvent[]> => {
    const steps = [{ id: `for-${userId}`, agent: "finder", instruction: "Do it." }];
    const metadata = { workflow: { ...workflow([]), steps } };
    return collect((await connectAgent(url)).stream({ text: "Find it.", userId, metadata }, { signal }));
  };
  const [ann = [], bob = []] = await Promise.all(["ann", "bob"].map(told));
  for (const [events, own, other] of [
    [ann, "ann", "bob"],
    [bob, "bob", "ann"],
  ] as const) {
    const { items, content } = events.reduce(reduceTurn, emptyTurn);
    const plans = items.flatMap((item) => (item.kind === "plan" ? [item.steps] : []));
    expect([plans, content]).toEqual([[{ [`for-${own}`]: { state: "completed" } }], `It is for ${own}.`]);
    expect(JSON.stringify(events)).not.toContain(other);
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
  }
});

it("asks an agent once, also one that streams nothing and answers nothing", async () => {
  const asked: string[] = [];
  const url = await orchestrated({
    silent: () => {
      asked.push("silent");
      return [ending("completed", "", [])];
    },
    last: () => {
      asked.push("last");
      return [
        ...text("a", "answer", "Done."),
        { type: "text-end", itemId: "a" },
        ending("completed", "Done.", ["a"]),
      ];
    },
  });
  const metadata = { workflow: { ...workflow(["silent", "last"]), mode: "sequential" } };
  const events = await collect((await connectAgent(url)).stream({ text: "Go.", metadata }, { signal }));
  expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Done." } });
  expect(asked).toEqual(["silent", "last"]);
});
