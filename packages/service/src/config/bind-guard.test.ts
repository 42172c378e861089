import { describe, expect, it } from "vitest";

import { requireLoopback } from "./bind-guard.ts";

describe("requireLoopback", () => {
  it.each(["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1"])("accepts %s", (host) => {
    expect(() => requireLoopback(host)).not.toThrow();
  });

  it.each(["0.0.0.0", "::", "192.168.1.4", "example.org", "127.0.0.1.example.org", ""])(
    "refuses %s",
    (host) => {
      expect(() => requireLoopback(host)).toThrow(`host "${host}"`);
    },
  );
});
