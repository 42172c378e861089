import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { exerciseAgent, exerciseExecutor, servePlainAgent, withServed } from "@troupe/a2a/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { testContext } from "../../testing/test-context.ts";
import { conformance, type ConformanceCommand } from "./conformance.ts";

let folder = "";
let out = "";
let err = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-conformance-"));
  out = "";
  err = "";
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (url: string, own: Partial<ConformanceCommand> = {}): Promise<number> =>
  conformance(
    testContext(folder, {
      out: (text) => (out += text),
      err: (text) => (err += text),
      env: { TOKEN: "secret" },
    }),
    {
      url,
      json: false,
      header: [],
      only: [],
      prompt: [],
      ...own,
    },
  );
const file = (text: string): string => {
  writeFileSync(join(folder, "expected.yaml"), text);
  return "expected.yaml";
};

describe("conformance", () => {
  it("says that an agent conforms, what was tried and what was not seen", async () => {
    await withServed({ agent: exerciseAgent() }, async ({ url }) => {
      expect(await run(url)).toBe(0);
      expect(out).toMatch(/^exercise-agent at http.*agent-card\.json, A2A 1\.0\n {2}tried {6}JSONRPC 1\.0 /);
      expect(out).toMatch(/not tried {2}HTTP\+JSON 0\.3/);
      expect(out).toMatch(/\n\d+ passed, .*\nIt conforms\.\n$/);
    });
  });

  it("says which requirements an agent does not keep to, and why, and exits with 1", async () => {
    const plain = await servePlainAgent(exerciseExecutor());
    expect(await run(plain.url, { only: ["version.patch-ignored", "get.unknown-task"] })).toBe(1);
    expect(out).toContain(`failed:
  version.patch-ignored  (3.6 MUST, JSONRPC)
      A patch number in the version makes no difference.
`);
    expect(out).toMatch(/\n1 passed, 1 failed\nIt does not conform\.\n$/);
    out = "";
    const expected = file("- requirement: version.patch-ignored\n  reason: It compares letters.\n");
    expect(await run(plain.url, { only: ["version.patch-ignored"], expected })).toBe(0);
    expect(out).toMatch(/failed, as expected:[^]*It compares letters\.[^]*It conforms\./);
    out = "";
    expect(await run(plain.url, { only: ["get.unknown-task"], expected })).toBe(1);
    expect(out).toMatch(/did not: take them off the list:\n {2}version\.patch-ignored\n/);
    await plain.close();
  });

  it("gives programs the report, of one binding where one is asked for", async () => {
    await withServed({ agent: exerciseAgent() }, async ({ url }) => {
      expect(await run(url, { json: true, binding: "rest", only: ["get.task"] })).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        v: 1,
        kind: "conformance",
        findings: [{ binding: "HTTP+JSON", outcome: "passed", requirement: { id: "get.task" } }],
      });
    });
  });

  it("shows who calls from a variable, and keeps to the prompts it is given", async () => {
    const agent = exerciseAgent();
    const authenticate = (headers: { readonly [name: string]: unknown }) =>
      Promise.resolve(
        headers["authorization"] === "Bearer secret" ? { id: "ann", scopes: ["*"] } : undefined,
      );
    await withServed({ agent, authenticate }, async ({ url }) => {
      const asked = { authEnv: "TOKEN", only: ["get.task"], prompt: ["plain=Good morning."] };
      expect(await run(url, asked)).toBe(0);
      expect(agent.requests[0]?.text).toBe("Good morning.");
      expect(err).toBe("");
      expect(await run(url, { only: ["get.task"], json: true })).toBe(1);
      expect(err).toMatch(/^The agent asks who calls.* --auth-env VARIABLE\.\n$/);
    });
  });

  it.each([
    ["an address that is none", { url: "agent" }, /"agent" is no address/],
    ["a prompt that is none", { prompt: ["quick=x"] }, /--prompt "quick=x"/],
    ["a time that is none", { timeout: "soon" }, /--timeout "soon"/],
    ["a file that is not there", { expected: "no.yaml" }, /"no\.yaml" cannot be read/],
    ["a requirement that is none", { only: ["get.nothing"] }, /no requirement "get\.nothing"/],
  ])("refuses %s", async (_what, own, message) => {
    await expect(run("http://127.0.0.1:1", own)).rejects.toThrow(message);
  });

  it.each([
    ["- requirement: get.task", /reason/],
    ["- reason: because", /requirement/],
    ["requirement: get.task", /is a list/],
    ["- [", /no YAML/],
  ])("refuses %j as a list of what is expected", async (text, message) => {
    await expect(run("http://127.0.0.1:1", { expected: file(text) })).rejects.toThrow(message);
  });
});
