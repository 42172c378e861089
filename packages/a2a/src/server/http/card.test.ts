import { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { silentLog, type Log } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";
import { isObject } from "../../wire/json.ts";
import { serveAgent, type Authenticate, type CardSecurity } from "../index.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const PATH = "/.well-known/agent-card.json";
const VERSION = { "A2A-Version": "1.0" };
const security: CardSecurity = {
  schemes: {
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } },
    key: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } },
  },
  requirements: [{ bearer: ["agent:scripted-agent"] }, { key: [] }],
};
const authenticate: Authenticate = (headers) => {
  const given = headers["authorization"];
  return Promise.resolve(typeof given === "string" ? { id: given, scopes: ["*"] } : undefined);
};

async function json(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  return (await fetch(url, { headers })).json();
}

describe("the card", () => {
  it("says how to authenticate so that the SDK's client reads it back, and 0.3 too", async () => {
    await withServed({ agent, security, authenticate }, async ({ url }) => {
      const card = await new DefaultAgentCardResolver().resolve(url);
      expect(card.securitySchemes).toMatchObject({
        bearer: {
          scheme: { $case: "httpAuthSecurityScheme", value: { scheme: "Bearer", bearerFormat: "JWT" } },
        },
        key: { scheme: { $case: "apiKeySecurityScheme", value: { location: "header", name: "X-API-Key" } } },
      });
      expect(card.securityRequirements[0]?.schemes["bearer"]?.list).toEqual(["agent:scripted-agent"]);
      const raw = await json(url + PATH, VERSION);
      expect(AgentCard.toJSON(AgentCard.fromJSON(raw))).toEqual(raw);
      const shared = await json(url + PATH);
      expect(shared).toMatchObject({
        protocolVersion: "0.3",
        securitySchemes: {
          bearer: { type: "http", scheme: "Bearer" },
          key: { type: "apiKey", in: "header" },
        },
        security: [{ bearer: ["agent:scripted-agent"] }, { key: [] }],
      });
      // Whoever reads 1.0 and names no version finds the same in it.
      expect(AgentCard.toJSON(AgentCard.fromJSON(shared))).toEqual(raw);
    });
  });

  it("is sent once: who has it is told only that, by tag or by time, to the second", async () => {
    const clock = virtualClock();
    await clock.advance(1_234_567);
    await withServed({ agent, clock }, async ({ url }) => {
      const first = await fetch(url + PATH, { headers: VERSION });
      const etag = first.headers.get("ETag") ?? "";
      const modified = first.headers.get("Last-Modified") ?? "";
      expect(first.headers.get("Cache-Control")).toMatch(/max-age=\d+/);
      expect(first.headers.get("Vary")).toBe("A2A-Version");
      const status = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(url + PATH, { headers: { ...VERSION, ...headers } })).status;
      expect(await status({ "If-None-Match": etag })).toBe(304);
      expect(await status({ "If-None-Match": `"other", W/${etag}` })).toBe(304);
      expect(await status({ "If-Modified-Since": modified })).toBe(304);
      expect(await status({ "If-Modified-Since": new Date(0).toUTCString() })).toBe(200);
      // The tag is the better judge.
      expect(await status({ "If-None-Match": `"other"`, "If-Modified-Since": modified })).toBe(200);
      const head = await fetch(url + PATH, { method: "HEAD", headers: VERSION });
      expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, etag, ""]);
    });
  });

  it("names the public address with its path, and is reached whether the proxy takes the path away or not", async () => {
    await withServed({ agent, publicUrl: "https://agents.example/rag/" }, async ({ url }) => {
      const forwarded = { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http" };
      for (const prefix of ["", "/rag"]) {
        const card = AgentCard.fromJSON(await json(url + prefix + PATH, { ...VERSION, ...forwarded }));
        expect(card.supportedInterfaces.map((one) => one.url).slice(0, 2)).toEqual([
          "https://agents.example/rag/a2a/jsonrpc",
          "https://agents.example/rag/a2a/rest",
        ]);
        const tasks = await json(`${url}${prefix}/a2a/rest/tasks`, VERSION);
        expect(tasks).toMatchObject({ tasks: [], totalSize: 0 });
      }
    });
  });

  it("shows more to who is known, by either binding, and nothing to who is not", async () => {
    const extendedCard = (card: AgentCard, caller: { readonly id: string }): AgentCard => ({
      ...card,
      description: `For ${caller.id}.`,
    });
    await withServed({ agent, security, authenticate, extendedCard }, async ({ url }) => {
      const client = await new ClientFactory().createFromUrl(url);
      await expect(client.getAgentCard()).rejects.toThrow(/authenticated/);
      const rest = `${url}/a2a/rest/extendedAgentCard`;
      expect((await fetch(rest, { headers: VERSION })).status).toBe(401);
      const headers = { ...VERSION, Authorization: "ann" };
      expect(await json(rest, headers)).toMatchObject({ description: "For ann." });
      const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard" });
      const rpc = await fetch(`${url}/a2a/jsonrpc`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: call,
      });
      expect(await rpc.json()).toMatchObject({ result: { description: "For ann." } });
    });
  });

  it("is not served when it promises what nothing keeps", async () => {
    await expect(serveAgent({ agent, security })).rejects.toMatchObject({ code: "input.invalid" });
    const requirements = [{ other: [] }];
    const unknown = serveAgent({ agent, authenticate, security: { ...security, requirements } });
    await expect(unknown).rejects.toThrow(/"other"/);
  });

  it.each([
    [1, { authenticate }],
    [1, { authenticate, security: { ...security, requirements: [] } }],
    [0, { authenticate, security }],
    [0, {}],
  ])("is warned of %i times where it is silent and the door asks", async (times, options) => {
    const warnings: string[] = [];
    const log: Log = { ...silentLog, child: () => log, warn: (words: string) => void warnings.push(words) };
    await withServed({ agent, log, ...options }, () => Promise.resolve());
    expect(warnings).toHaveLength(times);
    expect(warnings.join()).toContain(times === 0 ? "" : "hand in security");
  });
});

