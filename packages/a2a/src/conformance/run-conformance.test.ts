import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@troupe/core";
import { serveHttp, virtualClock } from "@troupe/core/testing";
import { afterAll, describe, expect, it } from "vitest";

import type { Authenticate, CardSecurity, ServeAgentOptions } from "../server/index.ts";
import { openSqliteTaskStore } from "../store/sqlite/index.ts";
import { exerciseAgent, withServed } from "../testing/index.ts";
import {
  REQUIREMENTS,
  runConformance,
  type ConformanceOptions,
  type ConformanceReport,
  type Outcome,
} from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "conformance-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What did not go well, in lines. */
function told({ findings }: ConformanceReport, outcome: Outcome): readonly string[] {
  return findings
    .filter((finding) => finding.outcome === outcome)
    .map(({ requirement, binding, why }) => `${requirement.id} ${binding}: ${why}`);
}

function checked(
  serve: Partial<ServeAgentOptions> = {},
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  return withServed({ agent: exerciseAgent(), ...serve }, ({ url }) => runConformance(url, options));
}

/** The requirements of these groups: what a variant of a server is about. */
const about = (...groups: readonly string[]): readonly string[] =>
  REQUIREMENTS.map(({ id }) => id).filter((id) => groups.includes(id.split(".")[0] ?? ""));

const security: CardSecurity = {
  schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  requirements: [{ bearer: [] }],
};
const authenticate: Authenticate = (headers) => {
  const id = /^Bearer (ann|bob|eve)$/.exec(String(headers["authorization"]))?.[1];
  return Promise.resolve(id === undefined ? undefined : { id, scopes: id === "eve" ? [] : ["*"] });
};
const as = (id: string): Record<string, string> => ({ Authorization: `Bearer ${id}` });

describe("an agent that this package serves", () => {
  it("keeps to all that the protocol asks of it, and does all that it is asked about", async () => {
    const report = await checked();
    expect(told(report, "failed")).toEqual([]);
    expect(told(report, "advised")).toEqual([]);
    expect(told(report, "not-exercised")).toEqual([]);
    expect(report.counts.passed).toBeGreaterThan(150);
    expect(report).toMatchObject({ v: 1, ok: true, agent: { name: "exercise-agent" } });
    expect(report.interfaces.map(({ version, tried }) => [version, tried])).toEqual([
      ["1.0", true],
      ["1.0", true],
      ["0.3", false],
      ["0.3", false],
    ]);
  });

  it("does so with its tasks on a file, too", async () => {
    const store = openSqliteTaskStore({ path: join(folder, "tasks.db"), clock: systemClock });
    const report = await checked({ store });
    store.close();
    expect(told(report, "failed")).toEqual([]);
    expect(report.ok).toBe(true);
  });

  it("notifies whoever asks for it, where that is turned on", async () => {
    const arrived: { headers: Record<string, string>; body: unknown }[] = [];
    const waiting: (() => void)[] = [];
    const hook = await serveHttp(async (request, response) => {
      const text = (await request.setEncoding("utf8").toArray()).join("");
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      arrived.push({
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: JSON.parse(text),
      });
      response.end();
      waiting.shift()?.();
    });
    const next = async () => {
      for (;;) {
        const one = arrived.shift();
        if (one !== undefined) return one;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    };
    const receiver = { url: hook.url, next };
    const report = await checked({ push: { allow: [hook.url] } }, { receiver, only: about("push", "card") });
    hook.close();
    expect(told(report, "failed")).toEqual([]);
    const passed = told(report, "passed").map((line) => line.split(" ")[0] ?? "");
    for (const id of [
      "create",
      "with-message",
      "get",
      "get-missing",
      "list",
      "delete",
      "delete-again",
      "delivers",
    ])
      expect(passed.filter((one) => one === `push.${id}`)).toHaveLength(2);
  });

  it("keeps callers apart, and shows more to who is known", async () => {
    const report = await checked(
      { authenticate, security, extendedCard: (card) => ({ ...card, description: "More." }) },
      {
        credentials: as("ann"),
        callers: { other: as("bob"), unprivileged: as("eve") },
        only: about("auth", "extended", "card", "errors", "get"),
      },
    );
    expect(told(report, "failed")).toEqual([]);
    expect(told(report, "advised")).toEqual([]);
    const passed = told(report, "passed").map((line) => line.split(" ")[0] ?? "");
    for (const id of [
      "auth.missing",
      "auth.invalid",
      "auth.challenge",
      "auth.not-permitted",
      "auth.own-tasks",
    ])
      expect(passed.filter((one) => one === id)).toHaveLength(2);
    expect(passed).toContain("extended.authenticated");
  });

  it("insists on the extensions that its card requires", async () => {
    const uri = "https://example.com/ext/units/v1";
    const extensions = [{ uri, description: "Units.", required: true }];
    const report = await checked(
      { extensions },
      {
        headers: { "A2A-Extensions": uri },
        only: about("extensions", "card", "list"),
      },
    );
    expect(told(report, "failed")).toEqual([]);
    expect(told(report, "passed").join(" ")).toContain("extensions.required");
  });
});

describe("what is expected to fail", () => {
  const entry = { requirement: "get.unknown-task", reason: "It is known." };
  const wrong: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const text = (await response.text()).replaceAll("-32001", "-32000");
    return new Response(text, { status: response.status, headers: { "content-type": "application/json" } });
  };
  const only = ["get.unknown-task"];

  it("is put up with, with its reason, over the binding it is named for", async () => {
    const expected = [{ ...entry, binding: "JSONRPC" } as const];
    const report = await checked({}, { fetchImpl: wrong, only, expected });
    expect(told(report, "expected-failure")).toEqual([expect.stringContaining("It is known.")]);
    expect(report).toMatchObject({ ok: true, stale: [] });
  });

  it("fails once it no longer does, and must be known by its id", async () => {
    const report = await checked({}, { only, expected: [entry] });
    expect(report).toMatchObject({ ok: false, stale: [entry], counts: { failed: 0 } });
    const unknown = checked({}, { expected: [{ requirement: "get.nothing", reason: "" }] });
    await expect(unknown).rejects.toThrow(/"get\.nothing"/);
  });
});

