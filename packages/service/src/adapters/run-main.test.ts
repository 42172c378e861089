import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { AgentError, InputError } from "@troupe/core";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { setting } from "../config/setting.ts";
import { readConfigFile, readFlags, runMain, type HostProcess } from "./run-main.ts";

const PROGRAM = fileURLToPath(new URL("../testing/sample-main.ts", import.meta.url));
const FLAGS = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

let folder = "";
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-main-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** What it compiles is kept for the next, which changes nothing of what it does. */
const { NODE_COMPILE_CACHE } = process.env;

/** Starts the sample with nothing else in its environment but `env`, in an empty folder. */
function start(args: readonly string[], env: { readonly [name: string]: string } = {}, ipc = false) {
  const stdio: StdioOptions = ipc ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"];
  const child = spawn(process.execPath, [...FLAGS, PROGRAM, ...args], {
    cwd: folder,
    env: { NODE_COMPILE_CACHE, ...env },
    stdio,
  });
  children.push(child);
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  // Not "close": a parent that disconnects by itself does not get it.
  const read = [child.stdout, child.stderr].map((stream) => stream && once(stream, "end"));
  const ended = Promise.all([once(child, "exit"), ...read]).then(([[code, signal]]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    ...text,
  }));
  const listening = new Promise<string>((found, fail) => {
    child.stdout?.on("data", () => {
      const url = /^sample is ready at (\S+)\n/m.exec(text.stdout)?.[1];
      if (url !== undefined) found(url);
    });
    void ended.then((end) => fail(new Error(`it ended: ${JSON.stringify(end)}`)));
  });
  listening.catch(() => undefined);
  return {
    child,
    ended,
    listening,
    said: () => once(child, "message").then(([message]) => message as object),
  };
}

describe("runMain as a process", { timeout: 30_000 }, () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "says where it listens, and stops cleanly on %s",
    async (signal) => {
      const { child, ended, listening } = start([]);
      const url = await listening;
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      child.kill(signal);
      expect(await ended).toMatchObject({
        code: 0,
        signal: null,
        stdout: `sample is ready at ${url}\nclosed\n`,
      });
    },
  );

  it("logs what it is when it starts, and why it ends as its last line", async () => {
    const { child, ended, listening } = start([], { SAMPLE_KEY: "sesame-open" });
    const address = await listening;
    child.kill("SIGTERM");
    const { stderr } = await ended;
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ msg }) => msg === "started")).toMatchObject({
      pid: child.pid,
      version: expect.any(String),
      address,
      home: expect.any(String),
      node: process.version,
    });
    expect(lines.at(-1)).toMatchObject({ msg: "stopped", reason: "SIGTERM" });
    expect(stderr).not.toContain("sesame-open");
  });

  it("tells a parent over IPC instead, and stops when the parent is gone", async () => {
    const { child, ended, said } = start([], {}, true);
    expect(await said()).toEqual({ ready: true, url: expect.stringMatching(/^http:/) });
    child.disconnect();
    const end = await ended;
    expect(end).toMatchObject({ code: 0, stdout: "closed\n" });
    expect(end.stderr).toMatch(/"reason":"parent gone","msg":"stopped"\}\n$/);
  });

  it("exits with 1 and the reason when it cannot start, whatever it has open by then", async () => {
    const end = await start(["--does", "refuse"]).ended;
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/^sample: Port 7 is taken\.$/m);
    const supervised = start(["--does", "refuse"], {}, true);
    expect(await supervised.said()).toEqual({ ready: false, message: "Port 7 is taken.", portTaken: true });
    expect((await supervised.ended).code).toBe(1);
  });

  it("keeps internals to its log, and secrets out of that", async () => {
    const { ended, said } = start(["--does", "break"], { SAMPLE_KEY: "sesame-open" }, true);
    const message = "could not start; see the log line above.";
    expect(await said()).toEqual({ ready: false, message, portTaken: false });
    const end = await ended;
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("internals with ***");
    expect(end.stderr).not.toContain("sesame-open");
  });

  it("exits with 78 when its settings cannot be used, naming each", async () => {
    const end = await start(["--does", "dance"], { SAMPLE_KEY: "short" }).ended;
    expect(end).toMatchObject({ code: 78, stdout: "" });
    expect(end.stderr).toMatch(/does \(SAMPLE_DOES\): "dance"/);
    expect(end.stderr).toMatch(/key \(SAMPLE_KEY\): the secret given/);
    expect((await start(["--dose", "serve"]).ended).stderr).toMatch(/--dose.*Flags: --home, .*--does/s);
  });

  it.each(["crash", "reject"])(
    "logs an error nobody caught, scrubbed, and exits with 1: %s",
    async (does) => {
      const end = await start(["--does", does], { SAMPLE_KEY: "sesame-open" }).ended;
      expect(end.code).toBe(1);
      const lines = end.stderr.trimEnd().split("\n");
      expect(lines.at(-1)).toBe("sample: ended by an unexpected error; see the log line above.");
      expect(JSON.parse(lines.at(-2) ?? "")).toMatchObject({ msg: "stopped", reason: "fatal error" });
      expect(JSON.parse(lines.at(-3) ?? "")).toMatchObject({
        msg: "broke",
        err: { message: "internals with ***" },
      });
      // Nothing of what Node itself prints.
      expect(lines.filter((line) => !line.startsWith("{"))).toHaveLength(1);
      expect(end.stderr).not.toContain("sesame-open");
    },
  );

  it("exits with 1 when it could not stop cleanly", async () => {
    const { child, ended, listening } = start(["--does", "stick"]);
    await listening;
    child.kill("SIGTERM");
    const end = await ended;
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("did not stop cleanly");
  });
});

