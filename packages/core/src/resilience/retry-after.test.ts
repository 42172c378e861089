import { describe, expect, it } from "vitest";

import { backoffMs } from "./backoff.ts";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-11-20T10:00:00Z");

describe("retryAfterMs", () => {
  it.each([
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "Fri, 20 Nov 2026 10:00:05 GMT" }, 5000],
    [{ "retry-after": "Fri, 20 Nov 2026 09:00:00 GMT" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-3", "retry-after-ms": "" }, undefined],
    [{}, undefined],
  ])("reads %j as %s", (headers, ms) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(ms);
  });
});

describe("backoffMs", () => {
  const options = { firstMs: 500, mostMs: 8_000, random: () => 0 };

  it("doubles up to the most with at most a quarter of jitter", () => {
    expect([1, 2, 3, 9].map((failures) => backoffMs(failures, options))).toEqual([500, 1000, 2000, 8000]);
    expect(backoffMs(1, { ...options, random: () => 0.999 })).toBeGreaterThan(374);
  });

  it("keeps to what was asked, never less, and gives up on what is too long", () => {
    expect(backoffMs(1, { ...options, askedMs: 3_000 })).toBe(3_000);
    const later = backoffMs(1, { ...options, askedMs: 3_000, random: () => 0.999 }) ?? 0;
    expect(later).toBeGreaterThan(3_000);
    expect(later).toBeLessThanOrEqual(3_125);
    expect(backoffMs(1, { ...options, askedMs: 60_001 })).toBeUndefined();
    expect(backoffMs(1, { ...options, askedMs: 2_001, longestAskedMs: 2_000 })).toBeUndefined();
  });
});
