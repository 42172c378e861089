import { EventEmitter } from "node:events";

import { expect, it } from "vitest";

import { connectionGate, connectionTimeouts, maxConnections } from "./connection-limits.ts";

it("has limits by default, and looks for late connections often enough", () => {
  expect(connectionTimeouts({})).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 3_750,
    keepAliveTimeout: 65_000,
  });
  expect(maxConnections({})).toBe(4_096);
  expect(maxConnections({ connections: 2 })).toBe(2);
});

it("never waits longer for the head than for the whole request", () => {
  expect(connectionTimeouts({ requestMs: 1_000 })).toMatchObject({
    headersTimeout: 1_000,
    connectionsCheckingInterval: 250,
  });
});

it("closes what comes from an address that has enough, and nothing of this machine", () => {
  const gate = connectionGate({ connectionsPerAddress: 1 });
  const closed: string[] = [];
  const from = (remoteAddress: string): EventEmitter => {
    const connection = new EventEmitter();
    gate(Object.assign(connection, { remoteAddress, destroy: () => closed.push(remoteAddress) }));
    return connection;
  };
  const first = from("203.0.113.7");
  for (const address of ["203.0.113.7", "203.0.113.8", "::ffff:127.0.0.1", "::1", "::1"]) from(address);
  expect(closed).toEqual(["203.0.113.7"]);
  first.emit("close");
  from("203.0.113.7");
  expect(closed).toHaveLength(1);
});