/** A process of which a test sees what it says and what it ends with. */
function hostProcess(parent = false) {
  const events = new EventEmitter();
  const said: (string | object)[] = [];
  const ended = Promise.withResolvers<number>();
  const write = (text: string, done?: () => void): void => {
    said.push(text);
    done?.();
  };
  const host: HostProcess = {
    connected: parent,
    send: parent ? (message, _handle, _options, done) => (said.push(message), done()) : undefined,
    stdout: { write },
    stderr: { write },
    once: (event: string, listener: (error: unknown) => void) => events.once(event, listener),
    exit: ended.resolve,
  };
  return { host, said, ended: ended.promise, emit: (event: string) => events.emit(event) };
}

describe("runMain", () => {
  const schema = z.object({
    port: setting(z.coerce.number().default(0), { env: "P" }),
    log_level: z.literal("silent").default("silent"),
  });
  const main = { name: "x", schema, env: {}, argv: [] };
  const url = "http://127.0.0.1:1";

  it.each(["--help", "-h"])(
    "says what it can be told when asked with %s, and starts nothing",
    async (flag) => {
      const { host, said, ended } = hostProcess();
      const settings = z.object({
        port: setting(z.coerce.number().default(7), {
          env: "P",
          flag: "port",
          description: "Where to listen",
        }),
        key: setting(z.string().optional(), { env: "KEY", secret: true, description: "Opens" }),
        stdio: setting(z.boolean().default(false), { flag: "stdio", isSwitch: true, description: "Pipes" }),
      });
      const start = () => Promise.reject(new Error("it was started"));
      await runMain(
        { ...main, schema: settings, start, env: { P: "ninety" }, argv: ["--port", "9", flag] },
        host,
      );
      expect(await ended).toBe(0);
      expect(said).toEqual([
        expect.stringMatching(
          /^x is started .*\n\n  --port VALUE, P  Where to listen \[7\]\n  --stdio          Pipes \[false\]\n  KEY              Opens\n\n/,
        ),
      ]);
    },
  );

  it("starts nothing with settings that cannot be used", async () => {
    const { host, said, ended } = hostProcess();
    const start = () => Promise.reject(new Error("it was started"));
    await runMain({ ...main, start, env: { P: "ninety" } }, host);
    expect(await ended).toBe(78);
    expect(said).toEqual([expect.stringMatching(/^x: .*port \(P\): "ninety"/s)]);
  });

  it("closes once, however many signals come", async () => {
    const { host, said, ended, emit } = hostProcess();
    let closed = 0;
    const close = async (): Promise<void> => void closed++;
    await runMain({ ...main, start: () => Promise.resolve({ url, close }) }, host);
    for (const signal of ["SIGINT", "SIGTERM", "SIGTERM"]) emit(signal);
    expect(await ended).toBe(0);
    expect(closed).toBe(1);
    expect(said).toEqual([`x is ready at ${url}\n`]);
  });

  it("stops at once when the parent went away while it started", async () => {
    const { host, ended, said } = hostProcess(true);
    const gone = { ...host, connected: false };
    await runMain({ ...main, start: () => Promise.resolve({ url, close: () => Promise.resolve() }) }, gone);
    expect(await ended).toBe(0);
    expect(said).toEqual([{ ready: true, url }]);
  });

  it("tells the reason, not internals, when it does not start or stop", async () => {
    const first = hostProcess(true);
    await runMain({ ...main, start: () => Promise.reject(new Error("internals")) }, first.host);
    expect(await first.ended).toBe(1);
    expect(first.said).toEqual([
      { ready: false, message: "could not start; see the log line above.", portTaken: false },
    ]);
    const second = hostProcess();
    const cause = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    const start = () => Promise.reject(new InputError("input.invalid", "Port 7 is taken.", { cause }));
    await runMain({ ...main, start }, second.host);
    expect(await second.ended).toBe(1);
    expect(second.said).toEqual(["x: Port 7 is taken.\n"]);
    const third = hostProcess();
    const close = () => Promise.reject(new Error("stuck"));
    await runMain({ ...main, start: () => Promise.resolve({ url, close }) }, third.host);
    third.emit("SIGTERM");
    expect(await third.ended).toBe(1);
  });

  it.each([
    new InputError("input.invalid", "TROUPE_A goes with TROUPE_B."),
    new AgentError("agent.config", "A limit in dollars needs a price."),
  ])(
    "exits with 78 for settings that do not go together, and says so to people and to a parent: $message",
    async (conflict) => {
      for (const parent of [false, true]) {
        const { host, said, ended } = hostProcess(parent);
        await runMain({ ...main, start: () => Promise.reject(conflict) }, host);
        expect(await ended).toBe(78);
        const { message } = conflict;
        const told = parent ? [{ ready: false, message, portTaken: false }] : [];
        expect(said).toEqual([...told, `x: ${message}\n`]);
      }
    },
  );

  it.each([
    ["ends", () => Promise.resolve()],
    ["breaks off", () => Promise.reject(new Error("EPIPE"))],
  ])("keeps stdout to the protocol over stdio, and closes when that %s", async (_how, serve) => {
    const { host, said, ended } = hostProcess();
    let closed = false;
    const close = async (): Promise<void> => void (closed = true);
    await runMain({ ...main, start: () => Promise.resolve({ url: "stdio:", ended: serve(), close }) }, host);
    expect(await ended).toBe(0);
    expect(closed).toBe(true);
    expect(said).toEqual([]);
  });
});

