import { scriptedAgent, withServed } from "@troupe/a2a/testing";
import { expect, it } from "vitest";
import { z } from "zod";

import { servedSettings } from "../config/served-settings.ts";
import { serveOptions } from "./serve-options.ts";

it("gives a server the limits it knows, and its connections theirs", async () => {
  const server_limits = '{"parts":2,"connections":5,"connectionsPerAddress":4}';
  const settings = { ...z.object(servedSettings).parse({ server_limits }), host: "127.0.0.1", port: 0 };
  const options = await serveOptions(settings, { auth: undefined, agent: "scripted-agent" });
  expect(options).toMatchObject({
    limits: { parts: 2 },
    connectionLimits: { connections: 5, connectionsPerAddress: 4 },
  });
  await withServed({ agent: scriptedAgent(() => []), ...options }, async ({ url }) => {
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });
});

it("serves gRPC where a port for it is set, under the address that is named for it", async () => {
  const base = { host: "127.0.0.1", port: 0 };
  const named = { grpc_port: "0", grpc_public_url: "grpc.example.com:443" };
  const settings = { ...z.object(servedSettings).parse(named), ...base };
  const options = await serveOptions(settings, { auth: undefined, agent: "scripted-agent" });
  await withServed({ agent: scriptedAgent(() => []), ...options }, async ({ url }) => {
    const card = await (await fetch(`${url}/.well-known/agent-card.json`)).text();
    expect(card).toContain('{"url":"grpc.example.com:443","protocolBinding":"GRPC","protocolVersion":"1.0"}');
  });
  const without = { ...z.object(servedSettings).parse({}), ...base };
  expect(await serveOptions(without, { auth: undefined, agent: "a" })).not.toHaveProperty("grpc");
});
