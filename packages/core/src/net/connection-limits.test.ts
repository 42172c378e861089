import { expect, it } from "vitest";

import { connectionTimeouts, maxConnections } from "./connection-limits.ts";

it("has limits by default, and looks for late connections often enough", () => {
  expect(connectionTimeouts({})).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 3_750,
  });
  expect(maxConnections({})).toBe(1_000);
  expect(maxConnections({ connections: 2 })).toBe(2);
});

it("never waits longer for the head than for the whole request", () => {
  expect(connectionTimeouts({ requestMs: 1_000 })).toMatchObject({
    headersTimeout: 1_000,
    connectionsCheckingInterval: 250,
  });
});
