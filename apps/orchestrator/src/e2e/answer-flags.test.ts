import { ARTIFACT_NAMES, checkArtifactStream, type WireEvent } from "@troupe/a2a";
import { serveAgent } from "@troupe/a2a/server";
import { answering, captureWire, plainClient, plainMessage, scriptedAgent } from "@troupe/a2a/testing";
import { createAgent, defineTool, type AgentConfigInput, type Model, type RunnableAgent } from "@troupe/core";
import { finishCall, scriptedModel } from "@troupe/core/testing";
import type { Citation } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";

const passage = (id: string): Citation => {
  const place = { document: `${id}.md`, source: `${id}.md`, collection: "c", chunkId: id };
  return { id, ...place, quote: "q", start: 0, end: 1 };
};
const search = defineTool({
  name: "search",
  description: "Finds passages.",
  input: z.strictObject({}),
  execute: () =>
    Promise.resolve({ text: "[a] [b] [c]", citations: ["a", "b", "c"].map(passage), summary: "3 passages" }),
});

/** An agent that searches, says so, and answers; it streams piece by piece. */
function answers(name: string, ...contents: readonly string[]) {
  const model = scriptedModel(
    contents.flatMap((content) => [
      { text: "Looking.", calls: [{ name: "search", arguments: {} }], split: 3 },
      { calls: [finishCall(content)], split: 3 },
    ]),
  );
  const config: AgentConfigInput = {
    agent_type: name,
    name,
    title: name,
    description: "Finds.",
    system_prompt: "Find.",
  };
  return createAgent(config, { model, tools: [search] });
}

async function orchestrated(agents: readonly RunnableAgent[], model: Model = scriptedModel([])) {
  const orchestrator = await createOrchestrator({ agents, model });
  const served = await serveAgent({ agent: orchestrator.agent });
  onTestFinished(async () => {
    await served.close();
    await orchestrator.close();
  });
  return served.url;
}

const step = (id: string, more: object = {}) => ({ id, agent: id, instruction: "Do it.", ...more });

async function run(url: string, workflow?: object): Promise<readonly WireEvent[]> {
  const asked = plainMessage("Find it.");
  const metadata = workflow && { workflow: { version: 1, name: "Flags", ...workflow } };
  const wire = await captureWire(url, { ...asked, message: { ...asked.message!, metadata } });
  expect(checkArtifactStream(wire)).toEqual([]);
  return wire;
}

type Update = NonNullable<Extract<WireEvent, { $case: "artifactUpdate" }>["value"]["artifact"]>;

const updatesOf = (wire: readonly WireEvent[]) =>
  wire.flatMap((event) => (event.$case === "artifactUpdate" ? (event.value.artifact ?? []) : []));

const textOf = ({ parts }: Update): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
const dataOf = ({ parts }: Update): readonly unknown[] =>
  parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));

/** What a client shows that knows the two flags and nothing else. */
function flaggedText(updates: readonly Update[]): string {
  return updates
    .filter(({ metadata }) => metadata?.["is_final_answer"] === true)
    .map(textOf)
    .join("");
}

/** The response in the artifact of that name. */
function responseIn(wire: readonly WireEvent[], name: string = ARTIFACT_NAMES.final) {
  const [response] = updatesOf(wire)
    .filter((one) => one.name === name)
    .flatMap(dataOf);
  return z
    .object({ content: z.string(), citations: z.array(z.object({ chunkId: z.string() })) })
    .parse(response);
}

/** The content of the result, which was streamed under the flag character by character. */
function answerOf(wire: readonly WireEvent[], name?: string): string {
  const { content } = responseIn(wire, name);
  expect(flaggedText(updatesOf(wire))).toBe(content);
  return content;
}

it("flags the answer of a single agent, and streams the numbers of the result", async () => {
  const served = await serveAgent({ agent: answers("finder", "Late [3], early [1], late [3].") });
  onTestFinished(() => served.close());
  const wire = await run(served.url);
  expect(answerOf(wire)).toBe("Late [3], early [1], late [3].");
  expect(responseIn(wire).citations.map(({ chunkId }) => chunkId)).toEqual(["a", "c"]);
});

