import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { CaptureRecord } from "@troupe/a2a/capture";
import { artifactExecutor, scriptedAgent, answering, servePlainAgent, withServed } from "@troupe/a2a/testing";
import type { RunnableAgent } from "@troupe/core";
import { TaskState } from "@a2a-js/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { testContext } from "../../testing/test-context.ts";
import { cleanUp, startTroupe } from "../../testing/troupe.ts";
import { capture } from "../commands/capture.ts";
import { compare } from "../commands/compare.ts";
import { trace } from "../commands/trace.ts";
import type { CliContext } from "../context.ts";
import { takeToken } from "../take-token.ts";
import { recordStream } from "./record-stream.ts";

let folder = "";
let out = "";
let err = "";
const context = (own: Partial<CliContext> = {}): CliContext =>
  testContext(folder, { out: (text) => (out += text), err: (text) => (err += text), ...own });
const flags = { header: [] as readonly string[] };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-capture-"));
  out = "";
  err = "";
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string): string => join(folder, name);
const linesOf = (text: string): readonly CaptureRecord[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as CaptureRecord);
const speaking = (): RunnableAgent => scriptedAgent(() => answering(["It is ", "68 °F."]));
const asking = { question: "20 °C in °F?", ...flags };

describe("capture", () => {
  it("writes a new file, and prints which", async () => {
    writeFileSync(file("capture.ndjson"), "mine");
    await withServed({ agent: speaking() }, async ({ url }) => {
      expect(await capture(context(), { url, ...asking })).toBe(0);
    });
    expect(out).toBe(`${file("capture-2.ndjson")}\n`);
    expect(err).toMatch(/^\d+ events in \d+ ms; the task ended completed\n$/);
    expect(readFileSync(file("capture.ndjson"), "utf8")).toBe("mine");
    const lines = linesOf(readFileSync(file("capture-2.ndjson"), "utf8"));
    expect(lines[0]).toMatchObject({ v: 1, kind: "a2a-capture", question: "20 °C in °F?" });
    expect(lines.at(-1)).toMatchObject({ end: "closed" });
  });

  it("writes to stdout, and nothing else there", async () => {
    await withServed({ agent: speaking() }, ({ url }) => capture(context(), { url, ...asking, out: "-" }));
    expect(linesOf(out).length).toBeGreaterThan(3);
  });

  it("keeps the file that is there until it has something to write", async () => {
    writeFileSync(file("mine.ndjson"), "mine");
    const asked = capture(context(), { url: "http://127.0.0.1:1", ...asking, out: "mine.ndjson" });
    await expect(asked).rejects.toMatchObject({ code: "agent.unreachable" });
    expect(readFileSync(file("mine.ndjson"), "utf8")).toBe("mine");
  });

  it("has each line in the file before the next is taken", async () => {
    await withServed({ agent: speaking() }, async ({ url }) => {
      const path = file("a.ndjson");
      const taken: CaptureRecord[] = [];
      const each = (record: CaptureRecord): void => {
        taken.push(record);
        expect(linesOf(readFileSync(path, "utf8"))).toEqual(taken);
      };
      await recordStream(context(), { url, ...asking, file: () => path, each });
      expect(taken.length).toBeGreaterThan(3);
    });
  });

  it.each([
    ["a failed task", TaskState.TASK_STATE_FAILED, 1],
    ["a question", TaskState.TASK_STATE_INPUT_REQUIRED, 4],
  ])("ends with %s as any command would", async (_, state, code) => {
    const plain = await servePlainAgent(artifactExecutor([], { state, say: "Why?\u001b[31m" }));
    try {
      expect(await capture(context(), { url: plain.url, ...asking })).toBe(code);
      expect(err).toMatch(/: Why\?\[31m\n$/);
    } finally {
      await plain.close();
    }
  });

  it("that is interrupted keeps what came", async () => {
    const leave = new AbortController();
    const agent = scriptedAgent(async function* () {
      yield* answering(["first"]).slice(0, 2);
      leave.abort();
      await Promise.withResolvers<void>().promise;
    });
    await withServed({ agent, coalesceMs: 0 }, async ({ url }) => {
      const code = await capture(context({ interrupted: leave.signal }), { url, ...asking, out: "a.ndjson" });
      expect(code).toBe(130);
    });
    expect(linesOf(readFileSync(file("a.ndjson"), "utf8")).at(-1)).toMatchObject({ end: "interrupted" });
  }, 10_000);

  it("that Ctrl-C ends exits with 130, and has its last line", async () => {
    const agent = scriptedAgent(async function* () {
      yield* answering(["first"]).slice(0, 2);
      await Promise.withResolvers<void>().promise;
    });
    await withServed({ agent }, async ({ url }) => {
      const home = join(folder, "home");
      const process = startTroupe(["capture", url, "x", "--out", "-"], { home });
      await process.waitFor("stdout", /first/);
      process.kill("SIGINT");
      const { code, stdout, stderr } = await process.finished;
      expect(code).toBe(130);
      expect(linesOf(stdout).at(-1)).toMatchObject({ end: "interrupted" });
      expect(stderr).toMatch(/the task did not end, because it was interrupted/);
      await cleanUp();
    });
  });

  it.each([
    ["no address", { url: "agent" }, /"agent" is no address/],
    ["half an address", { url: "http://a b" }, /"http:\/\/a b" is no address/],
    ["a password in an address", { url: "http://me:s3cret@127.0.0.1:1" }, /holds a name or a password/],
    ["no question", { question: " " }, /Say what to ask/],
    ["a secret", { header: ["Authorization: Bearer s3cret"] }, /--auth-env VARIABLE/],
    ["another", { header: ["X-Api-Key: s3cret"] }, /--auth-env X-Api-Key=VARIABLE/],
    ["no header", { header: ["nonsense"] }, /"nonsense" is not of the form "Name: value"/],
    ["a value in place of a variable", { authEnv: "Bearer s3cret" }, /takes the name of a variable/],
    ["a variable that is not set", { authEnv: "NOT_SET" }, /NOT_SET is not set/],
    ["a token that is not set", { authEnv: "TROUPE_TOKEN" }, /neither TROUPE_TOKEN nor TROUPE_TOKEN_FILE/],
    ["a header of two lines", { authEnv: "TWO" }, /The value of TWO holds/],
    ["a folder as a file", { out: "." }, /cannot be written \(EISDIR\)/],
  ])("refuses %s", async (_, given, message) => {
    await withServed({ agent: speaking() }, async ({ url }) => {
      const asked = capture(context({ env: { TWO: "s3cret\nX: y" } }), { url, ...asking, ...given });
      const error = await asked.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: expect.stringMatching(/^input\./),
        message: expect.stringMatching(message),
      });
      expect(String(error)).not.toContain("s3cret");
    });
  });

  it("authenticates out of the environment, and writes none of it down", async () => {
    const heard: unknown[] = [];
    const authenticate = (headers: { readonly [name: string]: unknown }) => {
      heard.push(headers["authorization"] ?? headers["x-api-key"]);
      return Promise.resolve({ id: "ann", scopes: ["*"] });
    };
    await withServed({ agent: speaking(), authenticate }, async ({ url }) => {
      const own = { env: { KEY: "s3cret" } };
      await capture(context(own), { url, ...asking, authEnv: "KEY", out: "a.ndjson" });
      await capture(context(own), { url, ...asking, authEnv: "X-Api-Key=KEY", out: "b.ndjson" });
    });
    expect(heard).toEqual(["Bearer s3cret", "s3cret"]);
    for (const name of ["a.ndjson", "b.ndjson"])
      expect(readFileSync(file(name), "utf8")).not.toContain("s3cret");
  });
});