describe("extensions", () => {
  const uri = "https://example.com/ext/units/v1";

  it("are put in force when the caller names them and the card has them; others are passed over", async () => {
    const extensions = [{ uri, description: "Units." }];
    await withServed({ agent, extensions }, async ({ url }) => {
      const card = await json(url + PATH, VERSION);
      expect(JSON.stringify(isObject(card) && card["capabilities"])).toContain(uri);
      const asked = `${uri}, https://example.com/ext/units/v2`;
      const answer = await fetch(`${url}/a2a/rest/tasks`, {
        headers: { ...VERSION, "A2A-Extensions": asked },
      });
      expect(answer.headers.get("A2A-Extensions")).toBe(uri);
    });
  });

  it("that are required must be named, by whatever binding and version", async () => {
    const extensions = [{ uri, description: "Units.", required: true }];
    await withServed({ agent, extensions }, async ({ url }) => {
      const refused = await fetch(`${url}/a2a/rest/tasks`, { headers: VERSION });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        error: { status: "FAILED_PRECONDITION", details: [{ reason: "EXTENSION_SUPPORT_REQUIRED" }] },
      });
      const call = (method: string, headers: Record<string, string>): Promise<unknown> =>
        fetch(`${url}/a2a/jsonrpc`, {
          method: "POST",
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { id: "t" } }),
        }).then((answer) => answer.json());
      expect(await call("GetTask", VERSION)).toMatchObject({ error: { code: -32008 } });
      expect(await call("tasks/get", {})).toMatchObject({
        error: { message: expect.stringContaining(uri) as unknown },
      });
      expect(await call("GetTask", { ...VERSION, "A2A-Extensions": uri })).toMatchObject({
        error: { code: -32001 },
      });
    });
  });
});
