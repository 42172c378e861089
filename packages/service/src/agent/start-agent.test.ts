import { request } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { captureWire, collect, plainMessage } from "@troupe/a2a/testing";
import { silentLog, systemClock, type ToolSource } from "@troupe/core";
import { finishCall } from "@troupe/playbook";
import type { AgentEvent } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { newId } from "../adapters/new-id.ts";
import type { Running } from "../adapters/run-main.ts";
import { mcpSettings } from "../mcp/mcp-settings.ts";
import { startMcp } from "../mcp/start-mcp.ts";
import { notesAgent, notesMcp } from "../testing/notes-agent.ts";
import { agentSettings } from "./agent-settings.ts";
import { startAgent, type AgentDefinition } from "./start-agent.ts";

const tools = { log: silentLog };

let home = "";
const running: Running[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-agent-"));
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
  rmSync(home, { recursive: true, force: true });
});

async function keep(starting: Promise<Running>): Promise<Running> {
  const one = await starting;
  running.push(one);
  return one;
}

const settings = (given: object = {}) => agentSettings(0).parse({ home: join(home, "agent"), ...given });

/** Asks for a note, and for the mode if there is one. */
function asking(mode: string | undefined): ReturnType<typeof plainMessage> {
  const { message, ...request } = plainMessage("Note it.");
  if (message === undefined || mode === undefined) return { ...request, message };
  return { ...request, message: { ...message, metadata: { response_mode: mode } } };
}

const startNotes = () => keep(startMcp(notesMcp, mcpSettings(0).parse({ home: join(home, "mcp") }), tools));

async function ask(url: string): Promise<readonly AgentEvent[]> {
  const remote = await connectAgent(url, { clock: systemClock, newId, signal: AbortSignal.timeout(10_000) });
  const events: AgentEvent[] = [];
  for await (const event of remote.stream({ text: "Note it." }, { signal: AbortSignal.timeout(10_000) }))
    events.push(event);
  return events;
}

/** As a page would ask whose name was rebound to this address. */
async function statusUnderName(url: string, name: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const asking = request(`${url}/metrics`, { headers: { host: name } }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  });
  asking.on("error", reject).end();
  return promise;
}

async function last(events: AsyncIterable<AgentEvent>) {
  let request: unknown;
  let finish: AgentEvent | undefined;
  for await (const event of events) {
    if (event.type === "input-required") request = event.request;
    if (event.type === "finish") finish = event;
  }
  return { request, finish };
}

describe("with all optional middleware off, startAgent", () => {
  const signal = AbortSignal.timeout(10_000);
  const off = (mcp: string, given: object) =>
    settings({ mcp_servers: { "notes-mcp": mcp }, middleware: false, ...given });

  it("still asks a person before a tool runs, and goes on after a restart", async () => {
    const { url } = await startNotes();
    const asking = off(url, { approve: ["note"] });
    const first = await startAgent(notesAgent, asking, tools);
    const asked = await connectAgent(first.url, { clock: systemClock, newId, signal });
    const { taskId } = await asked.send({ text: "Note it." }, { signal });
    const question = await last(asked.join(taskId, { signal }));
    expect(question.finish).toMatchObject({ outcome: "input-required" });
    expect(question.request).toMatchObject({ kind: "approval", calls: [{ tool: "note" }] });
    await first.close();

    const again = await keep(startAgent(notesAgent, asking, tools));
    const remote = await connectAgent(again.url, { clock: systemClock, newId, signal });
    const { requestId, calls } = question.request as { requestId: string; calls: { callId: string }[] };
    const decisions = calls.map(({ callId }) => ({ callId, type: "approve" as const }));
    await remote.send({ taskId, reply: { requestId, decisions } }, { signal });
    expect((await last(remote.join(taskId, { signal }))).finish).toMatchObject({
      outcome: "completed",
      response: { content: "Kept for nobody." },
    });
  });

  it("still keeps to its limits, and needs no price for a cost limit where nobody is paid", async () => {
    const { url } = await startNotes();
    const served = await keep(startAgent(notesAgent, off(url, { limits: '{"maxToolCalls":0}' }), tools));
    expect((await ask(served.url)).at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "agent.limit" },
    });
    const dear = off(url, { limits: { maxCostUsd: 1 }, home: join(home, "dear") });
    const free = await keep(startAgent(notesAgent, dear, tools));
    expect((await ask(free.url)).at(-1)).toMatchObject({ outcome: "completed" });
    const paid = { ...dear, anthropic_api_key: "sk-ant-not-used", home: join(home, "paid") };
    await expect(startAgent(notesAgent, paid, tools)).rejects.toMatchObject({
      code: "agent.config",
      message: expect.stringMatching(/prices \(TROUPE_PRICES\) has no entry for the model "claude-/),
    });
  });
});

