import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { discoverApps } from "./discover.ts";
import { restartDelayMs, startServers, type Servers } from "./supervisor.ts";

let root = "";
let servers: Servers | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-apps-"));
});
afterEach(async () => {
  await servers?.stop();
  servers = undefined;
  rmSync(root, { recursive: true, force: true });
});

const LISTENS = `
  const http = require("node:http");
  const { appendFileSync } = require("node:fs");
  const { join } = require("node:path");
  const server = http.createServer((_, res) => res.end(JSON.stringify(process.env)));
  server.on("error", (e) => { process.send({ ready: false, message: "port is taken: " + e.code, portTaken: e.code === "EADDRINUSE" }); process.exit(1); });
  server.listen(Number(process.env.TROUPE_PORT), "127.0.0.1", () => {
    appendFileSync(join(process.env.TROUPE_HOME, "starts.txt"), __dirname.split("/").at(-2) + "\\n");
    console.log("hello from the log");
    process.send({ ready: true, url: "http://127.0.0.1:" + process.env.TROUPE_PORT });
  });
  process.on("SIGTERM", () => process.exit(0));
  process.on("disconnect", () => process.exit(0));`;

function app(name: string, troupe: object, script = LISTENS): void {
  mkdirSync(join(root, name, "dist"), { recursive: true });
  writeFileSync(join(root, name, "package.json"), JSON.stringify({ name, troupe }));
  writeFileSync(join(root, name, "dist", "main.js"), script);
}

const lines: string[] = [];
async function start(ports: "free" | "declared" = "free", clock: Clock = systemClock): Promise<Servers> {
  lines.length = 0;
  servers = await startServers({
    apps: discoverApps(root),
    ports,
    home: root,
    env: { PATH: process.env["PATH"], SECRET: "handed on" },
    secrets: ["hunter-two"],
    onLine: (name, line) => lines.push(`${name}: ${line}`),
    onState: (name, state) =>
      lines.push(
        state.status === "up"
          ? `${name} is up again`
          : state.status === "stopped"
            ? `${name} is left out: ${state.reason}`
            : `${name} restarts in ${state.inMs} ms: ${state.reason}`,
      ),
    clock,
    log: silentLog,
  });
  return servers;
}