it("says so when there is no card, or nothing on it that can be tried", async () => {
  await withServed({ agent: exerciseAgent() }, async ({ url }) => {
    await expect(runConformance(`${url}/nowhere`)).rejects.toMatchObject({ code: "agent.unreachable" });
    await expect(runConformance("agent")).rejects.toMatchObject({ code: "agent.config" });
    const away = { code: "agent.unreachable", message: expect.stringContaining("Is it running?") as unknown };
    await expect(runConformance("http://127.0.0.1:1")).rejects.toMatchObject(away);
    const page = (): Promise<Response> => Promise.resolve(new Response("<html>"));
    await expect(runConformance(url, { fetchImpl: page })).rejects.toThrow(
      /no JSON object.*Give the agent's/,
    );
    const clock = virtualClock();
    const silent: typeof fetch = () => {
      queueMicrotask(() => void clock.advance(5_000));
      return new Promise(() => undefined);
    };
    const late = runConformance(url, { clock, timeoutMs: 5_000, fetchImpl: silent });
    await expect(late).rejects.toMatchObject({
      code: "agent.unreachable",
      message: expect.stringContaining("within 5 s") as unknown,
    });
    const custom: typeof fetch = async (input, init) =>
      new Response((await (await fetch(input, init)).text()).replaceAll(/"(JSONRPC|HTTP\+JSON)"/g, '"SOAP"'));
    await expect(runConformance(url, { fetchImpl: custom })).rejects.toThrow(/SOAP 1\.0/);
  });
});

it("reads no more of a stream whose requirement took too long", async () => {
  const clock = virtualClock();
  const closed = Promise.withResolvers<unknown>();
  const stalling = await serveHttp((request, response) => {
    const { url } = stalling;
    const supportedInterfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    const card = { name: "slow", capabilities: { streaming: true }, supportedInterfaces };
    if (request.method === "GET") return response.end(JSON.stringify(card));
    response.once("close", closed.resolve).writeHead(200, { "Content-Type": "text/event-stream" });
    return response.write("data: {}\n\n", () => void clock.advance(5_000));
  });
  const report = await runConformance(stalling.url, { clock, timeoutMs: 5_000, only: ["stream.frames"] });
  expect(told(report, "failed")).toEqual([expect.stringContaining("within 5 s")]);
  await closed.promise;
  stalling.close();
});