describe("startAgent", () => {
  it("keeps the rules of the deployment", async () => {
    const { url } = await startNotes();
    const rule = { effect: "deny", tool: "note", name: "quiet" };
    const given = { mcp_servers: { "notes-mcp": url }, policy: JSON.stringify([rule]) };
    const served = await keep(startAgent(notesAgent, settings(given), tools));
    const events = await ask(served.url);
    expect(events.find((event) => event.type === "tool-end")).toMatchObject({
      status: "not-run",
      summary: expect.stringContaining('rule "quiet"'),
    });
  });

  it("reaches its tools where the settings say, and serves the files they made as its own", async () => {
    const { url } = await startNotes();
    const served = await keep(startAgent(notesAgent, settings({ mcp_servers: { "notes-mcp": url } }), tools));
    const events = await ask(served.url);
    expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
    const file = events.find((event) => event.type === "artifact");
    const address = file?.type === "artifact" ? file.artifact.url : "";
    expect(address.startsWith(`${served.url}/artifacts/`)).toBe(true);
    expect(await (await fetch(address)).text()).toBe("of nobody");
  });

  it("is ready while the server of its tools answers, and says which one does not", async () => {
    const mcp = await startMcp(notesMcp, mcpSettings(0).parse({ home: join(home, "mcp") }), tools);
    const served = await keep(
      startAgent(notesAgent, settings({ mcp_servers: { "notes-mcp": mcp.url } }), tools),
    );
    const readiness = async () => (await fetch(`${served.url}/readyz`)).json();
    const capabilities = { card: true, model: true, tools: true };
    expect(await readiness()).toEqual({ ok: true, reasons: [], capabilities });
    await mcp.close();
    expect(await readiness()).toMatchObject({
      ok: false,
      capabilities: { ...capabilities, tools: false },
      reasons: [expect.stringContaining('MCP server "notes-mcp"')],
    });
    const alone = await keep(startAgent(notesAgent, settings({ home: join(home, "alone") }), tools));
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(503);
  });

  it("lets the definition wrap the tools it may use, and shows it no other", async () => {
    const { url } = await startNotes();
    const listed: string[] = [];
    const adapt = (source: ToolSource): ToolSource => ({
      ...source,
      async list(options) {
        const all = await source.list(options);
        listed.push(...all.map((tool) => tool.definition.name));
        return all;
      },
    });
    const served = await keep(
      startAgent({ ...notesAgent, adapt }, settings({ mcp_servers: { "notes-mcp": url } }), tools),
    );
    await ask(served.url);
    expect(new Set(listed)).toEqual(new Set(["note"]));
  });

  it("answers without its tools, but never as complete", async () => {
    const served = await keep(startAgent(notesAgent, settings(), tools));
    const end = (await ask(served.url)).at(-1);
    expect(end).toMatchObject({ type: "finish" });
    expect(end?.type === "finish" && end.outcome).not.toBe("completed");
  });

  it("says that its port is taken, and refuses an address that others can reach", async () => {
    const first = await keep(startAgent(notesAgent, settings(), tools));
    const port = Number(new URL(first.url).port);
    await expect(startAgent(notesAgent, settings({ port, home: join(home, "b") }), tools)).rejects.toThrow(
      `port ${port}`,
    );
    await expect(startAgent(notesAgent, settings({ host: "0.0.0.0" }), tools)).rejects.toThrow(
      'host "0.0.0.0" can be reached from other machines',
    );
  });

  it("keeps its tasks for its next start, and from another process of the same agent", async () => {
    const { url } = await startNotes();
    const given = settings({ mcp_servers: { "notes-mcp": url } });
    const first = await startAgent(notesAgent, given, tools);
    const signal = AbortSignal.timeout(10_000);
    const remote = await connectAgent(first.url, { signal });
    const { taskId } = await remote.send({ text: "Note it." }, { signal });
    await collect(remote.join(taskId, { signal }));
    const told = await collect(remote.join(taskId, { signal }));
    await expect(startAgent(notesAgent, given, tools)).rejects.toMatchObject({ code: "store.locked" });
    await first.close();
    const second = await keep(startAgent(notesAgent, given, tools));
    const again = await connectAgent(second.url, { signal });
    expect(await collect(again.join(taskId, { signal }))).toEqual(told);
  });

  it("tells at /metrics what it sent and how its turns ended, and to no page of another name", async () => {
    const { url } = await startNotes();
    const served = await keep(startAgent(notesAgent, settings({ mcp_servers: { "notes-mcp": url } }), tools));
    await ask(served.url);
    const answer = await fetch(`${served.url}/metrics`);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (await answer.text()).split("\n");
    expect(lines).toContain("# TYPE troupe_artifacts_total counter");
    expect(lines).toContain('troupe_artifacts_total{agent="notes-agent",name="final_result"} 1');
    expect(lines).toContain('troupe_artifacts_total{agent="notes-agent",name="file"} 1');
    expect(lines).toContain('troupe_turns_total{agent="notes-agent",outcome="completed"} 1');
    expect((await fetch(`${served.url}/metrics`, { method: "POST" })).status).toBe(404);
    expect(await statusUnderName(served.url, "evil.example")).toBe(403);
  });

  it.each([
    ["true", ["data"]],
    ["false", ["text"]],
  ])("with structured_output %s gives its result as %j to a client that names nothing", async (on, kinds) => {
    const { url } = await startNotes();
    const given = { mcp_servers: { "notes-mcp": url }, structured_output: on };
    const served = await keep(startAgent(notesAgent, settings(given), tools));
    const wire = await captureWire(served.url, plainMessage("Note it."));
    const results = wire.flatMap((event) =>
      event.$case === "artifactUpdate" && event.value.artifact?.name === "final_result"
        ? event.value.artifact.parts
        : [],
    );
    expect(results.map((part) => part.content?.$case)).toEqual(kinds);
  });

  it.each([
    [{}, undefined, ["is_final_answer"]],
    [{ response_mode: "structured" }, undefined, ["is_narration", "is_narration", "is_final_answer"]],
    [{}, "structured", ["is_narration", "is_narration", "is_final_answer"]],
    [{ response_mode: "structured" }, "marker", ["is_narration"]],
  ])("with settings %j delivers as a request for %s asks", async (given, mode, born) => {
    const { url } = await startNotes();
    const served = await keep(
      startAgent(notesAgent, settings({ mcp_servers: { "notes-mcp": url }, ...given }), tools),
    );
    const wire = await captureWire(served.url, asking(mode));
    const texts = wire.flatMap((event) =>
      event.$case === "artifactUpdate" &&
      !event.value.append &&
      event.value.artifact?.name === "streaming_result"
        ? Object.keys(event.value.artifact.metadata ?? {}).filter((key) => key.startsWith("is_"))
        : [],
    );
    expect(texts).toEqual(born);
  });

  it.each([
    [{}, "partial", "finding"],
    [{ answer_check: "off" }, "completed", undefined],
  ])("with settings %j checks its answers, whatever a request says", async (given, outcome, status) => {
    const content = "The profit of Tideline was EUR 3.3 million in 2024.";
    const inventing = { ...notesAgent, playbook: () => ({ calls: [finishCall({ content })] }) };
    const { url } = await startNotes();
    const served = await keep(
      startAgent(inventing, settings({ mcp_servers: { "notes-mcp": url }, ...given }), tools),
    );
    const remote = await connectAgent(served.url, { clock: systemClock, newId });
    const asked = { text: "How was it?", metadata: { answer_check: "off" } };
    const signal = AbortSignal.timeout(10_000);
    const { finish } = await last(remote.stream(asked, { signal }));
    expect(finish).toMatchObject({ outcome, response: { content } });
    expect(finish?.type === "finish" && finish.response.checks?.[0]?.status).toBe(status);
  });

  it.each([
    [{}, false],
    [{ openai_base_url: "http://127.0.0.1:9/v1", model: "m" }, true],
    [{ openai_base_url: "http://127.0.0.1:9/v1", model: "m", answer_check: "model" }, true],
    [{ openai_base_url: "http://127.0.0.1:9/v1", model: "m", answer_check: "rules" }, false],
    [{ openai_base_url: "http://127.0.0.1:9/v1", model: "m", answer_check: "off" }, false],
  ])("with settings %j offers its tools a review by the model: %j", async (given, expected) => {
    const { url } = await startNotes();
    const offered: boolean[] = [];
    const adapting: AgentDefinition = {
      ...notesAgent,
      adapt: (source, { review }) => {
        offered.push(review !== undefined);
        return source;
      },
    };
    await keep(startAgent(adapting, settings({ mcp_servers: { "notes-mcp": url }, ...given }), tools));
    expect(offered).toEqual([expected]);
  });

  it("refuses a request for a mode there is not, and says which there are", async () => {
    const { url } = await startNotes();
    const served = await keep(startAgent(notesAgent, settings({ mcp_servers: { "notes-mcp": url } }), tools));
    await expect(captureWire(served.url, asking("loud"))).rejects.toThrow(
      'response_mode must be one of "finish", "marker", "structured", not "loud".',
    );
  });

  it("shows the public address instead of its own where one is set", async () => {
    const served = await keep(
      startAgent(notesAgent, settings({ public_url: "https://notes.example" }), tools),
    );
    const card = (await (await fetch(`${served.url}/.well-known/agent-card.json`)).json()) as object;
    expect(JSON.stringify(card)).toContain("https://notes.example");
    expect(JSON.stringify(card)).not.toContain(served.url);
  });

  it("notifies nobody unless it is told to", async () => {
    for (const push of [false, true]) {
      const served = await keep(
        startAgent(notesAgent, settings({ push, home: join(home, `push-${push}`) }), tools),
      );
      const card: unknown = await (
        await fetch(`${served.url}/.well-known/agent-card.json`, {
          headers: { "A2A-Version": "1.0" },
        })
      ).json();
      expect(JSON.stringify(card).includes('"pushNotifications":true')).toBe(push);
    }
  });
});
