import { describe, expect, it } from "vitest";

import { backoffMs } from "./backoff.ts";
import { retryAfterMs } from "./retry-after.ts";
import { withoutCredentials, withoutSecrets } from "./secrets.ts";

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
  it("doubles up to 8 s with at most a quarter of jitter", () => {
    expect([1, 2, 3, 9].map((failures) => backoffMs(failures, undefined, () => 0))).toEqual([
      500, 1000, 2000, 8000,
    ]);
    expect(backoffMs(1, undefined, () => 0.999)).toBeGreaterThan(374);
  });
});

describe("what may stand in a message", () => {
  it("is without keys, on one line and bounded", () => {
    const text = withoutSecrets(
      `no: my-secret\n and sk-ant-api03-abcdefgh and dapi-12345678 ${"x".repeat(999)}`,
      "my-secret",
    );
    expect(text).toMatch(/^no: \[key\] and \[key\] and \[key\] x+\.\.\.$/);
    expect(text.length).toBeLessThan(420);
  });

  it("is an address without user, password and query", () => {
    expect(withoutCredentials("https://me:pass@host.example/v1?key=1")).toBe("https://host.example/v1");
    expect(withoutCredentials("http://127.0.0.1:1/")).toBe("http://127.0.0.1:1");
    expect(withoutCredentials("not an address")).toBe("the configured address");
  });
});
