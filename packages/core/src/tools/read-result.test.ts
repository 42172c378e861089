import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { AgentError } from "../errors/agent-error.ts";
import type { Delegation, StepResult } from "../ports/delegation.ts";
import { silentLog } from "../ports/log.ts";
import type { ToolContext } from "../ports/tool.ts";
import { finishCall, finishOf, runAgent, scriptedModel } from "../testing/index.ts";
import { defineTool } from "./define-tool.ts";
import { readResultTool } from "./read-result.ts";
import { z } from "zod";

const text = Array.from({ length: 9_000 }, (_, n) => `Line ${n} says something.`).join("\n");
const file = {
  id: "f",
  name: "find-answer.md",
  mediaType: "text/markdown",
  bytes: text.length,
  sha256: "0".repeat(64),
  url: "http://x/f",
};

const found = (answer: string, abridged?: StepResult["abridged"]): StepResult => ({
  stepId: "find",
  agent: "rag-agent",
  outcome: "completed",
  answer,
  data: null,
  citations: [],
  artifacts: [],
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
  ...(abridged === undefined ? {} : { abridged }),
  provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
});
const delegation = (result: StepResult, allowedTools: readonly string[] = []): Delegation => ({
  v: 1,
  objective: "o",
  instruction: "i",
  expectedOutput: "",
  allowedTools,
  limits: {},
  results: { find: result },
});
const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "a",
  userId: "ann",
  signal: new AbortController().signal,
  shared: { v: 1, results: {} },
  log: silentLog,
};
const cut = found(text.slice(0, 100), { answerChars: text.length, answer: file });

describe("read_result", () => {
  it("gives of a checked answer only sentences that hold", async () => {
    const answer = `Sales were 4.5. Tideline lost 2.4. ${"so ".repeat(30_000)}`;
    const checks = [
      { sentence: "Sales were 4.5.", status: "verified" as const },
      {
        sentence: "Tideline lost 2.4.",
        status: "finding" as const,
        finding: { kind: "figure" as const, detail: "2.4" },
      },
    ];
    const tool = readResultTool(delegation({ ...found(answer), checks }));
    const output = await tool?.execute({ step: "find", part: "answer", from: 0 }, context);
    expect(output?.given).toBe("Sales were 4.5.");
  });

  it("is there only where something is cut", () => {
    expect(readResultTool(delegation(found("short")))).toBeUndefined();
    expect(readResultTool(delegation(cut))?.definition.name).toBe("read_result");
    expect(readResultTool(delegation(found(text)))?.definition.description).toContain("In part are: find.");
  });

  it.each([
    ["a file of whoever sent it", cut, 1],
    ["what was sent itself", found(text), 0],
  ])("reads all of it, a part at a time, out of %s", async (_, result, files) => {
    const asked: unknown[] = [];
    const tool = readResultTool(delegation(result), async (of, { owner }) => {
      asked.push([of, owner]);
      return text;
    });
    let read = "";
    for (let from = 0; from < text.length; from = read.length) {
      const page = await tool?.execute({ step: "find", part: "answer", from }, context);
      const [head = "", ...rest] = (page?.text ?? "").split("\n\n");
      expect(head).toContain(`of ${text.length} of the answer of step find.`);
      read += rest.join("\n\n");
    }
    expect(read).toBe(text);
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
      new Set(files === 0 ? [] : [JSON.stringify([file, "ann"])]),
    );
  });

  it("says why something cannot be read, and which results there are", async () => {
    const refusing = async () => {
      throw new AgentError("agent.protocol", "It is away.");
    };
    const ask = (tool: ReturnType<typeof readResultTool>, step = "find", part = "answer") =>
      tool?.execute({ step, part, from: 0 }, context);
    expect(await ask(readResultTool(delegation(cut), refusing))).toEqual({
      text: "It is away.",
      isError: true,
    });
    expect((await ask(readResultTool(delegation(cut))))?.text).toContain("Nobody keeps the rest");
    expect((await ask(readResultTool(delegation(cut)), "fnd"))?.text).toContain('"find"');
    expect((await ask(readResultTool(delegation(cut)), "find", "rest"))?.text).toContain('"citations":[]');
  });

  it("is offered to a model whatever else it may call, and gives way to a tool of that name", async () => {
    const own = defineTool({
      name: "read_result",
      description: "mine",
      input: z.object({}),
      execute: async () => ({ text: "" }),
    });
    const other = defineTool({
      name: "other",
      description: "o",
      input: z.object({}),
      execute: async () => ({ text: "" }),
    });
    const offered = async (tools: readonly (typeof own)[], result: StepResult) => {
      const model = scriptedModel([{ calls: [finishCall("Done.")] }]);
      const agent = createAgent(
        { agent_type: "t", name: "a", title: "a", description: "A.", system_prompt: "Test." },
        { model, tools },
      );
      const asked = { runId: "r", text: "i", delegation: delegation(result, ["other"]) };
      expect(finishOf(await runAgent(agent, asked)).outcome).toBe("completed");
      return model.requests[0]?.tools.map(({ name, description }) => `${name}: ${description.slice(0, 4)}`);
    };
    expect(await offered([other], cut)).toEqual([
      "other: o",
      "read_result: Read",
      expect.stringContaining("finish"),
    ]);
    expect(await offered([other], found("short"))).toEqual(["other: o", expect.stringContaining("finish")]);
    expect(await offered([other, own], cut)).toEqual(["other: o", expect.stringContaining("finish")]);
  });
});
