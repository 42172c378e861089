import { describe, expect, it } from "vitest";

import type { Limits } from "../ports/delegation.ts";
import type { ModelRequest } from "../ports/model.ts";
import { runView } from "../testing/run-view.ts";
import { budget, usedUpLimit } from "./budget.ts";

const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens: 0,
  modelCalls: 1,
});
/** About 100 tokens to ask. */
const request: ModelRequest = { system: "x".repeat(384), messages: [{ role: "user", text: "" }], tools: [] };
const prices = { scripted: { input: 1, output: 10, cacheRead: 0.1 } };

const ask = async (limits: Limits, used = usage(0, 0), asked = request) =>
  budget(prices).beforeModel?.(asked, runView({ limits, spent: used }));
const left = async (limits: Limits, used = usage(0, 0)) => (await ask(limits, used))?.maxOutputTokens;

describe("budget", () => {
  it("leaves a request alone where there is no limit", async () => {
    expect(await ask({ maxIterations: 3 })).toBe(request);
  });

  it("leaves for the answer what is left of each limit, the least of them all", async () => {
    expect(await left({ maxOutputTokens: 50 }, usage(900, 20))).toBe(30);
    expect(await left({ maxTotalTokens: 1_000 }, usage(200, 100, 300))).toBe(300);
    // 0.001 - 0.0002 used - 0.00001 to ask at least, at 10 dollars a million.
    expect(await left({ maxCostUsd: 0.001 }, usage(100, 10))).toBe(79);
    expect(await left({ maxOutputTokens: 50, maxTotalTokens: 1_000, maxCostUsd: 0.001 })).toBe(50);
    expect(await ask({ maxTotalTokens: 1_000 }, undefined, { ...request, maxOutputTokens: 7 })).toMatchObject(
      {
        maxOutputTokens: 7,
      },
    );
  });

  it.each<[Limits, string, RegExp]>([
    [{ maxOutputTokens: 100 }, "agent.limit", /limit of 100 output tokens/],
    [{ maxTotalTokens: 900 }, "agent.budget", /limit of 900 tokens .* 800 were used, .* about 100 more/],
    [{ maxCostUsd: 0.0017 }, "agent.budget", /cost limit of \$0\.0017 .* \$0\.0017 was used/],
  ])("begins no round that %j cannot pay", async (limits, code, message) => {
    await expect(ask(limits, usage(700, 100))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it.each<[Limits]>([[{ maxTotalTokens: 9 }], [{ maxCostUsd: 0.0017 }]])(
    "says of %j by the words of its error that it is used up",
    async (limits) => {
      const error: unknown = await ask(limits, usage(700, 100)).catch((thrown: unknown) => thrown);
      expect([usedUpLimit(error instanceof Error ? error.message : "")]).toEqual(Object.keys(limits));
    },
  );

  it("names no limit for words of another", () => {
    expect(usedUpLimit("There is no more to spend.")).toBeUndefined();
  });

  it("needs a price for a cost limit", async () => {
    const run = runView({ limits: { maxCostUsd: 1 }, modelId: "constructor" });
    expect(() => budget(prices).beforeModel?.(request, run)).toThrow(
      expect.objectContaining({ code: "agent.config", message: expect.stringContaining('"constructor"') }),
    );
  });

  it("counts the calls that ran and takes a round of calls whole or not at all", () => {
    const calls = [
      { tool: "a", status: "ok" },
      { tool: "b", status: "not-run" },
      { tool: "c", status: "error" },
    ] as const;
    const run = runView({ limits: { maxToolCalls: 3 }, calls });
    budget({}).beforeTools?.([{ name: "a" }], run);
    expect(() => budget({}).beforeTools?.([{ name: "a" }, { name: "b" }], run)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/limit of 3 .* 2 were made, and 2 more/) }),
    );
    budget({}).beforeTools?.([{ name: "a" }], runView());
  });
});
