import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { virtualClock } from "../testing/virtual-clock.ts";
import { createBreaker } from "./breaker.ts";

type Op = [seconds: number, op: "fail" | "ok" | "check"];
interface Vector {
  readonly id: string;
  readonly threshold: number;
  readonly recovery_s: number;
  readonly ops: readonly Op[];
  readonly expect: readonly [number, string, string, number][];
}
const vectors = readFileSync(new URL("./fixtures/circuit-breaker.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector);

describe("the breaker", () => {
  it.each(vectors)("$id", async (vector) => {
    const clock = virtualClock();
    const start = clock.now();
    const breaker = createBreaker({
      clock,
      threshold: vector.threshold,
      cooldownMs: vector.recovery_s * 1_000,
    });
    const seen: unknown[] = [];
    for (const [seconds, op] of vector.ops) {
      await clock.advance(start + seconds * 1_000 - clock.now());
      if (op === "fail") breaker.enter()?.failed();
      if (op === "ok") breaker.enter()?.succeeded();
      seen.push([seconds, op, breaker.state().replace("-", "_"), breaker.failures()]);
    }
    expect(seen).toEqual(vector.expect);
  });

  const opened = async () => {
    const clock = virtualClock();
    const breaker = createBreaker({ clock, threshold: 1, cooldownMs: 60_000 });
    const early = breaker.enter();
    breaker.enter()?.failed();
    return { clock, breaker, early };
  };

  it("lets one trial call through when half open, and nobody else", async () => {
    const { clock, breaker } = await opened();
    expect(breaker.enter()).toBeUndefined();
    expect(breaker.retryInMs()).toBe(60_000);
    await clock.advance(60_000);
    const trial = breaker.enter();
    expect(trial).toBeDefined();
    expect(breaker.enter()).toBeUndefined();
    trial?.succeeded();
    expect(breaker.state()).toBe("closed");
  });

  it("opens again for the whole cooldown when the trial fails", async () => {
    const { clock, breaker } = await opened();
    await clock.advance(60_000);
    breaker.enter()?.failed();
    expect([breaker.state(), breaker.retryInMs()]).toEqual(["open", 60_000]);
  });

  it("waits longer with every trial that fails, up to the most, and begins anew once one is answered", async () => {
    const clock = virtualClock();
    const breaker = createBreaker({ clock, threshold: 1, cooldownMs: 500, maxCooldownMs: 1_500 });
    breaker.enter()?.failed();
    const waits: number[] = [];
    for (let trial = 0; trial < 3; trial++) {
      waits.push(breaker.retryInMs());
      await clock.advance(breaker.retryInMs());
      breaker.enter()?.failed();
    }
    await clock.advance(breaker.retryInMs());
    breaker.enter()?.succeeded();
    breaker.enter()?.failed();
    expect([...waits, breaker.retryInMs()]).toEqual([500, 1_000, 1_500, 500]);
  });

  it("gives the trial to the next caller when the first gave up", async () => {
    const { clock, breaker } = await opened();
    await clock.advance(60_000);
    breaker.enter()?.released();
    expect(breaker.enter()).toBeDefined();
  });

  it("makes the next call the trial when it was seen to work otherwise, and only that one", async () => {
    const { breaker } = await opened();
    breaker.relent();
    expect([breaker.state(), breaker.retryInMs()]).toEqual(["half-open", 0]);
    const trial = breaker.enter();
    expect(breaker.enter()).toBeUndefined();
    trial?.failed();
    expect(breaker.state()).toBe("open");
    const fresh = createBreaker({ clock: virtualClock() });
    fresh.relent();
    expect(fresh.state()).toBe("closed");
  });

  it("takes no word from a call that began before it opened", async () => {
    const { breaker, early } = await opened();
    early?.succeeded();
    expect(breaker.state()).toBe("open");
  });
});
