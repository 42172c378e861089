import { agentScope, StoreError, type ArtifactStore } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answerSignal } from "../engine/answer-signal.ts";
import { tryWorkflow } from "../testing/workflow-trial.ts";

const SECRET = "jane@norrvik.example";
const LONG = `The board met ${SECRET} in spring. `.repeat(10_000);
const hide = (text: string): string => text.replaceAll(SECRET, "[e-mail]");
const caller = { id: "ann", scopes: [agentScope("*")] };

const steps = [
  { id: "find", agent: "finder", instruction: "Find it." },
  {
    id: "tell",
    agent: "teller",
    instruction: "Tell it.",
    depends_on: ["find"],
    retry: { attempts: 2, backoff_seconds: 0 },
  },
];
const form = {
  requestId: "own",
  kind: "form" as const,
  form: {
    title: "Who?",
    description: "",
    fields: [
      {
        field_name: "who",
        field_label: "",
        field_description: "",
        field_type: "text" as const,
        field_values: [],
        default_value: null,
        placeholder: "",
        required: true,
      },
    ],
  },
};

async function textIn(files: ArtifactStore, id: string, owner: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await files.get(id, owner))?.read() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

describe("what an agent is handed", () => {
  it("is a beginning and a file of whoever began the run, where an answer is long; the same when sent again", async () => {
    const files = memoryArtifactStore();
    let told = 0;
    const trial = await tryWorkflow(
      { steps },
      (_, agent) =>
        agent === "finder"
          ? { result: { answer: LONG } }
          : { result: told++ === 0 ? { outcome: "failed" } : {} },
      { files, caller },
    );
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("completed");
    // The run itself has all of it.
    expect(outcome.steps[0]?.answer === LONG).toBe(true);
    const [first, second] = trial.gateway.calls
      .filter(({ agent }) => agent === "teller")
      .map(({ request }) => request.delegation);
    expect(JSON.stringify(second) === JSON.stringify(first)).toBe(true);
    const found = first?.results["find"];
    expect(LONG.startsWith(found?.answer ?? "-")).toBe(true);
    expect(found?.answer.length).toBeLessThanOrEqual(60_000);
    const whole = found?.abridged?.answer;
    expect([found?.abridged?.answerChars, whole?.name, whole?.mediaType]).toEqual([
      LONG.length,
      "find-answer.md",
      "text/markdown",
    ]);
    expect((await textIn(files, whole?.id ?? "", "ann")) === LONG).toBe(true);
    expect(await files.get(whole?.id ?? "", "bob")).toBeUndefined();
    expect((await files.list("ann", { limit: 100 })).files).toHaveLength(1);
  });

  it("is the beginning alone where nobody keeps the rest, or its store is full", async () => {
    const full: ArtifactStore = {
      ...memoryArtifactStore(),
      put: async () => {
        throw new StoreError("store.full", "The disk is full.");
      },
    };
    for (const more of [{}, { files: full }]) {
      const trial = await tryWorkflow(
        { steps },
        (_, agent) => (agent === "finder" ? { result: { answer: LONG } } : {}),
        more,
      );
      expect((await trial.outcome()).outcome).toBe("completed");
      expect(trial.gateway.calls[1]?.request.delegation.results["find"]?.abridged).toEqual({
        answerChars: LONG.length,
      });
    }
  });

  it("holds nothing that is to be hidden, in first messages, retries, replies, earlier turns and the file with the rest", async () => {
    const files = memoryArtifactStore();
    const earlier = {
      v: 1 as const,
      turns: [{ turn: 1, runId: "r0", asked: `Who is ${SECRET}?`, outcome: "completed" as const }],
      results: {
        "turn1.a": {
          stepId: "turn1.a",
          agent: "finder",
          outcome: "completed" as const,
          answer: SECRET,
          data: null,
          citations: [],
          artifacts: [],
          usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
          provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
        },
      },
    };
    const [find, tell] = steps;
    if (find === undefined || tell === undefined) throw new Error("two steps");
    let told = 0;
    const trial = await tryWorkflow(
      {
        steps: [
          { ...find, instruction: `Ask ${SECRET}.` },
          { ...tell, earlier: ["turn1.a"] },
        ],
      },
      ({ reply }, agent) => {
        if (agent === "finder") return { result: { answer: LONG } };
        if (reply !== undefined) return {};
        return {
          result: told++ === 0 ? { outcome: "failed" } : { outcome: "input-required", request: form },
        };
      },
      { files, redact: hide, caller, input: { objective: `Write to ${SECRET}`, earlier } },
    );
    await trial.clock.advance(10_000);
    const reply = { requestId: "tell#1", values: { who: SECRET } };
    await trial.engine.signal("run-1", answerSignal("tell#1"), reply, { idempotencyKey: "1" });
    expect((await trial.outcome()).outcome).toBe("completed");
    expect(trial.gateway.calls.map(({ request }) => request.messageId)).toEqual([
      "run-1/find#1",
      "run-1/tell#1",
      "run-1/tell#2",
      "run-1/tell#2.1",
    ]);
    const sent = trial.gateway.calls.map(({ request }) => request);
    expect(JSON.stringify(sent).includes("jane")).toBe(false);
    expect(JSON.stringify(sent).includes("[e-mail]")).toBe(true);
    expect(Object.keys(sent[1]?.delegation.earlier?.results ?? {})).toEqual(["turn1.a"]);
    const { files: kept } = await files.list("ann", { limit: 100 });
    expect(kept).not.toEqual([]);
    for (const { ref } of kept) expect((await textIn(files, ref.id, "ann")).includes("jane")).toBe(false);
  });

  it("is nothing at all where it cannot be redacted: the step fails, and says nothing of the text", async () => {
    const trial = await tryWorkflow({ steps }, () => ({ result: { answer: SECRET } }), {
      redact: (text) => {
        if (text.includes("jane")) throw new Error(text);
        return text;
      },
    });
    const outcome = await trial.outcome();
    expect(trial.gateway.calls.map(({ agent }) => agent)).toEqual(["finder"]);
    expect(outcome.steps[1]?.error).toMatchObject({ code: "workflow.redaction-failed" });
    expect(outcome.steps[1]?.error?.message).toContain('what "find" found could not be redacted');
    expect(JSON.stringify(outcome.steps[1])).not.toContain("jane");
  });
});
