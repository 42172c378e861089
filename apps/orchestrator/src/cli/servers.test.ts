import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { agentEventSchema } from "@troupe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isAlive } from "../testing/processes.ts";
import { startShop, type Shop } from "../testing/shop.ts";
import { cleanUp, runTroupe, type Finished } from "../testing/troupe.ts";

const STARTING = /^Starting 7 servers \.\.\.\n/;
const NO_KEY = /^No model key is set: .*playbook.* fixed rules .*ANTHROPIC_API_KEY.*\n/;

/** One set of servers, from start to stop and after: each test goes on where the one before left off. */
describe("troupe up", { timeout: 60_000 }, () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  }, 60_000);
  afterAll(cleanUp);
  const addressOf = (name: string): string =>
    new RegExp(` ${name}=(http://[\\d.:]+)`).exec(shop.up.stdout)?.[1] ?? "none";

  it("prints one ready line with the address of every server", async () => {
    const [line, rest] = shop.up.stdout.split("\n");
    expect(rest).toBe("");
    const names = [...(line ?? "").matchAll(/(\S+)=http:\/\/127\.0\.0\.1:\d+/g)].map(([, name]) => name);
    expect(shop.up.stderr).toMatch(STARTING);
    expect(names).toEqual(expect.arrayContaining(["data-agent", "data-mcp", "ppt-agent", "ppt-mcp"]));
    expect(shop.up.children()).toHaveLength(names.length + 1);
    expect((await fetch(`${shop.url}/.well-known/agent-card.json`)).ok).toBe(true);
  });

  it("refuses a second owner of the same home and names the first", async () => {
    const second = await runTroupe(["up", "--free-ports"], shop.options);
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toContain(`"${shop.home}" is already served at ${shop.url}`);
  });

  it("lists the servers that are up for the doctor", async () => {
    const doctor = await runTroupe(["doctor"], shop.options);
    for (const name of ["data-agent", "data-mcp", "rag-agent"])
      expect(doctor.stdout).toContain(`ok  ${name.padEnd(14)} up at ${addressOf(name)}`);
  });

  it("shows its agents", async () => {
    const agents = await runTroupe(["agents"], shop.options);
    expect(agents.code).toBe(0);
    expect(agents.stdout).toMatch(/^data-agent +up +http:/m);
  });

  it("runs a task for another process, every line of --json valid, the result last", async () => {
    const run = await runTroupe(
      ["run", "Show revenue by region", "--collection", "shop", "--json"],
      shop.options,
    );
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(NO_KEY) });
    expect(run.stderr.replace(NO_KEY, "")).toBe("");
    const lines = run.stdout.trimEnd().split("\n");
    const result = JSON.parse(lines.pop() ?? "") as Record<string, unknown>;
    const events = lines.map((line) => agentEventSchema.parse(JSON.parse(line)));
    expect(events[0]?.type).toBe("plan-update");
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    expect(result).toEqual({
      type: "result",
      v: 1,
      runId: events[0]?.runId,
      outcome: "completed",
      answer: expect.stringContaining("North"),
      steps: [
        {
          id: "answer",
          agent: "data-agent",
          outcome: "completed",
          ms: expect.any(Number),
          usage: expect.objectContaining({ inputTokens: expect.any(Number), modelCalls: expect.any(Number) }),
        },
      ],
      citations: [],
      tables: [],
      artifacts: [expect.objectContaining({ name: "Revenue by region.svg", mediaType: "image/svg+xml" })],
      checks: expect.arrayContaining([{ sentence: "| North | 240 |", status: "verified" }]),
    });
  });

  it("keeps answer and progress apart, without escape codes where nobody looks", async () => {
    const args = ["run", "Show revenue by region", "--collection", "shop"];
    const run = await runTroupe(args, { ...shop.options, env: { NO_COLOR: "1", FORCE_COLOR: "1" } });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("240");
    expect(run.stdout).not.toContain("[chart-");
    expect(run.stderr).toMatch(/^\[answer\] completed$/m);
    // eslint-disable-next-line no-control-regex
    expect(run.stdout + run.stderr).not.toMatch(/\u001b/);
    const colored = await runTroupe(args, { ...shop.options, env: { FORCE_COLOR: "1" } });
    // eslint-disable-next-line no-control-regex
    expect(colored.stderr).toMatch(/\u001b\[/);
  });

  it("says that they work without a key, whatever this shell has, and not with -q", async () => {
    expect(shop.up.stderr.replace(STARTING, "")).toMatch(NO_KEY);
    const args = ["run", "Show revenue by region", "--collection", "shop"];
    const env = { ANTHROPIC_API_KEY: "sk-ant-of-this-shell" };
    expect((await runTroupe(args, { ...shop.options, env })).stderr).toMatch(NO_KEY);
    const doctor = await runTroupe(["doctor", "--settings"], { ...shop.options, env });
    expect(doctor.stdout).toMatch(/^Settings of this shell; running servers keep/m);
    expect(doctor.stdout).toMatch(/^ {2}ok {2}model +No model key is set/m);
    const quiet = await runTroupe([...args, "-q"], shop.options);
    expect(quiet.code).toBe(0);
    expect(quiet.stderr).toBe("");
  });

  it("names an agent that a workflow asks for and nobody is", async () => {
    const file = join(shop.folder, "typo.yaml");
    writeFileSync(
      file,
      "version: 1\nname: Typo\nsteps:\n  - { id: one, agent: data-agnet, instruction: x }\n",
    );
    const run = await runTroupe(["run", "--workflow", file], shop.options);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/step "one" \(unknown-agent\): .*data-agent/);
  });

  it("names the collections there are when it is asked for another one", async () => {
    const run = await runTroupe(["run", "Show revenue by region", "--collection", "shpo"], shop.options);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/There is no collection "shpo"\. Known collections: "shop"\. /);
  });

  it("ends with 4 where a person is asked and nobody can be", async () => {
    const run = await runTroupe(shop.askFirst, shop.options);
    expect(run).toMatchObject({ code: 4, stdout: "" });
    expect(run.stderr).toContain("Before the work starts");
    expect(run.stderr).toContain("--input audience=...");
  });

  it("saves the files of a run, and keeps the answer when they cannot be saved", async () => {
    const file = join(shop.folder, "deck.yaml");
    writeFileSync(
      file,
      `version: 1
name: Deck
steps:
  - { id: figures, agent: data-agent, instruction: Show revenue by region. }
  - { id: deck, agent: ppt-agent, instruction: Make a presentation of the figures. }
`,
    );
    const args = ["run", "--workflow", file, "--collection", "shop", "--json", "--out"];
    const resultOf = ({ stdout }: Finished) =>
      JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
        readonly outcome: string;
        readonly answer: string;
        readonly artifacts: readonly { readonly path: string; readonly bytes: number }[];
      };
    const good = await runTroupe([...args, "made"], shop.options);
    expect(good.code).toBe(0);
    const deck = resultOf(good).artifacts.find(({ path }) => path.endsWith(".pptx"));
    expect(deck?.path).toBe(join(shop.folder, "made", basename(deck?.path ?? "")));
    expect(statSync(deck?.path ?? "").size).toBe(deck?.bytes);
    const bad = await runTroupe([...args, join("sales.csv", "made")], shop.options);
    expect(bad.code).toBe(3);
    expect(resultOf(bad)).toMatchObject({
      outcome: "partial",
      answer: resultOf(good).answer,
      tables: [],
      artifacts: [],
      error: { code: "store.io" },
    });
    const [, kept] = /Choose another folder with --out[^]* is kept as (.*)\n/.exec(bad.stderr) ?? [];
    expect(statSync(kept ?? "").size).toBeGreaterThan(10_000);
  });

  const shown = async () => {
    const runs = await runTroupe(["runs", "--json"], shop.options);
    return JSON.parse(runs.stdout) as { runId: string; status: string; objective: string }[];
  };

  it("shows what ran, and shows the same after it has stopped with all it had started", async () => {
    const before = await shown();
    expect(
      before.filter((run) => run.objective === "Show revenue by region").map((run) => run.status),
    ).toEqual(Array.from({ length: 5 }, () => "completed"));
    expect(before.map((run) => run.status)).toContain("input-required");
    const children = shop.up.children();
    shop.up.kill("SIGTERM");
    const end = await shop.up.finished;
    expect([end.code, end.stderr.replace(STARTING, "").replace(NO_KEY, "")]).toEqual([0, ""]);
    expect(children.filter(({ pid, command }) => isAlive(pid, command))).toEqual([]);
    expect(await shown()).toEqual(before);
    expect(() => readFileSync(join(shop.home, "run", "owner.json"))).toThrow("ENOENT");
  });
});
