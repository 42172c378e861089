import { describe, expect, it } from "vitest";

import { withoutCredentials, withoutSecrets } from "./secrets.ts";

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
