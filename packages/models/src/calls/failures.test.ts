import { isTroupeError, type ModelError } from "@troupe/core";
import { collectAnswer, virtualClock } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FakeModelServer } from "../testing/index.ts";
import { adapters, KEY, never, request, sleeplessClock, type Settings } from "./adapters.test-bench.ts";

describe.each(adapters)("$name: what goes wrong", ({ name, startFake, model }) => {
  let server: FakeModelServer;
  beforeEach(async () => {
    server = await startFake();
  });
  afterEach(() => server.close());

  const ok = { blocks: [{ type: "text" as const, text: "fine" }] };
  const ask = (settings: Settings = {}) =>
    collectAnswer(model(server, settings).stream(request(), { signal: never }));
  const failure = (error: unknown): ModelError => {
    expect(isTroupeError(error)).toBe(true);
    return error as ModelError;
  };

  it.each([
    [429, { "retry-after-ms": "1500" }, 1500],
    [529, { "retry-after": "2" }, 2000],
  ])("waits as long as a %i asks and tries again", async (status, headers, wait) => {
    const clock = sleeplessClock();
    server.script({ status, headers }, { status, headers }, ok);
    const answer = await ask({ clock });
    expect(answer.text).toBe("fine");
    expect(clock.sleeps).toEqual([wait, wait]);
    expect(server.requests).toHaveLength(3);
  });

  it("doubles its own wait when the provider names none", async () => {
    const clock = sleeplessClock();
    server.script({ status: 500 }, { status: 503 }, ok);
    expect((await ask({ clock })).text).toBe("fine");
    expect(clock.sleeps).toEqual([500, 1000]);
  });

  it("gives up after maxRetries with a typed error", async () => {
    server.script(
      { status: 429, headers: { "retry-after": "3" } },
      { status: 429, headers: { "retry-after": "3" } },
    );
    const error = failure((await ask({ clock: sleeplessClock(), maxRetries: 1 })).error);
    expect(error).toMatchObject({ code: "model.rate-limited", retryable: true, retryAfterMs: 3000 });
    expect(server.requests).toHaveLength(2);
  });

  it("hands a wait of more than a minute to the caller", async () => {
    server.script({ status: 429, headers: { "retry-after": "3600" } });
    const clock = sleeplessClock();
    expect(failure((await ask({ clock })).error).retryAfterMs).toBe(3_600_000);
    expect(clock.sleeps).toEqual([]);
  });

  it("ends the wait at once when the caller aborts", async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const slept = Promise.withResolvers<void>();
    const watched = {
      ...clock,
      sleep(ms: number, signal?: AbortSignal) {
        slept.resolve();
        return clock.sleep(ms, signal);
      },
    };
    server.script({ status: 429, headers: { "retry-after": "30" } });
    const pending = collectAnswer(
      model(server, { clock: watched }).stream(request(), { signal: controller.signal }),
    );
    await slept.promise;
    const reason = new Error("the person left");
    controller.abort(reason);
    expect((await pending).error).toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it("reports a wrong key without retrying and without the key", async () => {
    const strict = await startFake({ apiKey: "sk-the-right-one" });
    try {
      const answer = await collectAnswer(model(strict).stream(request(), { signal: never }));
      const error = failure(answer.error);
      expect(error).toMatchObject({ code: "model.auth", retryable: false });
      expect(error.message).toContain("_API_KEY");
      expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(KEY);
      expect(strict.requests).toHaveLength(1);
    } finally {
      await strict.close();
    }
  });

  it("scrubs the key out of what a provider says about a request", async () => {
    server.script({
      status: 400,
      message: `bad request for ${KEY} at sk-other-12345678`,
      errorType: "invalid_request_error",
    });
    const error = failure((await ask()).error);
    expect(error).toMatchObject({ code: "model.invalid-request", retryable: false });
    expect(error.message).toContain("bad request for [key] at [key]");
  });

  it("names the model and the address of a 404", async () => {
    server.script({ status: 404, errorType: "not_found_error", message: "model: nope" });
    const error = failure((await ask()).error);
    expect(error.code).toBe("model.invalid-request");
    expect(error.message).toContain(server.url);
  });

  it("does not retry an account that has nothing left", async () => {
    server.script({
      status: 429,
      errorType: "insufficient_quota",
      message: "You exceeded your current quota",
    });
    expect(failure((await ask()).error)).toMatchObject({ code: "model.rate-limited", retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it("says where it could not connect", async () => {
    const gone = await startFake();
    await gone.close();
    const answer = await collectAnswer(
      model(gone, { clock: sleeplessClock() }).stream(request(), { signal: never }),
    );
    const error = failure(answer.error);
    expect(error).toMatchObject({ code: "model.unreachable", retryable: true });
    expect(error.message).toContain(gone.url);
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("keeps what came before a break in the middle, and does not start over", async () => {
    server.script({
      blocks: [
        { type: "text", text: "abcd" },
        { type: "tool-call", id: "t", name: "search", arguments: { q: "1" } },
      ],
      split: 2,
      breakAfter: 4,
    });
    const answer = await ask();
    expect(answer.text).toBe("abcd");
    expect(failure(answer.error)).toMatchObject({ code: "model.stream-broken", retryable: true });
    expect(answer.stop).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it("takes an answer that ends early for broken, not for complete", async () => {
    server.script({ blocks: [{ type: "text", text: "abcdef" }], split: 2, endAfter: 3 });
    const answer = await ask();
    expect(answer.text).not.toBe("");
    expect(failure(answer.error).code).toBe("model.stream-broken");
  });

  it("tries again when the break comes before anything was shown", async () => {
    const clock = sleeplessClock();
    server.script({ blocks: [], breakAfter: 1 }, ok);
    expect((await ask({ clock })).text).toBe("fine");
    expect(clock.sleeps).toHaveLength(1);
  });

  it("types an error inside the stream", async () => {
    server.script({
      blocks: [{ type: "text", text: "abcd" }],
      split: 1,
      errorAfter: { events: 4, type: "overloaded_error", message: "too busy" },
    });
    const answer = await ask();
    expect(answer.text).not.toBe("");
    expect(failure(answer.error)).toMatchObject({ code: "model.overloaded", retryable: true });
  });

  it("gives up on a first token that does not come", async () => {
    const clock = virtualClock();
    server.script({ blocks: [{ type: "text", text: "late" }], stallAfter: 1 });
    const pending = ask({ clock });
    await server.waitForRequests(1);
    await clock.advance(59_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    const answer = await pending;
    expect(failure(answer.error)).toMatchObject({ code: "model.first-token-timeout", retryable: true });
    expect(answer.error).toHaveProperty(
      "message",
      expect.stringMatching(/60 s\..*TROUPE_FIRST_TOKEN_TIMEOUT_SECONDS/),
    );
    await server.waitForHangUp();
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it("gives up on a stream that falls silent, keeping what it said", async () => {
    const clock = virtualClock();
    server.script({
      blocks: [{ type: "text", text: "ab" }],
      split: 1,
      stallAfter: name === "anthropic" ? 4 : 3,
    });
    const stream = model(server, { clock }).stream(request(), { signal: never })[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual({ type: "text-delta", text: "a" });
    // A consumer that takes its time is not the model's silence.
    await clock.advance(300_000);
    expect((await stream.next()).value).toEqual({ type: "text-delta", text: "b" });
    const next = collectAnswer({ [Symbol.asyncIterator]: () => stream });
    await clock.advance(29_999);
    await clock.advance(1);
    const error = failure((await next).error);
    expect(error).toMatchObject({ code: "model.idle-timeout", retryable: true });
    expect(error.message).toMatch(/30 s .*TROUPE_IDLE_TIMEOUT_SECONDS/);
    await server.waitForHangUp();
  });

  it("ends with the caller's reason when aborted in the middle", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled by the person");
    server.script({ blocks: [{ type: "text", text: "abc" }], split: 1, stallAfter: 4 });
    const seen: string[] = [];
    const run = async (): Promise<void> => {
      for await (const event of model(server).stream(request(), { signal: controller.signal })) {
        seen.push(event.type);
        controller.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(seen[0]).toBe("text-delta");
    await server.waitForHangUp();
  });

  it("sends nothing when it is aborted already", async () => {
    const answer = await collectAnswer(
      model(server).stream(request(), { signal: AbortSignal.abort(new Error("too late")) }),
    );
    expect(answer.error).toHaveProperty("message", "too late");
    expect(server.requests).toHaveLength(0);
  });
});
