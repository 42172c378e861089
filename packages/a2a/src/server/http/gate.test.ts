import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";

import { AgentError, type Caller, type OverviewRequest } from "@troupe/core";
import type { Express } from "express";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../../client/index.ts";
import { answering, scriptedAgent, withServed } from "../../testing/index.ts";
import { callerOf } from "./gate.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const { name } = agent.profile;
const people: { readonly [token: string]: Caller } = {
  all: { id: "ann", scopes: ["*"] },
  one: { id: "bob", scopes: [`agent:${name}`] },
  other: { id: "eve", scopes: [`agent:${name}x`, "agent:*", "agent:"] },
  nobody: { id: "", scopes: ["*"] },
};
const authenticate = (headers: { readonly [name: string]: unknown }): Promise<Caller | undefined> => {
  const given = headers["authorization"];
  if (given === "crash") throw new Error("secret detail");
  if (given === "away") throw new AgentError("agent.unreachable", "secret place", { retryable: true });
  return Promise.resolve(people[String(given)]);
};
const routes = (app: Express): void => {
  app.get("/who", (req, res) => res.json(callerOf(req)));
};
const openRoutes = (app: Express): void => {
  app.get("/open", (_req, res) => res.send("open"));
};
const options = { agent, authenticate, routes, openRoutes };
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
const call = { jsonrpc: "2.0", id: 7, method: "SendMessage", params: { message } };
const ask = (url: string, path: string, who?: string, version = "1.0") =>
  fetch(url + path, {
    method: path.includes("a2a") && !path.includes("tasks") ? "POST" : "GET",
    headers: {
      "Content-Type": "application/json",
      "A2A-Version": version,
      ...(who === undefined ? {} : { Authorization: who }),
    },
    ...(path.endsWith("jsonrpc") ? { body: JSON.stringify(call) } : {}),
    ...(path.endsWith("send") ? { body: JSON.stringify({ message }) } : {}),
  });
const CLOSED = [
  "/a2a/jsonrpc",
  "/A2A/JsonRpc/",
  "/a2a/rest/message:send",
  "/a2a/rest/v1/message:send",
  "/a2a/rest/tasks",
  "/who",
  "/nothing",
];

