import { readFileSync } from "node:fs";

import { silentLog } from "@troupe/core";
import { createBreaker, createLimiter, type Breaker } from "@troupe/core/resilience";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { BreakerOpen, callWithPolicy, type CallPolicy } from "./call-policy.ts";
import { fromStatus } from "./classify.ts";
import { LinkFailure } from "./failure.ts";

type Reply = number | "conn" | "timeout";
interface Vector {
  readonly id: string;
  readonly kind: string;
  readonly max_retries: number;
  readonly timeout_s: number;
  readonly threshold: number;
  readonly ops: readonly { readonly op: string; readonly script: readonly Reply[] }[];
  readonly expect: readonly {
    readonly status: unknown;
    readonly attempts: number;
    readonly elapsed_s: number;
    readonly breaker: string;
    readonly failures: number;
  }[];
}
const vectors = readFileSync(new URL("./fixtures/resilience.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector)
  .filter((vector) => vector.kind === "mcp_client");

/** Where the original is judged wrong: bad arguments say nothing about the server's health. */
const BETTER = new Set(["mc-05-five-400-open", "mc-09-open-fast"]);

function expectation(vector: Vector, index: number): unknown {
  const { expect: expected, ops } = vector;
  if (!BETTER.has(vector.id)) return expected[index];
  // Past the end of the script stands a call that the original never made; it gets an answer.
  const status = ops[index]?.script.length === 0 ? "success" : "error";
  return { status, attempts: 1, elapsed_s: 0, breaker: "closed", failures: 0 };
}

function rig(
  options: { maxRetries?: number; timeoutMs?: number; threshold?: number; maxConcurrent?: number } = {},
) {
  const clock = virtualClock();
  const breaker: Breaker = createBreaker({ clock, threshold: options.threshold ?? 5 });
  const opened: string[] = [];
  let sessions = 0;
  const policy: CallPolicy<string> = {
    link: {
      get: () => Promise.resolve(`session-${sessions}`),
      connectedBefore: () => false,
      drop: (connection) => {
        opened.push(connection);
        sessions++;
      },
    },
    breaker,
    limiter: createLimiter(options.maxConcurrent ?? 16),
    clock,
    log: silentLog,
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 3,
    backoffMs: 1_000,
    random: () => 0,
  };
  return { clock, breaker, policy, dropped: opened };
}

const never = (): AbortSignal => new AbortController().signal;
const hang = (): Promise<never> => new Promise(() => undefined);

function play(reply: Reply | undefined): Promise<string> {
  if (reply === 200) return Promise.resolve("answer");
  if (reply === "conn") return Promise.reject(new LinkFailure("unreachable", "ECONNREFUSED"));
  if (typeof reply === "number") return Promise.reject(fromStatus(reply, "", false));
  return hang();
}

describe("the retry policy, for calls that may run twice", () => {
  it.each(vectors)("$id", async (vector) => {
    const { clock, breaker, policy } = rig({
      maxRetries: vector.max_retries,
      timeoutMs: vector.timeout_s * 1_000,
      threshold: vector.threshold,
    });
    for (const [index, op] of vector.ops.entries()) {
      const script = [...op.script];
      const startedAt = clock.now();
      let attempts = 0;
      let endedAt = 0;
      const outcome = callWithPolicy(policy, {
        idempotent: true,
        signal: never(),
        work: () => {
          attempts++;
          return play(op.script.length > 0 ? script.shift() : 200);
        },
      })
        .then(
          () => "success",
          (error: unknown) =>
            error instanceof LinkFailure && error.kind === "timeout" ? "timeout" : "error",
        )
        .finally(() => {
          endedAt = clock.now();
        });
      await clock.advance(10_000);
      expect({
        status: await outcome,
        attempts,
        elapsed_s: (endedAt - startedAt) / 1_000,
        breaker: breaker.state(),
        failures: breaker.failures(),
      }).toEqual(expectation(vector, index));
    }
  });
});

describe("the retry policy, for calls that must not run twice", () => {
  const attemptsAfter = async (failure: LinkFailure): Promise<number> => {
    const { clock, policy } = rig();
    let attempts = 0;
    const outcome = callWithPolicy(policy, {
      idempotent: false,
      signal: never(),
      work: () => {
        attempts++;
        return attempts === 1 ? Promise.reject(failure) : Promise.resolve("answer");
      },
    }).catch(() => undefined);
    await clock.advance(10_000);
    await outcome;
    return attempts;
  };

  it.each([
    ["never left", "unreachable", 2],
    ["was turned away as too many", "busy", 2],
    ["met a forgotten session", "session-lost", 2],
    ["broke off", "lost", 1],
    ["met HTTP 500", "server-error", 1],
    ["ran out of time", "timeout", 1],
    ["was refused", "refused", 1],
  ] as const)("a call that %s", async (_what, kind, attempts) => {
    expect(await attemptsAfter(new LinkFailure(kind, "x"))).toBe(attempts);
  });

  it("opens a forgotten session again at once, once, and on a new connection", async () => {
    const { clock, policy, dropped } = rig({ maxRetries: 0 });
    const used: string[] = [];
    const startedAt = clock.now();
    const outcome = callWithPolicy(policy, {
      idempotent: false,
      signal: never(),
      work: (connection) => {
        used.push(connection);
        return Promise.reject(new LinkFailure("session-lost", "HTTP 404"));
      },
    });
    await expect(outcome).rejects.toThrow("session-lost");
    expect(used).toEqual(["session-0", "session-1"]);
    expect(dropped).toEqual(["session-0", "session-1"]);
    expect(clock.now()).toBe(startedAt);
  });

  it.each([
    ["up to 10 s for a server that was connected before", true, 60_000, 3, 9_500],
    ["as often as configured for one that never was", false, 60_000, 3, 7_000],
    ["no longer than its own time", true, 4_000, 3, 3_500],
    ["not at all without retries", true, 60_000, 0, 0],
  ])("a refused call waits %s", async (_what, before, timeoutMs, maxRetries, waited) => {
    const { clock, policy, breaker } = rig({ timeoutMs, maxRetries });
    const startedAt = clock.now();
    let endedAt = 0;
    let waits = 0;
    const link = {
      ...policy.link,
      get: () => Promise.reject(new LinkFailure("unreachable", "ECONNREFUSED")),
      connectedBefore: () => before,
    };
    const outcome = callWithPolicy(
      { ...policy, link, backoffMs: before ? 500 : 1_000 },
      { idempotent: false, signal: never(), work: hang, onWait: () => waits++ },
    )
      .catch((error: unknown) => error)
      .finally(() => (endedAt = clock.now()));
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: "unreachable" });
    expect(endedAt - startedAt).toBe(waited);
    expect(waits > 0).toBe(before && waited > 0);
    expect(breaker.failures()).toBe(1);
  });

  it("does not start a pause that the deadline would cut", async () => {
    const { clock, policy } = rig({ timeoutMs: 1_000 });
    const outcome = callWithPolicy(policy, {
      idempotent: true,
      signal: never(),
      work: () => Promise.reject(new LinkFailure("unreachable", "ECONNREFUSED")),
    });
    await expect(outcome).rejects.toThrow("ECONNREFUSED");
    expect(clock.pending).toBe(0);
  });

  it("refuses at once while the breaker is open, and says until when", async () => {
    const { policy } = rig({ threshold: 1, maxRetries: 0 });
    const work = (): Promise<never> => Promise.reject(new LinkFailure("lost", "x"));
    const call = { idempotent: false, signal: never(), work };
    await expect(callWithPolicy(policy, call)).rejects.toThrow("lost");
    const refused = await callWithPolicy(policy, call).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BreakerOpen);
    expect(refused).toMatchObject({ retryInMs: 60_000 });
  });
});

