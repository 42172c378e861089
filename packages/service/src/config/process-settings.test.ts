import { describe, expect, it } from "vitest";
import { z } from "zod";

import { loadConfig } from "./load-config.ts";
import { allowedOriginsSetting } from "./process-settings.ts";

describe("origins that may be called", () => {
  const schema = z.object({ allowed_origins: allowedOriginsSetting });
  const read = (...origins: readonly string[]): readonly string[] =>
    loadConfig(schema, {
      env: { TROUPE_ALLOWED_ORIGINS: JSON.stringify(origins) },
      readSecret: () => "",
    }).value.allowed_origins;

  it("are scheme, host and port", () => {
    const origins = [
      "http://127.0.0.1:9000",
      "https://agents.example/",
      "http://[::1]:80",
      "HTTP://Me.example",
    ];
    expect(read(...origins)).toEqual(origins);
  });

  it.each(["https://a.example/agents", "https://a.example/?x", "https://a.example#x", "http://me@a.example"])(
    "are not %s, which says more",
    (address) => {
      expect(() => read("http://127.0.0.1:9000", address)).toThrow(
        /allowed_origins \(TROUPE_ALLOWED_ORIGINS\): .*at 1 - an origin has no path, query or user/,
      );
    },
  );

  it.each(["a.example", "ftp://a.example", ""])('are not "%s", which is no address of the web', (address) => {
    expect(() => read(address)).toThrow(/at 0 - Invalid URL/);
  });
});
