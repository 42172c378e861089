import { describe, expect, it, onTestFinished, vi } from "vitest";

import { systemClock } from "./system-clock.ts";

describe("systemClock", () => {
  it("tells the time, runs what is due and not what was called off", async () => {
    const before = systemClock.now();
    const ran: string[] = [];
    const cancel = systemClock.schedule(1, () => ran.push("called off"));
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.schedule(2, resolve);
    });
    expect(ran).toEqual([]);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });

  it("waits longer than one timer of the platform can", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const days = 24 * 60 * 60 * 1_000;
    const ran: string[] = [];
    systemClock.schedule(30 * days, () => ran.push("30 days"));
    const cancel = systemClock.schedule(60 * days, () => ran.push("called off"));
    vi.advanceTimersByTime(30 * days - 1);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(["30 days"]);
    cancel();
    vi.advanceTimersByTime(60 * days);
    expect(ran).toEqual(["30 days"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sleeps, and wakes with the signal's reason", async () => {
    await expect(systemClock.sleep(1)).resolves.toBeUndefined();
    const abort = new AbortController();
    const sleeping = systemClock.sleep(1_000_000, abort.signal);
    abort.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(systemClock.sleep(1_000_000, abort.signal)).rejects.toThrow("enough");
  });
});
