import { TaskState, type Artifact, type Task } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { EMPTY_RESPONSE, type AgentEventBody, type Outcome } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import { answering, collect, plainMessage, responseOf, scriptedAgent, withServed } from "../testing/index.ts";
import { checkArtifactStream } from "../wire/check-artifact-stream.ts";
import { dataOf, textOf, type WireEvent } from "../wire/parts.ts";

const signal = new AbortController().signal;
const RESULTS = ["final_result", "partial_result", "complete_result"];

type Binding = "JSONRPC" | "HTTP+JSON";
interface Seen {
  readonly wire: readonly WireEvent[];
  readonly task: Task;
}

/** One request by the SDK's own client over the binding, and the task as it is stored afterwards. */
async function ask(
  url: string,
  binding: Binding,
  more: { readonly taskId?: string; readonly accepted?: readonly string[] } = {},
): Promise<Seen> {
  const client = await new ClientFactory({
    ...ClientFactoryOptions.default,
    preferredTransports: [binding],
  }).createFromUrl(url);
  const { accepted = [], ...ids } = more;
  const configuration = {
    acceptedOutputModes: [...accepted],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
  };
  const wire: WireEvent[] = [];
  for await (const { payload } of client.sendMessageStream({ ...plainMessage("hi", ids), configuration }))
    if (payload) wire.push(payload);
  const id = wire[0]?.$case === "task" ? wire[0].value.id : "";
  return { wire, task: await client.getTask({ id, tenant: "", historyLength: 0 }) };
}

function resultsOn(wire: readonly WireEvent[]): readonly Artifact[] {
  return wire.flatMap((event) =>
    event.$case === "artifactUpdate" && RESULTS.includes(event.value.artifact?.name ?? "")
      ? [event.value.artifact!]
      : [],
  );
}

const contentOf = ({ parts }: Artifact): unknown => dataOf(parts)[0] ?? textOf(parts);

function ending(outcome: Outcome, response: object = responseOf("so far")): AgentEventBody {
  // A response as an agent of another make might give it: whatever JSON it likes.
  return { type: "finish", outcome, response: JSON.parse(JSON.stringify(response)), answerItems: [] };
}

