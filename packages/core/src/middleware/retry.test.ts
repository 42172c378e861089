import { describe, expect, it } from "vitest";

import { ModelError } from "../errors/model-error.ts";
import { runView } from "../testing/run-view.ts";
import { retry } from "./retry.ts";

const waits = (error: unknown, failures = 1) => retry(() => 0).onModelError?.(error, failures, runView());
const broken = (retryAfterMs?: number) =>
  new ModelError("model.overloaded", "Busy.", {
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe("retry", () => {
  it("waits longer each time, and gives up after the second", () => {
    expect([1, 2, 3].map((failures) => waits(broken(), failures))).toEqual([500, 1_000, undefined]);
  });

  it("waits as long as the provider asks, within reason", () => {
    expect(waits(broken(0))).toBe(0);
    expect(waits(broken(60_000))).toBe(60_000);
    expect(waits(broken(60_001))).toBeUndefined();
  });

  it("does not repeat what cannot pass", () => {
    expect(waits(new ModelError("model.auth", "No."))).toBeUndefined();
    expect(waits(new TypeError("x"))).toBeUndefined();
    expect(waits("thrown text")).toBeUndefined();
  });
});
