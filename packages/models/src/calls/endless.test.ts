import { collectAnswer, virtualClock } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type FakeModelServer } from "../testing/index.ts";
import { adapters, never, request } from "./adapters.test-bench.ts";

const LONG = "a".repeat(9 * 1024 * 1024);
const asText = [{ type: "text" as const, text: LONG }];
const asCall = [{ type: "tool-call" as const, id: "t", name: "search", arguments: LONG }];

describe.each(adapters)("$name: an answer without end", ({ startFake, model }) => {
  let server: FakeModelServer;
  beforeEach(async () => {
    server = await startFake();
  });
  afterEach(() => server.close());

  const ask = (over = {}) => collectAnswer(model(server).stream(request(over), { signal: never }));

  it.each([
    ["text", asText, 50_000],
    ["arguments of a call", asCall, 50_000],
    ["one line", asText, LONG.length],
  ])("is cut off after 8 MiB of %s, and not asked for again", async (_what, blocks, split) => {
    server.script({ blocks, split, stallAfter: Infinity });
    const answer = await ask();
    expect(answer.error).toMatchObject({
      code: "model.stream-broken",
      retryable: false,
      message: expect.stringMatching(/more than 8388608 bytes/) as unknown,
    });
    const received = answer.text.length + (answer.calls[0]?.arguments.length ?? 0);
    expect(received).toBeLessThan(LONG.length);
    await server.waitForHangUp();
    expect(server.requests).toHaveLength(1);
  });

  it("is cut off where it is a refusal, too", async () => {
    server.script({ status: 500, message: LONG });
    const answer = await ask();
    expect(answer.error).toMatchObject({ code: "model.stream-broken", retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it("is none where so many tokens were asked for", async () => {
    server.script({ blocks: asText, split: 50_000 });
    const clock = virtualClock();
    const long = { maxOutputTokens: 32_768 };
    const answer = await collectAnswer(model(server, { clock }).stream(request(long), { signal: never }));
    expect(answer.error).toBeUndefined();
    expect(answer.text.length).toBe(LONG.length);
    expect(clock.pending).toBe(0);
  });
});
