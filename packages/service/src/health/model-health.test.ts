import { ModelError, type Model } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { createModelHealth } from "./model-health.ts";

const failure = (code: ConstructorParameters<typeof ModelError>[0]) => new ModelError(code, `It is ${code}.`);

function rig(check?: NonNullable<Model["check"]>) {
  const clock = virtualClock();
  const health = createModelHealth(clock);
  let checks = 0;
  const model: Model = {
    id: "m",
    stream: () => {
      throw new Error("no call is needed");
    },
    ...(check === undefined ? {} : { check: (options) => (checks++, check(options)) }),
  };
  return { clock, health, checks: () => checks, unanswered: () => health.unanswered(model) };
}

describe("the model's health", () => {
  it("is asked for without a call, and not at every look", async () => {
    const { clock, checks, unanswered } = rig(() => Promise.resolve());
    for (let i = 0; i < 5; i++) expect(await unanswered()).toEqual([]);
    expect(checks()).toBe(1);
    await clock.advance(60_000);
    await unanswered();
    expect(checks()).toBe(2);
  });

  it("is known from a call that went well, without asking", async () => {
    const { health, checks, unanswered } = rig(() => Promise.reject(failure("model.unreachable")));
    health.onOutcome(undefined);
    expect([await unanswered(), checks()]).toEqual([[], 0]);
  });

  it("is bad after three calls in a row that ended badly, until it is seen to be back", async () => {
    const { clock, health, checks, unanswered } = rig(() => Promise.resolve());
    for (let i = 0; i < 2; i++) health.onOutcome(failure("model.overloaded"));
    health.onOutcome(failure("model.invalid-request"));
    for (let i = 0; i < 2; i++) health.onOutcome(failure("model.unreachable"));
    expect(await unanswered()).toEqual([]);
    health.onOutcome(failure("model.stream-broken"));
    expect(await unanswered()).toEqual(["It is model.stream-broken."]);
    expect(checks()).toBe(0);
    await clock.advance(10_000);
    expect([await unanswered(), checks()]).toEqual([[], 1]);
  });

  it("is bad at once when its key is refused, and stays so where asking says the same", async () => {
    const { clock, health, unanswered } = rig(() => Promise.reject(failure("model.auth")));
    health.onOutcome(failure("model.auth"));
    expect(await unanswered()).toEqual(["It is model.auth."]);
    await clock.advance(10_000);
    expect(await unanswered()).toEqual(["It is model.auth."]);
  });

  it("never makes a look wait for long, and is bad only when it was slow twice", async () => {
    const { clock, unanswered } = rig(() => new Promise(() => undefined));
    const first = unanswered();
    await clock.advance(2_000);
    expect(await first).toEqual([]);
    await clock.advance(60_000);
    const second = unanswered();
    await clock.advance(2_000);
    expect(await second).toEqual(["The model does not answer within 2 s."]);
    expect(clock.pending).toBe(0);
  });

  it("that cannot be asked may be tried by the next call once its failure is old", async () => {
    const { clock, health, unanswered } = rig();
    expect(await unanswered()).toEqual([]);
    health.onOutcome(failure("model.auth"));
    expect(await unanswered()).toHaveLength(1);
    await clock.advance(10_000);
    expect(await unanswered()).toEqual([]);
  });
});