it("flags the answer of the step that is passed through, and of no other step", async () => {
  const url = await orchestrated([answers("one", "Research [3]."), answers("two", "A deck of [3].")]);
  expect(answerOf(await run(url, { steps: [step("two")] }))).toBe("A deck of [3].");
  const both = await orchestrated([answers("one", "Research [3]."), answers("two", "A deck of [one/3].")]);
  const wire = await run(both, { steps: [step("one"), step("two")], final: "passthrough" });
  expect(answerOf(wire)).toBe("A deck of [3].");
  const narrated = updatesOf(wire).filter(({ metadata }) => metadata?.["is_narration"] === true);
  expect(narrated.map(textOf).join("")).toContain("Research [");
});

it.each([
  ["by a model", [{ text: "Second [2], first [1].", split: 1 }], "Second [2], first [1]."],
  ["from the steps' answers", [], "## One\n\nLate [1].\n\n## Two\n\nEarly [2]."],
] as const)("flags an answer that is written %s", async (how, script, answer) => {
  const agents = [answers("one", "Late [3]."), answers("two", "Early [1].")];
  const url = await orchestrated(agents, scriptedModel(script));
  const steps = [step("one"), step("two")];
  const wire = await run(url, { mode: "parallel", steps, final: "synthesize" });
  expect(answerOf(wire, how === "by a model" ? ARTIFACT_NAMES.final : ARTIFACT_NAMES.partial)).toBe(answer);
});

it("flags what takes the place of an answer that no step gave", async () => {
  const url = await orchestrated([answers("one", "Research [3]."), answers("two")]);
  const wire = await run(url, { steps: [step("one"), step("two")], final: "passthrough" });
  expect(answerOf(wire, ARTIFACT_NAMES.partial)).toMatch(/^## What is missing\n[^]*Research \[1\]\.$/);
});

it("flags the answer of each attempt, as a flag never changes within an artifact", async () => {
  let attempts = 0;
  const flaky = scriptedAgent(
    () => (++attempts === 1 ? answering(["Half an"], "failed") : answering(["The whole answer."])),
    { name: "flaky" },
  );
  const retry = { attempts: 2, backoff_seconds: 0 };
  const wire = await run(await orchestrated([flaky]), { steps: [step("flaky", { retry })] });
  expect(responseIn(wire).content).toBe("The whole answer.");
  const last = updatesOf(wire).filter(({ artifactId }) => artifactId === "flaky/101/answer");
  expect(flaggedText(last)).toBe("The whole answer.");
  expect(flaggedText(updatesOf(wire))).toBe("Half anThe whole answer.");
});

it("continues plan and flags in the turn after a person's answer, also in the stored task", async () => {
  const url = await orchestrated([answers("one", "Research [3]."), answers("two", "A deck of [3].")]);
  const human = {
    id: "who",
    kind: "human",
    instruction: "Who?",
    form: { title: "Who reads it?", fields: [{ field_name: "audience" }] },
  };
  const first = await run(url, { steps: [step("one"), human, step("two")], final: "passthrough" });
  expect(flaggedText(updatesOf(first))).toBe("");
  const taskId = first.flatMap((event) => (event.$case === "task" ? event.value.id : []))[0] ?? "";
  const second = await captureWire(url, plainMessage("Board", { taskId }));
  expect(checkArtifactStream(second)).toEqual([]);
  expect(answerOf(second)).toBe("A deck of [3].");

  const client = await plainClient(url);
  const { artifacts } = await client.getTask({ id: taskId, tenant: "" });
  const stored = artifacts.filter(({ artifactId }) => /^plan(~\d)?$/.test(artifactId));
  const sent = updatesOf(second).filter((one) => one.artifactId === "plan~2" && dataOf(one).length > 0);
  expect(stored.map(({ artifactId }) => artifactId)).toEqual(["plan", "plan~2"]);
  const rows = ["one", "who", "two"].map((id) => ({ step_id: id, title: id === "who" ? "Who?" : "Do it." }));
  for (const plan of [...stored, ...sent])
    expect(dataOf(plan)[0]).toMatchObject({ name: "Flags", steps: rows });
  const completed = rows.map(() => ({ status: "completed" }));
  expect(stored.slice(1).flatMap(dataOf)).toMatchObject([{ steps: completed }]);
});