describe("the token of this command", () => {
  it.each([
    ["TROUPE_TOKEN", () => ({ TROUPE_TOKEN: "s3cret" })],
    [
      "TROUPE_TOKEN_FILE",
      () => {
        writeFileSync(file("token"), "s3cret\n");
        return { TROUPE_TOKEN_FILE: file("token") };
      },
    ],
  ])("is shown where --auth-env TROUPE_TOKEN says so, from %s", async (_name, env) => {
    const heard: unknown[] = [];
    const authenticate = (headers: { readonly [name: string]: unknown }) => {
      heard.push(headers["authorization"]);
      return Promise.resolve({ id: "ann", scopes: ["*"] });
    };
    await withServed({ agent: speaking(), authenticate }, ({ url }) =>
      capture(context(takeToken(env(), undefined)), { url, ...asking, authEnv: "TROUPE_TOKEN" }),
    );
    expect(heard).toEqual(["Bearer s3cret"]);
  });
});

describe("trace", () => {
  it("of a file tells what the trace of the question told", async () => {
    await withServed({ agent: speaking() }, async ({ url }) => {
      expect(await trace(context(), { source: url, ...asking, out: "a.ndjson", json: true })).toBe(0);
    });
    const asked = JSON.parse(out) as object;
    out = "";
    expect(await trace(context(), { source: "a.ndjson", ...flags, json: true })).toBe(0);
    expect(JSON.parse(out)).toEqual(asked);
    out = "";
    await trace(context(), { source: "a.ndjson", ...flags, json: false });
    for (const word of [
      "first answer token",
      "longest silence",
      "streamed gradually",
      "final_result",
      "end: completed",
    ])
      expect(out).toContain(word);
  });

  it.each([
    ["that is not there", undefined, "input.not-found", /no file/],
    ["that is empty", "", "input.invalid", /is empty/],
    ["of anything else", "# Notes\n", "input.invalid", /is no capture/],
    ["of bytes", "\u0000\uFFFD\n\n", "input.invalid", /is no capture/],
    ["of a later form", '{"v":2,"kind":"a2a-capture"}\n', "input.invalid", /is no capture/],
  ])("refuses a file %s", async (_, text, code, message) => {
    if (text !== undefined) writeFileSync(file("x"), text);
    const error = expect.stringMatching(message) as unknown;
    await expect(trace(context(), { source: "x", ...flags, json: false })).rejects.toMatchObject({
      code,
      message: error,
    });
  });

  it("shows what can be read of a file, and says what cannot", async () => {
    const said = { message: { messageId: "m", parts: [{ text: "hi\u2028there" }] } };
    const event = JSON.stringify({ t: 5, raw: JSON.stringify(said), bytes: 9 });
    writeFileSync(file("x"), `${event}\n{broken}\n\n{"t":9,"ra`);
    expect(await trace(context(), { source: "x", ...flags, json: true })).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ of: null, events: 1, answer: { text: "hi\u2028there" } });
    expect(err).toMatch(/has lost its first line/);
    expect(err).toMatch(/2 lines of "x" cannot be read and are left out: 2, 4\./);
    expect(err).toMatch(/the capture was cut off/);
  });

  it("obeys nothing of what an agent says", async () => {
    const name = "\u001b]0;owned\u0007\nfirst answer token";
    const plain = await servePlainAgent(artifactExecutor([{ artifactId: "\u001b[2J", text: "x", name }]), {
      name,
    });
    try {
      await trace(context(), { source: plain.url, ...asking, json: false });
    } finally {
      await plain.close();
    }
    // A capture may be anybody's, too.
    const header = { v: 1, kind: "a2a-capture", protocol: "1.0\u001b[2J", agent: name, url: "\u001b" };
    writeFileSync(file("x.ndjson"), JSON.stringify(header));
    await trace(context(), { source: "x.ndjson", ...flags, json: false });
    for (const control of ["\u001b", "\u0007"]) expect(out).not.toContain(control);
    expect(out).not.toMatch(/^first answer token/m);
  });

  it.each([
    [{ source: "http://127.0.0.1:1" }, /Say what to ask: troupe trace URL/],
    [{ source: "a.ndjson", question: "x" }, /is taken for a file, in which the question stands already/],
  ])("refuses %j", async (given, message) => {
    const error = expect.stringMatching(message) as unknown;
    await expect(trace(context(), { ...flags, json: false, ...given })).rejects.toMatchObject({
      code: "input.invalid",
      message: error,
    });
  });
});