describe("a server that asks who calls", () => {
  it.each([undefined, "unknown", "crash", "nobody"])(
    "shows %s nothing but its card, that it lives and what is open, and does not say why",
    async (who) => {
      await withServed(options, async ({ url }) => {
        for (const path of ["/.well-known/agent-card.json", "/livez", "/open"])
          expect((await ask(url, path, who)).status).toBe(200);
        for (const version of ["1.0", "0.3"])
          for (const path of CLOSED) {
            const refused = await ask(url, path, who, version);
            expect([path, refused.status]).toEqual([path, 401]);
            expect(refused.headers.get("www-authenticate")).toBe("Bearer");
            const text = await refused.text();
            expect(text).toContain("The caller could not be authenticated.");
            expect(text).not.toMatch(/secret|unknown caller|nobody/);
          }
      });
    },
  );

  it("takes one name of a caller, and none where there are two", async () => {
    await withServed(options, async ({ url }) => {
      const said = async (...given: readonly string[]): Promise<number | undefined> => {
        const headers = given.flatMap((value) => ["Authorization", value]);
        const call = request(`${url}/who`, { headers: ["Host", "localhost", ...headers] }).end();
        const [answer] = (await once(call, "response")) as [IncomingMessage];
        return answer.resume().statusCode;
      };
      expect(await said("all")).toBe(200);
      expect([await said("all", "one"), await said("one", "unknown")]).toEqual([401, 401]);
    });
  });

  it("asks those to come back whom it cannot judge just now", async () => {
    await withServed(options, async ({ url }) => {
      for (const path of CLOSED) {
        const later = await ask(url, path, "away");
        expect([path, later.status, later.headers.get("retry-after")]).toEqual([path, 503, "1"]);
        expect(await later.text()).not.toContain("secret");
      }
    });
  });

  it("answers in the form of the binding", async () => {
    await withServed(options, async ({ url }) => {
      const rpc = await ask(url, "/a2a/jsonrpc");
      expect(await rpc.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } });
      const rest = await ask(url, "/a2a/rest/message:send");
      expect(await rest.json()).toMatchObject({ error: { code: 401, status: "UNAUTHENTICATED" } });
    });
  });

  it("lets only those use the agent who may, and tells them what they lack", async () => {
    await withServed(options, async ({ url }) => {
      for (const path of ["/a2a/jsonrpc", "/a2a/rest/message:send"]) {
        for (const who of ["all", "one"]) expect((await ask(url, path, who)).status).toBe(200);
        const refused = await ask(url, path, "other");
        expect(refused.status).toBe(403);
        expect(refused.headers.get("www-authenticate")).toBe(
          `Bearer error="insufficient_scope", scope="agent:${name}"`,
        );
        expect(await refused.text()).toContain(`lacks the scope \\"agent:${name}\\"`);
      }
      expect(await (await ask(url, "/who", "other")).json()).toEqual(people["other"]);
    });
  });

  it("tells a stranger that it is not ready, and those it knows why", async () => {
    const ready = () => Promise.resolve({ tools: ["MCP server x at http://10.0.0.7 does not answer"] });
    await withServed({ ...options, ready }, async ({ url }) => {
      const capabilities = { card: true, model: true, tools: false };
      const stranger = await ask(url, "/readyz");
      expect(stranger.status).toBe(503);
      expect(await stranger.json()).toEqual({
        ok: false,
        reasons: ["its tools do not answer"],
        capabilities,
      });
      const known = await (await ask(url, "/readyz", "other")).json();
      expect(known).toMatchObject({ reasons: [expect.stringContaining("10.0.0.7")] });
    });
  });

  it("tells those it knows which model has no price, and no stranger", async () => {
    const agent = { ...options.agent, unpriced: "some-model" };
    await withServed({ ...options, agent }, async ({ url }) => {
      const capabilities = { card: true, model: true, tools: true };
      expect(await (await ask(url, "/readyz")).json()).toEqual({ ok: true, reasons: [], capabilities });
      expect(await (await ask(url, "/readyz", "other")).json()).toMatchObject({ unpriced: "some-model" });
    });
  });

  it("writes nothing into its headers that an agent's name would have there", async () => {
    const weird = scriptedAgent(() => [], { name: 'we"ird\r\nX-Admin: 1' });
    await withServed({ agent: weird, authenticate }, async ({ url }) => {
      const refused = await ask(url, "/a2a/jsonrpc", "other");
      expect(refused.headers.get("x-admin")).toBeNull();
      expect(refused.headers.get("www-authenticate")).toBe(
        'Bearer error="insufficient_scope", scope="agent:we_ird__X-Admin:_1"',
      );
    });
  });

  it("reads no body of a stranger", async () => {
    await withServed({ ...options, limits: { bodyBytes: 10 } }, async ({ url }) => {
      expect((await ask(url, "/a2a/jsonrpc")).status).toBe(401);
      expect((await ask(url, "/a2a/jsonrpc", "all")).status).toBe(413);
    });
  });
});

it("answers /overview in the name of the caller, to those who may use the agent", async () => {
  const asked: unknown[] = [];
  const telling = {
    ...agent,
    overview: (request: OverviewRequest) => {
      asked.push(request);
      return Promise.resolve("shop: 1 document");
    },
  };
  await withServed({ agent: telling, authenticate }, async ({ url }) => {
    const statuses = [];
    for (const who of ["one", "other", undefined])
      statuses.push((await ask(url, "/overview?collection=shop", who)).status);
    expect(statuses).toEqual([200, 403, 401]);
    expect((await ask(url, "/overview?collection=a&collection=b", "one")).status).toBe(400);
    const remote = await connectAgent(url, { headers: { Authorization: "all" } });
    expect(await remote.overview(undefined, { signal: AbortSignal.timeout(60_000) })).toBe(
      "shop: 1 document",
    );
    expect(asked).toEqual([{ collectionId: "shop", userId: "bob" }, { userId: "ann" }]);
  });
  await withServed({ agent, authenticate }, async ({ url }) => {
    const remote = await connectAgent(url, { headers: { Authorization: "all" } });
    expect(await remote.overview("shop", { signal: AbortSignal.timeout(60_000) })).toBeUndefined();
  });
});