describe("names that are no settings", { timeout: 30_000 }, () => {
  it("are logged as warnings where another server may know them", async () => {
    writeFileSync(join(folder, "troupe.config.json"), '{"log_levle":"debug"}');
    const { child, ended, listening } = start([], { TROUPE_HOEM: "x" });
    await listening;
    child.kill("SIGTERM");
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain("TROUPE_HOEM has no effect");
    expect(stderr).toContain('unknown key \\"log_levle\\". Did you mean \\"log_level\\"?');
  });

  it("end the process with 78 under its own name", async () => {
    writeFileSync(join(folder, "troupe.config.json"), '{"sample":{"hostt":"127.0.0.1"}}');
    const { code, stderr } = await start([]).ended;
    expect(code).toBe(78);
    expect(stderr).toContain('"hostt" under "sample": sample has no such setting. Did you mean "host"?');
  });
});

describe("readFlags", () => {
  const schema = z.object({
    host: setting(z.string(), { flag: "host" }),
    stdio: setting(z.boolean(), { flag: "stdio", isSwitch: true }),
    other: z.string(),
  });

  it("knows the flags of the schema", () => {
    expect(readFlags(schema, ["--stdio", "--host", "x"])).toEqual({ stdio: true, host: "x" });
  });

  it("lists them when one is unknown", () => {
    expect(() => readFlags(schema, ["--hots", "x"])).toThrow(/--hots.*Flags: --host, --stdio\./s);
  });
});

describe("readConfigFile", () => {
  const write = (text: string): string => {
    const path = join(folder, "troupe.config.json");
    writeFileSync(path, text);
    return path;
  };

  it("prefers what stands under the process's own name", () => {
    const path = write('{"log_level":"warn","port":1,"rag-mcp":{"port":2}}');
    expect(readConfigFile(path, "rag-mcp")).toMatchObject({ log_level: "warn", port: 2 });
    expect(readConfigFile(path, "ppt-mcp")).toMatchObject({ log_level: "warn", port: 1 });
  });

  it("is empty without a file, and names one that cannot be used", () => {
    expect(readConfigFile(join(folder, "none.json"), "x")).toEqual({});
    expect(() => readConfigFile(write("{"), "x")).toThrow(/troupe\.config\.json" is not JSON/);
    expect(() => readConfigFile(write("[1]"), "x")).toThrow(/must hold one JSON object/);
  });
});