describe("compare", () => {
  it.each([
    ["as they were printed", (printed: string) => printed],
    ["set over lines", (printed: string) => JSON.stringify(JSON.parse(printed), undefined, 2)],
  ])("puts captures and traces side by side, %s", async (_, laidOut) => {
    await withServed({ agent: speaking() }, async ({ url }) => {
      await capture(context(), { url, ...asking, out: "a.ndjson" });
      out = "";
      await trace(context(), { source: url, ...asking, json: true });
      writeFileSync(file("b.json"), laidOut(out));
    });
    out = "";
    expect(await compare(context(), { a: "a.ndjson", b: "b.json", json: false })).toBe(0);
    expect(out).toMatch(/a\.ndjson +b\.json +difference +ratio/);
    expect(out).toContain("both ended completed\n  the answers are equal\n");
    out = "";
    await compare(context(), { a: "a.ndjson", b: "b.json", json: true });
    expect(JSON.parse(out)).toMatchObject({ answersEqual: true, outcomes: ["completed", "completed"] });
  });

  it("refuses what is neither", async () => {
    writeFileSync(file("a"), '{"v":1,"kind":"a2a-trace"}');
    await expect(compare(context(), { a: "a", b: "a", json: false })).rejects.toMatchObject({
      code: "input.invalid",
    });
  });
});
