import { createAgent, ModelError, silentLog, type Log } from "@troupe/core";
import {
  collectAnswer,
  eventsOf,
  finishOf,
  runAgent,
  scriptedModel,
  testConfig,
  virtualClock,
} from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { chooseModel } from "../choose-model.ts";
import { startFakeAnthropic, startFakeOpenai } from "../testing/index.ts";
import { request, sleeplessClock } from "./adapters.test-bench.ts";
import { withFallback } from "./with-fallback.ts";

const signal = new AbortController().signal;
const away = new ModelError("model.unreachable", "away", { retryable: true });
const usage = { inputTokens: 5 };

function listening() {
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (message, fields) => void warnings.push([message, fields]) };
  return { log, warnings };
}

describe("withFallback", () => {
  it("calls the second model if the first fails before its first event, and logs it", async () => {
    const clock = virtualClock();
    const { log, warnings } = listening();
    const first = scriptedModel([{ fail: away, failAfter: 0 }, { text: "first" }], { id: "big" });
    const second = scriptedModel([{ text: "a", usage }, { text: "b" }], { id: "small" });
    const model = withFallback(first, second, { clock, log });
    const ask = () => collectAnswer(model.stream(request(), { signal }));
    const answer = await ask();
    expect(answer.text).toBe("a");
    expect(answer.events).toContainEqual(expect.objectContaining({ type: "usage", model: "small" }));
    const fields = { model: "big", fallback: "small", code: "model.unreachable", reason: "away" };
    expect(warnings).toEqual([["the model failed, using the fallback model", fields]]);
    // Not asked again at once: a first token that does not come costs a minute each time.
    expect((await ask()).text).toBe("b");
    expect(first.requests).toHaveLength(1);
    await clock.advance(60_000);
    expect((await ask()).text).toBe("first");
  });

  it("passes on failures within an answer, aborts, and errors that are not of a model", async () => {
    const second = scriptedModel([]);
    const parts = { clock: virtualClock(), log: silentLog };
    for (const step of [
      { text: "half", fail: away },
      { fail: new Error("bug"), failAfter: 0 },
    ]) {
      const model = withFallback(scriptedModel([step]), second, parts);
      expect((await collectAnswer(model.stream(request(), { signal }))).error).toBe(step.fail);
    }
    const aborted = AbortSignal.abort(new Error("gone"));
    const model = withFallback(scriptedModel([{ text: "x" }]), second, parts);
    expect((await collectAnswer(model.stream(request(), { signal: aborted }))).error).toHaveProperty(
      "message",
      "gone",
    );
    expect(second.requests).toEqual([]);
  });

  it("shows in the usage of a run which model answered", async () => {
    const first = scriptedModel([{ fail: away, failAfter: 0 }], { id: "big" });
    const second = scriptedModel([{ text: "Done.", usage }], { id: "small" });
    const model = withFallback(first, second, { clock: virtualClock(), log: silentLog });
    const prices = { small: { input: 1_000_000, output: 0 } };
    const events = await runAgent(createAgent({ ...testConfig, prices }, { model }));
    expect(finishOf(events).outcome).toBe("completed");
    expect(eventsOf(events, "usage")).toMatchObject([{ model: "small", usage: { costUsd: 5 } }]);
  });
});

describe("a model with a fallback", () => {
  it("is retried before the fallback on the same server, and counts as healthy", async () => {
    const server = await startFakeOpenai();
    onTestFinished(() => server.close());
    server.script(
      { status: 503 },
      { status: 503 },
      { status: 503 },
      { blocks: [{ type: "text", text: "ok" }] },
    );
    const outcomes: unknown[] = [];
    const { model, describe: line } = chooseModel({
      openaiBaseUrl: server.url,
      model: "big",
      fallbackModel: "small:3b",
      maxRetries: 0,
      embedded: scriptedModel([]),
      clock: sleeplessClock(),
      log: silentLog,
      onOutcome: (failure) => outcomes.push(failure),
    });
    expect(line).toBe(`Running on big at ${server.url}. Where that fails: small:3b.`);
    expect((await collectAnswer(model.stream(request(), { signal }))).text).toBe("ok");
    expect(server.requests.map(({ body }) => body["model"])).toEqual(["big", "big", "big", "small:3b"]);
    expect(outcomes).toEqual([undefined]);
  });

  it("may have the fallback at another provider", async () => {
    const [anthropic, openai] = [await startFakeAnthropic(), await startFakeOpenai()];
    onTestFinished(async () => {
      await anthropic.close();
      await openai.close();
    });
    anthropic.script({ status: 401 });
    openai.script({ blocks: [{ type: "text", text: "ok" }] });
    const { model, describe: line } = chooseModel({
      anthropicApiKey: "k",
      anthropicBaseUrl: anthropic.url,
      openaiBaseUrl: openai.url,
      fallbackModel: "openai:llama3.2:3b",
      effort: "low",
      thinking: "disabled",
      embedded: scriptedModel([]),
      clock: sleeplessClock(),
      log: silentLog,
    });
    expect(line).toBe("Running on claude-sonnet-5-5 at Anthropic. Where that fails: llama3.2:3b.");
    expect((await collectAnswer(model.stream(request(), { signal }))).text).toBe("ok");
    expect(openai.requests[0]?.body).toMatchObject({ model: "llama3.2:3b" });
    expect(openai.requests[0]?.body).not.toHaveProperty("thinking");
    expect(anthropic.requests[0]?.body).toMatchObject({
      output_config: { effort: "low" },
      thinking: { type: "disabled" },
    });
  });
});