describe("giving up", () => {
  it.each(["in line", "while connecting", "in a pause", "in the call"])(
    "%s throws the caller's reason",
    async (where) => {
      const { clock, policy, breaker } = rig({ maxConcurrent: 1 });
      const holder = new AbortController();
      const held =
        where === "in line"
          ? callWithPolicy(policy, { idempotent: false, signal: holder.signal, work: hang }).catch(
              () => undefined,
            )
          : Promise.resolve(undefined);
      await clock.advance(0);
      const caller = new AbortController();
      const outcome = callWithPolicy(
        where === "while connecting" ? { ...policy, link: { ...policy.link, get: hang } } : policy,
        {
          idempotent: true,
          signal: caller.signal,
          work: () => (where === "in a pause" ? Promise.reject(new LinkFailure("lost", "x")) : hang()),
        },
      ).catch((error: unknown) => error);
      await clock.advance(10);
      const reason = new Error("enough");
      caller.abort(reason);
      expect(await outcome).toBe(reason);
      expect(breaker.failures()).toBe(0);
      holder.abort();
      await held;
      expect(clock.pending).toBe(0);
    },
  );

  it("gives the place in line back", async () => {
    const { clock, policy } = rig({ maxConcurrent: 1 });
    const first = new AbortController();
    const held = callWithPolicy(policy, { idempotent: false, signal: first.signal, work: hang }).catch(
      () => "gone",
    );
    const second = callWithPolicy(policy, { idempotent: false, signal: never(), work: async () => "in" });
    await clock.advance(0);
    expect(policy.limiter.waiting()).toBe(1);
    first.abort(new Error("enough"));
    expect([await held, await second]).toEqual(["gone", "in"]);
  });

  it("does not blame the server when time runs out in line", async () => {
    const { clock, policy, breaker } = rig({ maxConcurrent: 1, timeoutMs: 1_000 });
    const first = new AbortController();
    const held = callWithPolicy(
      { ...policy, timeoutMs: 5_000 },
      { idempotent: false, signal: first.signal, work: hang },
    ).catch(() => "gone");
    const second = callWithPolicy(policy, {
      idempotent: false,
      signal: never(),
      work: async () => "in",
    }).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await second).toMatchObject({ kind: "no-answer" });
    expect(breaker.failures()).toBe(0);
    first.abort();
    await held;
  });
});
