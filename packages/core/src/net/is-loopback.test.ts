import { expect, it } from "vitest";

import { isLoopback } from "./is-loopback.ts";

it.each(["127.0.0.1", "127.3.2.1", "localhost", "LOCALHOST", "::1", "[::1]"])(
  "%s is this machine",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

it.each([
  "",
  "0.0.0.0",
  "::",
  "10.0.0.1",
  "127.0.0.1.example.com",
  "127.example.com",
  "localhost.example.com",
])("%j may be another", (host) => {
  expect(isLoopback(host)).toBe(false);
});
