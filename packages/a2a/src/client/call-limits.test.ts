import { describe, expect, it } from "vitest";

import { createRegistry } from "../registry/create-registry.ts";
import { resolveLimits, type CallLimits } from "./call-limits.ts";
import { connectAgent } from "./connect-agent.ts";

/** What somebody without types may hand in. */
const given = (limits: object): CallLimits => limits;

describe("limits of calls", () => {
  it.each([
    [{ answerMS: 5 }, /no limit "answerMS"; known are answerMs, firstEventMs/],
    [{ answerMs: -1 }, /answerMs is -1; give a number of milliseconds above 0/],
    [{ idleMs: 0 }, /idleMs is 0;/],
    [{ awayMs: NaN }, /awayMs is NaN; give a number of milliseconds, 0 or more/],
    [{ totalMs: "5" }, /totalMs is "5";/],
    [{ retries: 1.5 }, /retries is 1.5; give a whole number, 0 or more/],
    [{ maxConcurrent: 0 }, /maxConcurrent is 0; give a whole number above 0/],
    [{ toString: 1 }, /no limit "toString"/],
  ])("%j are refused before anything is asked", async (limits, message) => {
    const fetch = (): Promise<Response> => Promise.reject(new Error("asked"));
    const refused = { code: "input.invalid", message: expect.stringMatching(message) as unknown };
    const url = "http://127.0.0.1:1";
    await expect(connectAgent(url, { limits: given(limits), fetch })).rejects.toMatchObject(refused);
    expect(() => createRegistry({ urls: [url], limits: given(limits), fetch })).toThrow(message);
  });

  it("hold as given, none of them among it, and as by default where nothing is said", () => {
    const limits = given({ awayMs: 0, retries: 0, idleMs: Infinity, answerMs: undefined });
    expect(resolveLimits(limits, { ours: true })).toMatchObject({
      awayMs: 0,
      retries: 0,
      idleMs: Infinity,
      answerMs: 10_000,
    });
  });
});
