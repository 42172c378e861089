import { silentLog } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { attempted } from "./attempts.ts";
import { CallFailure } from "./call-failure.ts";
import { CallTimeout } from "./call-timeout.ts";

const coded = (code: string, syscall?: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });

/** Fails so often with `error`, and then brings something: how often it was asked, and after how long. */
async function asked(
  failure: unknown,
  options: { resendable?: boolean; retries?: number; times?: number } = {},
) {
  const { resendable = false, retries = 1, times = Infinity } = options;
  const clock = virtualClock();
  const began = clock.now();
  let calls = 0;
  const run = async (): Promise<string> => {
    if (++calls > times) return "here";
    throw failure;
  };
  const policy = { retries, waitMs: 30_000, clock, random: () => 0, log: silentLog };
  const { signal } = new AbortController();
  const ended = async () => {
    const how: { value?: string; same?: boolean } = await attempted(policy, { resendable, signal }, run).then(
      (value) => ({ value }),
      (thrown: unknown) => ({ same: thrown === failure }),
    );
    return { ...how, calls, ms: clock.now() - began };
  };
  const [how] = await Promise.all([ended(), clock.advance(120_000)]);
  return how;
}

describe("what is asked again", () => {
  it.each([
    ["no connection came about", coded("ECONNREFUSED"), false],
    ["the connecting took too long", coded("ETIMEDOUT", "connect"), false],
    ["the connection broke", coded("ECONNRESET"), true],
    ["a connection that stood timed out", coded("ETIMEDOUT", "read"), true],
    ["a browser does not say", new TypeError("Failed to fetch"), true],
    ["too many requests", new CallFailure("busy", "HTTP 429"), false],
    ["a gateway gave up", new CallFailure("gateway", "HTTP 502"), true],
  ])("%s", async (_, error, onlyResendable) => {
    expect(await asked(error, { resendable: true, times: 1 })).toEqual({ value: "here", calls: 2, ms: 100 });
    expect((await asked(error, { times: 1 })).calls).toBe(onlyResendable ? 1 : 2);
  });

  it.each([
    ["a deadline of ours", new CallTimeout("Agent", "did not answer", 1_000)],
    ["an agent that is left alone", new CallFailure("resting", "", 100)],
    ["an answer that is wrong", new Error("SyntaxError")],
    ["a mistake in a program", new TypeError("x is not a function")],
  ])("but not %s", async (_, error) => {
    expect(await asked(error, { resendable: true })).toEqual({ same: true, calls: 1, ms: 0 });
  });

  it("once by default, more often when told, ever later", async () => {
    expect(await asked(coded("ECONNREFUSED"))).toEqual({ same: true, calls: 2, ms: 100 });
    expect(await asked(coded("ECONNREFUSED"), { retries: 3 })).toEqual({ same: true, calls: 4, ms: 700 });
    expect(await asked(coded("ECONNREFUSED"), { retries: 0 })).toEqual({ same: true, calls: 1, ms: 0 });
  });

  it("after what the agent asks for, unless that is too long", async () => {
    const busy = (ms: number) => new CallFailure("busy", "HTTP 503", ms);
    expect(await asked(busy(7_000), { times: 1 })).toEqual({ value: "here", calls: 2, ms: 7_000 });
    expect(await asked(busy(30_001))).toEqual({ same: true, calls: 1, ms: 0 });
  });
});
