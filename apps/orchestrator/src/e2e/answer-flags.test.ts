import { ARTIFACT_NAMES, checkArtifactStream, type WireEvent } from "@troupe/a2a";
import { serveAgent } from "@troupe/a2a/server";
import { answering, captureWire, plainClient, plainMessage, scriptedAgent } from "@troupe/a2a/testing";
import { createAgent, defineTool, type AgentConfigInput, type Model, type RunnableAgent } from "@troupe/core";
import { fakeAnswerCheck, finishCall, scriptedModel, type ScriptedCall } from "@troupe/core/testing";
import type { Citation } from "@troupe/stream";
import { describe, expect, it, onTestFinished } from "vitest";
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

async function orchestrated(
  agents: readonly RunnableAgent[],
  model: Model = scriptedModel([]),
  answerCheck = fakeAnswerCheck({ words: { Tideline: "uncited" } }),
) {
  const orchestrator = await createOrchestrator({ agents, model, answerCheck });
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

/** An agent whose answer has a claim that no source has, and how its model corrects that. */
function corrected(name: string, correction: ScriptedCall) {
  const model = scriptedModel([
    { calls: [{ name: "search", arguments: {} }] },
    { calls: [finishCall("Ten pilots [1]. Tideline offered 2.4 million.")], split: 4 },
    { calls: [correction], split: 4 },
  ]);
  const config = { agent_type: name, name, title: name, description: "Finds.", system_prompt: "Find." };
  const answerCheck = fakeAnswerCheck({ words: { Tideline: "uncited" } });
  return createAgent(config, { model, tools: [search], answerCheck });
}

/** The texts under the flag as a client has them that keeps artifacts by id. */
function keptText(wire: readonly WireEvent[]): string {
  const kept = new Map<string, string>();
  for (const event of wire) {
    if (event.$case !== "artifactUpdate" || event.value.artifact === undefined) continue;
    const { artifactId, metadata } = event.value.artifact;
    if (metadata?.["is_final_answer"] !== true) continue;
    kept.set(
      artifactId,
      (event.value.append ? (kept.get(artifactId) ?? "") : "") + textOf(event.value.artifact),
    );
  }
  return [...kept.values()].join("");
}

describe.each([
  ["replaced sentences", ["Tideline offered 2.4 million.", ""], "Ten pilots [1]."],
  ["a whole new content", [], "Eleven pilots [1]."],
  ["nothing, and stays", ["Nobody wrote this.", "So."], "Ten pilots [1]. Tideline offered 2.4 million."],
] as const)("an answer that is corrected by %s", (_, [sentence, text], content) => {
  const correction =
    sentence === undefined
      ? finishCall(content)
      : finishCall("", { replacements: [{ sentence, text }], derived: [] });
  const name = sentence?.startsWith("Nobody") === true ? ARTIFACT_NAMES.partial : ARTIFACT_NAMES.final;

  it("is the flagged text of an agent, and that of the step that is passed through", async () => {
    const served = await serveAgent({ agent: corrected("finder", correction) });
    onTestFinished(() => served.close());
    const wires = [
      await run(served.url),
      await run(await orchestrated([corrected("one", correction)]), { steps: [step("one")] }),
    ];
    for (const wire of wires) {
      expect(responseIn(wire, name).content).toBe(content);
      expect(keptText(wire)).toBe(content);
    }
  });
});

it("is corrected where it is written from several steps, too", async () => {
  const replacements = [{ sentence: "Tideline left [1].", text: "" }];
  const model = scriptedModel([
    { text: "Early [2]. Tideline left [1].", split: 5 },
    { text: JSON.stringify({ replacements }) },
  ]);
  const url = await orchestrated([answers("one", "Late [3]."), answers("two", "Early [1].")], model);
  const steps = [step("one"), step("two")];
  const wire = await run(url, { mode: "parallel", steps, final: "synthesize" });
  expect(responseIn(wire)).toMatchObject({ content: "Early [2]." });
  expect(keptText(wire)).toBe("Early [2].");
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
