import { createBreaker } from "@troupe/core/resilience";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { callFetch } from "./call-fetch.ts";
import { CallTimeout } from "./call-timeout.ts";

function rig(answer: (init?: RequestInit) => Promise<Response>) {
  const clock = virtualClock(Date.parse("2026-11-20T10:00:00Z"));
  const breaker = createBreaker({ clock, threshold: 2, cooldownMs: 500 });
  let sent = 0;
  const wrapped = callFetch((_, init) => (sent++, answer(init)), { breaker, clock });
  const call = (init?: RequestInit) => wrapped("http://127.0.0.1:1", init).catch((error: unknown) => error);
  return { clock, breaker, call, sent: () => sent };
}
const says =
  (status: number, body = "", headers = {}) =>
  () =>
    Promise.resolve(new Response(status === 204 ? null : body, { status, headers }));

describe("calls of an agent", () => {
  it.each([200, 204, 400, 401, 404, 429, 501, 505])(
    "answered with %i say nothing against it",
    async (status) => {
      const { breaker, call } = rig(says(status));
      for (let i = 0; i < 5; i++) await call();
      expect(breaker.failures()).toBe(0);
    },
  );

  it.each([500, 502, 503, 504])("answered with %i count", async (status) => {
    const { breaker, call, sent } = rig(says(status));
    for (let i = 0; i < 5; i++) await call();
    expect([breaker.state(), sent()]).toEqual(["open", 2]);
    expect(await call()).toMatchObject({ kind: "resting", retryAfterMs: 500 });
  });

  it("that break count, and those late for us; one whose caller has gone does not", async () => {
    const aborted = (init?: RequestInit) => Promise.reject(init?.signal?.reason as Error);
    const leaving = rig(aborted);
    for (let i = 0; i < 5; i++) await leaving.call({ signal: AbortSignal.abort(new Error("enough")) });
    expect([leaving.breaker.failures(), leaving.sent()]).toEqual([0, 5]);
    const late = rig(aborted);
    await late.call({ signal: AbortSignal.abort(new CallTimeout("Agent", "did not answer", 5)) });
    expect(late.breaker.failures()).toBe(1);
    const broken = rig(() => Promise.reject(new TypeError("fetch failed")));
    await broken.call();
    expect(broken.breaker.failures()).toBe(1);
  });

  it("let one trial through when the rest is over, which decides", async () => {
    let up = false;
    const { clock, breaker, call, sent } = rig(() => says(up ? 200 : 500)());
    await call();
    await call();
    up = true;
    await clock.advance(500);
    await Promise.all([call(), call(), call()]);
    expect([breaker.state(), sent()]).toEqual(["closed", 3]);
  });

  it.each([
    [429, { "Retry-After": "7" }, "busy", 7_000],
    [503, { "Retry-After": "Fri, 20 Nov 2026 10:00:30 GMT" }, "busy", 30_000],
    [503, { "Retry-After": "soon" }, "busy", undefined],
    [429, { "Retry-After": "-1" }, "busy", undefined],
    [502, {}, "gateway", undefined],
    [504, {}, "gateway", undefined],
  ])("told %i with %j wait as asked", async (status, headers, kind, retryAfterMs) => {
    const { call } = rig(says(status, "", headers));
    expect(await call()).toMatchObject({ kind, retryAfterMs, message: `HTTP ${status}` });
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many tasks."}}', "Too many tasks."],
    ['{"error":{"code":429,"message":"Slow down.","status":"RESOURCE_EXHAUSTED"}}', "Slow down."],
    ['{"error":"The agent is shutting down."}', "The agent is shutting down."],
    ["<html>", "HTTP 503"],
    ['{"error":{}}', "HTTP 503"],
  ])("are told what the refusal says: %s", async (body, message) => {
    expect(await rig(says(503, body)).call()).toMatchObject({ message });
  });
});
