import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type CallHeaders } from "@troupe/a2a/client";
import { collect } from "@troupe/a2a/testing";
import { silentLog, systemClock } from "@troupe/core";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import type { Running } from "../adapters/run-main.ts";
import { addKey } from "../auth/keys.ts";
import { mcpSettings } from "../mcp/mcp-settings.ts";
import { startMcp } from "../mcp/start-mcp.ts";
import { notesAgent, notesMcp } from "../testing/notes-agent.ts";
import { agentSettings } from "./agent-settings.ts";
import { startAgent } from "./start-agent.ts";

const tools = { log: silentLog };
const signal = AbortSignal.timeout(20_000);
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-agent-auth-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

async function keep(starting: Promise<Running>): Promise<Running> {
  const one = await starting;
  onTestFinished(() => one.close());
  return one;
}

/** An agent and its MCP server, which both ask who calls, and keys of three people. */
async function started() {
  const mcp = await keep(startMcp(notesMcp, mcpSettings(0).parse({ home, auth: "on" }), tools));
  const settings = agentSettings(0).parse({ home, auth: "on", mcp_servers: { "notes-mcp": mcp.url } });
  const served = await keep(startAgent(notesAgent, settings, tools));
  const key = (user: string, scopes: readonly string[]): string =>
    addKey({ home, name: user, user, scopes, clock: systemClock }).key;
  const keys = {
    ann: key("ann", ["*"]),
    bob: key("bob", ["agent:notes-agent"]),
    eve: key("eve", ["metrics"]),
  };
  const as = (token?: string): Record<string, string> =>
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const get = (path: string, token?: string) => fetch(served.url + path, { headers: as(token) });
  const connect = (token: string) => {
    const headers: CallHeaders = () => as(token);
    return connectAgent(served.url, { headers, signal });
  };
  return { mcp, served, keys, get, connect };
}

it("serves whom it knows, each their own tasks and files, and its tools hear for whom", async () => {
  const { keys, get, connect } = await started();
  const ann = await connect(keys.ann);
  const bob = await connect(keys.bob);
  const asked = { text: "Note it.", contextId: "shared", messageId: "same", userId: "root" };
  const [mine, theirs] = await Promise.all([
    ann.send(asked, { signal }),
    bob.send({ ...asked, userId: "ann" }, { signal }),
  ]);
  expect(mine.taskId).not.toBe(theirs.taskId);
  const events = await collect(ann.join(mine.taskId, { signal }));
  expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Kept for ann." } });
  const other = await collect(bob.join(theirs.taskId, { signal }));
  expect(other.at(-1)).toMatchObject({ response: { content: "Kept for bob." } });
  const lost = { code: "agent.task-lost" };
  await expect(collect(bob.join(mine.taskId, { signal }))).rejects.toMatchObject(lost);
  await expect(bob.send({ text: "x", taskId: mine.taskId }, { signal })).rejects.toMatchObject(lost);
  await expect(bob.cancel(mine.taskId)).rejects.toMatchObject(lost);
  expect((await bob.tasks("shared", { signal })).map(({ taskId }) => taskId)).toEqual([theirs.taskId]);

  const [file] = events.flatMap((event) => (event.type === "artifact" ? event.artifact : []));
  const { pathname } = new URL(file?.url ?? "");
  expect(await (await get(pathname, keys.ann)).text()).toBe("of ann");
  expect((await get(pathname, keys.bob)).status).toBe(404);
});

it("shows strangers nothing, and what it counts to those who may see it", async () => {
  const { served, keys, get } = await started();
  for (const path of ["/metrics", "/artifacts/0123456789abcdef0123456789abcdef/x", "/a2a/rest/tasks", "/x"])
    expect([path, (await get(path)).status]).toEqual([path, 401]);
  expect((await get("/metrics", keys.eve)).status).toBe(200);
  expect((await get("/metrics", keys.bob)).status).toBe(403);
  expect((await get("/a2a/rest/tasks", keys.eve)).status).toBe(403);
  const { card } = await connectAgent(served.url, { signal });
  expect(card.securityRequirements).toEqual([{ schemes: { apiKey: { list: ["agent:notes-agent"] } } }]);
});

it("has tools that only its own agents call", async () => {
  const { mcp, keys } = await started();
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  };
  for (const token of [undefined, keys.ann, "x"]) {
    const refused = await fetch(mcp.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(initialize),
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  }
});

it("listens where others reach it only when it asks who they are", async () => {
  const open = { home, host: "0.0.0.0" };
  await expect(startAgent(notesAgent, agentSettings(0).parse(open), tools)).rejects.toThrow(/TROUPE_AUTH=on/);
  await expect(startMcp(notesMcp, mcpSettings(0).parse(open), tools)).rejects.toThrow(/TROUPE_AUTH=on/);
  await keep(startAgent(notesAgent, agentSettings(0).parse({ ...open, auth: "on" }), tools));
  await keep(startMcp(notesMcp, mcpSettings(0).parse({ ...open, auth: "on" }), tools));
});