describe("discoverApps", () => {
  it("finds what declares a kind and passes over the rest", () => {
    app("one", { kind: "agent", port: 4001 });
    mkdirSync(join(root, "plain"));
    writeFileSync(join(root, "plain", "package.json"), "{}");
    expect(discoverApps(root).map(({ name, kind, uses }) => ({ name, kind, uses }))).toEqual([
      { name: "one", kind: "agent", uses: [] },
    ]);
  });

  it("leaves out what cannot be used and names its file", () => {
    app("fine", { kind: "agent", port: 4000 });
    app("robot", { kind: "robot", port: 4001 });
    app("torn", { kind: "agent", port: 4002 });
    writeFileSync(join(root, "torn", "package.json"), "{");
    const said: string[] = [];
    expect(discoverApps(root, (message) => said.push(message)).map(({ name }) => name)).toEqual(["fine"]);
    expect(said).toEqual([
      expect.stringMatching(/robot\/package\.json" has a "troupe" entry that cannot be used: kind: /),
      expect.stringMatching(/torn\/package\.json" cannot be read: .*JSON/),
    ]);
  });
});

describe("startServers", () => {
  it("starts every app as a process of its own and tells each where the others are", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 });
    app("tools", { kind: "mcp", port: 4002 });
    const running = await start();
    const { orchestratorUrl, urls } = running;
    const env = (await (await fetch(orchestratorUrl)).json()) as Record<string, string>;
    expect(JSON.parse(env["TROUPE_AGENTS"] ?? "")).toEqual([urls.get("helper")]);
    expect(JSON.parse(env["TROUPE_MCP_SERVERS"] ?? "")).toEqual({ tools: `${urls.get("tools")}/mcp` });
    expect(env["SECRET"]).toBe("handed on");
    expect(new Set(running.pids().values()).size).toBe(3);
    expect(lines).toContain("helper: hello from the log");
  });

  it("stops all when the orchestrator cannot start, and says why", async () => {
    app("helper", { kind: "agent", port: 4001 });
    app(
      "boss",
      { kind: "orchestrator", port: 4000 },
      'process.send({ ready: false, message: "no such model" }, () => process.exit(1))',
    );
    await expect(start()).rejects.toThrow("boss did not start: no such model");
  });

  it("goes on without an agent that cannot start, says why, and tries it again", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 });
    app("broken", { kind: "agent", port: 4002 }, 'require("no-such-package")');
    const { urls } = await start();
    expect([...urls.keys()]).toEqual(["boss", "helper"]);
    expect(lines.find((line) => line.startsWith("broken restarts"))).toMatch(
      /^broken restarts in 0 ms: broken did not start: Error: Cannot find module 'no-such-package'.*\(broken ended with code 1\)$/,
    );
  });

  it("starts on other ports when one was lost to somebody else before its app had it", async () => {
    const taken = JSON.stringify(join(root, "taken"));
    // The first time, the orchestrator itself has the agent's port by the time the agent wants it.
    const thief = `
      const { existsSync, writeFileSync } = require("node:fs");
      if (!existsSync(${taken})) {
        const [agent] = JSON.parse(process.env.TROUPE_AGENTS);
        require("node:http").createServer().listen(Number(new URL(agent).port), "127.0.0.1", () =>
          writeFileSync(${taken}, agent));
      }
      ${LISTENS}`;
    const late = `
      const { existsSync, watch } = require("node:fs");
      const watcher = watch(${JSON.stringify(root)}, look);
      look();
      function look() {
        if (!existsSync(${taken})) return;
        watcher.close();
        begin();
      }
      function begin() {${LISTENS}}`;
    app("boss", { kind: "orchestrator", port: 4000 }, thief);
    app("helper", { kind: "agent", port: 4001 }, late);
    const { orchestratorUrl, urls } = await start();
    expect(lines.filter((line) => line.includes("left out"))).toEqual([]);
    expect(urls.get("helper")).not.toBe(readFileSync(join(root, "taken"), "utf8"));
    const env = (await (await fetch(orchestratorUrl)).json()) as Record<string, string>;
    expect(JSON.parse(env["TROUPE_AGENTS"] ?? "")).toEqual([urls.get("helper")]);
    expect((await fetch(urls.get("helper") ?? "")).ok).toBe(true);
  });

  it("keeps secrets out of every line and reason, whoever prints them and however", async () => {
    app(
      "boss",
      { kind: "orchestrator", port: 4000 },
      `console.log("key hunter-two"); console.error("Bearer abcdefghijkl"); ${LISTENS}`,
    );
    app("crashes", { kind: "agent", port: 4001 }, 'throw new Error("cannot log in with hunter-two")');
    const refusal = '{ ready: false, message: "not let in with hunter-two" }';
    app("refused", { kind: "agent", port: 4002 }, `process.send(${refusal}, () => process.exit(1))`);
    await start();
    await expect.poll(() => lines).toEqual(expect.arrayContaining(["boss: key ***", "boss: Bearer ***"]));
    expect(lines.filter((line) => line.includes("restarts in 0 ms"))).toEqual([
      expect.stringContaining("cannot log in with ***"),
      expect.stringContaining("not let in with ***"),
    ]);
    expect(lines.join()).not.toMatch(/hunter-two|abcdefghijkl/);
  });

  it("shows the last line of one that dies without an error", async () => {
    app("boss", { kind: "orchestrator", port: 4000 }, 'console.error("out of luck"); process.exit(3)');
    await expect(start()).rejects.toThrow("boss did not start: out of luck (boss ended with code 3)");
  });

  it("names both of two that declare the same port", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 });
    app("copy", { kind: "agent", port: 4001 });
    await expect(start("declared")).rejects.toThrow(/"copy" and "helper" both declare port 4001/);
  });

  it("starts one that was killed again, on the same port", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 });
    const running = await start();
    const first = running.pids().get("helper") ?? 0;
    process.kill(first, "SIGKILL");
    const starts = (): number => readFileSync(join(root, "starts.txt"), "utf8").split("helper").length - 1;
    await expect.poll(starts, { timeout: 10_000 }).toBe(2);
    await expect.poll(() => running.pids().get("helper") ?? first, { timeout: 10_000 }).not.toBe(first);
    expect((await fetch(running.urls.get("helper") ?? "")).ok).toBe(true);
    expect(lines).toContain("helper restarts in 0 ms: helper ended by SIGKILL");
  });

  const NO_SETTINGS = `console.error(__dirname.split("/").at(-2) + ": Settings that cannot be used:\\n  TROUPE_LIMITS is no JSON"); process.exitCode = 78;`;

  it("says what is wrong with the settings where no agent can start for that", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 }, NO_SETTINGS);
    await expect(start()).rejects.toMatchObject({
      code: "input.invalid",
      message: "helper: Settings that cannot be used:\n  TROUPE_LIMITS is no JSON",
    });
  });

  it("leaves out the one agent whose settings are wrong", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("fine", { kind: "agent", port: 4001 });
    app("helper", { kind: "agent", port: 4002 }, NO_SETTINGS);
    await start();
    expect(lines).toContain(
      "helper is left out: helper: Settings that cannot be used:\n  TROUPE_LIMITS is no JSON",
    );
  });

  /** Records waits instead of waiting; time stands still, so nothing counts as stable. */
  const waitless = (): { readonly clock: Clock; readonly waits: readonly number[] } => {
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    return { clock: { ...systemClock, now: () => 0, sleep }, waits };
  };
  const killOf = (running: Servers, name: string): void =>
    void process.kill(running.pids().get(name) ?? 0, "SIGKILL");
  const startsOf = (name: string): number =>
    readFileSync(join(root, "starts.txt"), "utf8").split(name).length - 1;
  /** Kills a process and waits for the next one. */
  const killAndWait = async (running: Servers, name: string): Promise<void> => {
    const before = running.pids().get(name);
    killOf(running, name);
    await expect.poll(() => (running.pids().get(name) ?? before) !== before, { timeout: 20_000 }).toBe(true);
  };

  it("keeps restarting what is killed again and again, the orchestrator too, with growing delays", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 });
    const { clock, waits } = waitless();
    const running = await start("free", clock);
    for (let kills = 0; kills < 6; kills++) await killAndWait(running, "helper");
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    for (let kills = 0; kills < 5; kills++) await killAndWait(running, "boss");
    expect(waits.slice(5)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect([startsOf("helper"), startsOf("boss")]).toEqual([7, 6]);
    expect((await fetch(running.orchestratorUrl)).ok).toBe(true);
  });

  it("restarts at once what was up for a minute", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 });
    const { clock, waits } = waitless();
    let now = 0;
    const running = await start("free", { ...clock, now: () => now });
    await killAndWait(running, "helper");
    await killAndWait(running, "helper");
    now += 60_000;
    await killAndWait(running, "helper");
    expect(waits).toEqual([1_000]);
  });

  it("does not restart an agent whose settings became invalid, and says why", async () => {
    app("boss", { kind: "orchestrator", port: 4000 });
    app(
      "helper",
      { kind: "agent", port: 4001 },
      `if (require("node:fs").existsSync(${JSON.stringify(join(root, "invalid"))})) { ${NO_SETTINGS} process.exit(); } ${LISTENS}`,
    );
    const running = await start();
    writeFileSync(join(root, "invalid"), "");
    killOf(running, "helper");
    await expect
      .poll(() => lines, { timeout: 20_000 })
      .toContain("helper is left out: helper: Settings that cannot be used:\n  TROUPE_LIMITS is no JSON");
    expect(lines.filter((line) => line.startsWith("helper restarts"))).toHaveLength(1);
  });

  it("fails when the settings of the orchestrator became invalid", async () => {
    app(
      "boss",
      { kind: "orchestrator", port: 4000 },
      `if (require("node:fs").existsSync(${JSON.stringify(join(root, "invalid"))})) { ${NO_SETTINGS} process.exit(); } ${LISTENS}`,
    );
    const running = await start();
    writeFileSync(join(root, "invalid"), "");
    killOf(running, "boss");
    expect(await running.failed).toContain("TROUPE_LIMITS is no JSON");
  });

  it("tries again where a restart fails, and has it back once nothing stands in its way", async () => {
    const cramped = `
      const fs = require("node:fs"), { join: at } = require("node:path"), home = process.env.TROUPE_HOME;
      fs.appendFileSync(at(home, "tries.txt"), "x");
      const nth = fs.readFileSync(at(home, "tries.txt"), "utf8").length;
      if (nth > 1 && nth < 4) { process.send({ ready: false, message: "the disk is full" }, () => process.exit(1)); }
      else { ${LISTENS} }`;
    app("boss", { kind: "orchestrator", port: 4000 }, cramped);
    const running = await start("free", waitless().clock);
    await killAndWait(running, "boss");
    expect(lines.filter((line) => /^boss (restarts|is up)/.test(line))).toEqual([
      "boss restarts in 0 ms: boss ended by SIGKILL",
      "boss restarts in 1000 ms: boss did not start: the disk is full",
      "boss restarts in 2000 ms: boss did not start: the disk is full",
      "boss is up again",
    ]);
  });

  it("has one back whose first start failed, once nothing stands in its way", async () => {
    const cramped = `
      const fs = require("node:fs"), file = require("node:path").join(process.env.TROUPE_HOME, "tries.txt");
      fs.appendFileSync(file, "x");
      if (fs.readFileSync(file, "utf8").length < 4) process.send({ ready: false, message: "the disk is full" }, () => process.exit(1));
      else { ${LISTENS} }`;
    app("boss", { kind: "orchestrator", port: 4000 });
    app("helper", { kind: "agent", port: 4001 }, cramped);
    const running = await start("free", waitless().clock);
    expect(running.urls.has("helper")).toBe(false);
    await expect.poll(() => running.pids().has("helper"), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => lines).toContain("helper is up again");
    expect(lines.filter((line) => /^helper (restarts|is up)/.test(line))).toEqual([
      "helper restarts in 0 ms: helper did not start: the disk is full",
      "helper restarts in 1000 ms: helper did not start: the disk is full",
      "helper restarts in 2000 ms: helper did not start: the disk is full",
      "helper is up again",
    ]);
    expect((await fetch(running.addresses.get("helper") ?? "")).ok).toBe(true);
  });

  it("doubles the delay of a restart up to 30 s", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map(restartDelayMs)).toEqual([
      0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  it("names every declared port that is taken before it starts anything", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    app("boss", { kind: "orchestrator", port });
    await expect(start("declared")).rejects.toThrow(`Port ${port} (boss) already in use`);
    taken.close();
  });

  it("needs an orchestrator", async () => {
    app("helper", { kind: "agent", port: 4001 });
    await expect(start()).rejects.toThrow("No orchestrator is installed");
  });
});
