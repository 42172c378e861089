import { describe, expect, it } from "vitest";

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

  it("sleeps, and wakes with the signal's reason", async () => {
    await expect(systemClock.sleep(1)).resolves.toBeUndefined();
    const abort = new AbortController();
    const sleeping = systemClock.sleep(1_000_000, abort.signal);
    abort.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(systemClock.sleep(1_000_000, abort.signal)).rejects.toThrow("enough");
  });
});
