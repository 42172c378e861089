import { createAgent, type ResponseMode } from "@troupe/core";
import { echoTool, eventsOf, fakeAnswerCheck, finishOf, runAgent, testConfig } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { finishCall, type FinishFields } from "./finish-call.ts";
import { playbookModel } from "./playbook-model.ts";
import type { Playbook } from "./playbook.ts";
import { lastUserText, toolResults } from "./read-request.ts";

/** Calls a tool, then finishes with what it said and what was asked. */
const policy =
  (fields: Partial<FinishFields>): Playbook =>
  (request) => {
    const [result] = toolResults(request, "echo");
    if (result === undefined) return { say: "Looking.", calls: [{ name: "echo", arguments: { text: "x" } }] };
    return { calls: [finishCall({ content: `${lastUserText(request)}: ${result.text}`, ...fields })] };
  };

async function run(responseMode: ResponseMode, playbook: Playbook, faults: readonly string[] = []) {
  const answerCheck = fakeAnswerCheck({
    words: Object.fromEntries(faults.map((word) => [word, "uncited" as const])),
  });
  const deps = { model: playbookModel(playbook), tools: [echoTool()], newId: () => "id-1", answerCheck };
  const events = await runAgent(createAgent(testConfig, deps), { text: "Go.", responseMode });
  return { finish: finishOf(events), tools: eventsOf(events, "tool-start").map(({ tool }) => tool) };
}

describe.each(["finish", "marker", "structured"] as const)("a playbook in %s mode", (mode) => {
  it.each<[string, Partial<FinishFields>]>([
    ["a whole answer", {}],
    ["an answer that is not complete", { complete: false }],
    ["a question to the person", { ask: { question: "Which one?" } }],
  ])("gives %s as it does with the finish tool", async (_, fields) => {
    const { finish, tools } = await run(mode, policy(fields));
    const expected = await run("finish", policy(fields));
    expect(tools).toEqual(["echo"]);
    expect(finish.outcome).toBe(expected.finish.outcome);
    expect(finish.response).toEqual(expected.finish.response);
    expect(finish.response.content).toBe("Go.: x");
  });

  it("answers the same question again where its answer is not accepted", async () => {
    const { finish, tools } = await run(mode, policy({}), [": x"]);
    expect(tools).toEqual(["echo"]);
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { content: "Go.: x", checks: [{ status: "verified" }, { status: "finding" }] },
    });
  });

  it("takes plain text that a policy ends with", async () => {
    const { finish } = await run(mode, () => ({ say: "That is all." }));
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "That is all." } });
  });

  it("runs what stands before finish in its round first", async () => {
    const both: Playbook = (request) => ({
      calls: [
        ...(toolResults(request).length > 0 ? [] : [{ name: "echo", arguments: { text: "x" } }]),
        finishCall({ content: "Done." }),
      ],
    });
    const { finish, tools } = await run(mode, both);
    expect(tools).toEqual(["echo"]);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: "Done." } });
  });
});