describe.each(["JSONRPC", "HTTP+JSON"] as const)("the result of a task over %s", (binding) => {
  it.each([
    ["completed", "final_result"],
    ["partial", "partial_result"],
  ] as const)("is one artifact of its own when the run is %s", async (outcome, name) => {
    const agent = scriptedAgent(() => answering(["4", "2"], outcome));
    await withServed({ agent }, async ({ url }) => {
      const { wire, task } = await ask(url, binding);
      expect(checkArtifactStream(wire)).toEqual([]);
      const response = responseOf("42", { is_task_complete: outcome === "completed" });
      const expected = [{ name, content: response }];
      const shown = (artifacts: readonly Artifact[]) =>
        artifacts.map((artifact) => ({ name: artifact.name, content: contentOf(artifact) }));
      expect(shown(resultsOn(wire))).toEqual(expected);
      // The text that was streamed stands in the task once, and the result beside it.
      expect(shown(task.artifacts)).toEqual([{ name: "streaming_result", content: "42" }, ...expected]);
    });
  });

  it.each(["failed", "canceled", "input-required"] as const)(
    "is not there when it is %s",
    async (outcome) => {
      const agent = scriptedAgent(() => [ending(outcome)]);
      await withServed({ agent }, async ({ url }) => {
        const { wire, task } = await ask(url, binding);
        expect(checkArtifactStream(wire)).toEqual([]);
        expect([resultsOn(wire), task.artifacts]).toEqual([[], []]);
      });
    },
  );

  it.each([
    [{}, [], "data"],
    [{}, ["text/plain"], "text"],
    [{}, ["text/plain", "application/json"], "data"],
    [{ structuredOutput: false }, [], "text"],
    [{ structuredOutput: false }, ["application/json"], "data"],
    [{ structuredOutput: false }, ["text/plain", "application/json"], "text"],
  ] as const)("served with %j to a client that accepts %j is %s", async (options, accepted, kind) => {
    const agent = scriptedAgent(() => answering(["42"]));
    await withServed({ agent, ...options }, async ({ url }) => {
      const { wire, task } = await ask(url, binding, { accepted });
      const expected = kind === "data" ? responseOf("42") : "42";
      expect(resultsOn(wire).map(contentOf)).toEqual([expected]);
      const stored = task.artifacts.filter(({ name }) => name === "final_result");
      expect(stored.map(contentOf)).toEqual([expected]);
      const events = await collect((await connectAgent(url, { binding })).stream({ text: "hi" }, { signal }));
      expect(events.at(-1)).toMatchObject({ response: responseOf("42") });
    });
  });

  it("carries the checks of its answer, as data and beside text", async () => {
    const finding = { kind: "figure", detail: "42" } as const;
    const checks = [{ sentence: "42.", status: "finding", finding }] as const;
    for (const structuredOutput of [true, false]) {
      const agent = scriptedAgent(() => [ending("partial", responseOf("42.", { checks }))]);
      await withServed({ agent, structuredOutput }, async ({ url }) => {
        const remote = await connectAgent(url, { binding });
        const events = await collect(remote.stream({ text: "hi" }, { signal }));
        expect(events.at(-1)).toMatchObject({ response: { checks } });
      });
    }
  });

  it("is what the schema knows: a key that nobody declared is not sent, in no form", async () => {
    const strange = { ...responseOf("42", { data: { sum: 42 } }), confidence: 0.4 };
    const nested = { ...strange, metadata: { ...strange.metadata, secret_note: "psst" } };
    for (const structuredOutput of [true, false]) {
      const agent = scriptedAgent(() => [ending("completed", nested)]);
      await withServed({ agent, structuredOutput }, async ({ url }) => {
        const { wire } = await ask(url, binding);
        expect(JSON.stringify(wire)).not.toMatch(/confidence|secret_note/);
        const whole = responseOf("42", { data: { sum: 42 } });
        expect(resultsOn(wire).map(contentOf)).toEqual([structuredOutput ? whole : "42"]);
        const remote = await connectAgent(url, { binding });
        const events = await collect(remote.stream({ text: "hi" }, { signal }));
        expect(events.at(-1)).toMatchObject({ response: whole });
      });
    }
  });

  it.each([
    ["a truth value in words", { ...EMPTY_RESPONSE, content: "42", is_task_complete: "perhaps" }],
    ["no metadata", { ...EMPTY_RESPONSE, content: "42", metadata: null }],
    ["a citation of nothing", { ...EMPTY_RESPONSE, content: "42", citations: [{}] }],
  ])("goes as text where the response has %s", async (_what, response) => {
    const agent = scriptedAgent(() => [ending("completed", response)]);
    await withServed({ agent }, async ({ url }) => {
      const { wire } = await ask(url, binding);
      expect(checkArtifactStream(wire)).toEqual([]);
      expect(resultsOn(wire).map(contentOf)).toEqual(["42"]);
    });
  });

  it("stands once in a task of several turns, which has none until it is completed", async () => {
    const turns = ["input-required", "input-required", "completed"] as const;
    const agent = scriptedAgent(() => {
      const outcome = turns[agent.requests.length - 1] ?? "failed";
      return outcome === "completed" ? answering(["done"]) : [ending(outcome)];
    });
    await withServed({ agent }, async ({ url }) => {
      const first = await ask(url, binding);
      const second = await ask(url, binding, { taskId: first.task.id });
      expect(second.task.artifacts).toEqual([]);
      const third = await ask(url, binding, { taskId: first.task.id });
      expect(checkArtifactStream([...first.wire, ...second.wire, ...third.wire])).toEqual([]);
      expect(third.task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      const results = third.task.artifacts.filter(({ name }) => RESULTS.includes(name));
      expect(results.map(contentOf)).toEqual([responseOf("done")]);
    });
  });

  it("is the task's own: what its steps completed has another name, whole or partial", async () => {
    const step = (stepId: string, outcome: Outcome, content: string) =>
      ({
        ...ending(outcome, { ...responseOf(content, { data: { from: stepId } }) }),
        v: 1,
        runId: "r",
        seq: 0,
        attempt: 1,
        agent: "sub",
        stepId,
      }) as const;
    const agent = scriptedAgent(() => [
      step("find", "completed", "found"),
      step("draw", "partial", "half drawn"),
      ...answering(["both"]),
    ]);
    await withServed({ agent }, async ({ url }) => {
      const { wire } = await ask(url, binding);
      expect(checkArtifactStream(wire)).toEqual([]);
      const shown = resultsOn(wire).map((artifact) => [
        artifact.name,
        artifact.metadata?.["plan_step_id"],
        artifact.metadata?.["outcome"],
      ]);
      expect(shown).toEqual([
        ["complete_result", "find", "completed"],
        ["complete_result", "draw", "partial"],
        ["final_result", undefined, "completed"],
      ]);
      expect(resultsOn(wire).map(contentOf).at(-1)).toEqual(responseOf("both"));
    });
  });
});
