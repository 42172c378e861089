import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { agentEventSchema } from "@troupe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isAlive } from "../testing/processes.ts";
import {
  cleanUp,
  runTroupe,
  startTroupe,
  temporaryFolder,
  type Finished,
  type Troupe,
} from "../testing/troupe.ts";

const SALES = `region,product,revenue
North,Probe,100
North,Buoy,140
South,Probe,90
South,Buoy,70
`;

const NO_KEY = /^No model key is set: .*playbook.* fixed rules .*ANTHROPIC_API_KEY.*\n/;

const ASK_FIRST = `version: 1
name: Ask first
mode: parallel
steps:
  - id: audience
    kind: human
    instruction: Who is it for?
    form:
      title: Before the work starts
      fields:
        - { field_name: audience, field_label: Who is it for?, field_type: select, field_values: [Board, Staff] }
  - { id: figures, agent: data-agent, instruction: Show revenue by region., depends_on: [audience] }
`;

/** One set of servers, from start to stop and after: each test goes on where the one before left off. */
describe("troupe up", { timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const options = { home };
  let up: Troupe;
  let url = "";
  beforeAll(async () => {
    const sales = join(folder, "sales.csv");
    writeFileSync(sales, SALES);
    writeFileSync(join(folder, "ask.yaml"), ASK_FIRST);
    const [ingested] = await Promise.all([
      runTroupe(["ingest", sales, "--collection", "shop"], options),
      (async () => {
        up = startTroupe(["up", "--free-ports"], options);
        url = (await up.waitFor("stdout", /^ready (http:\S+) .*\n/))[1] ?? "";
      })(),
    ]);
    if (!ingested.stdout.includes("4 rows")) throw new Error(ingested.stderr);
  }, 60_000);
  afterAll(cleanUp);
  const addressOf = (name: string): string =>
    new RegExp(` ${name}=(http://[\\d.:]+)`).exec(up.stdout)?.[1] ?? "none";

  it("prints one ready line with the address of every server", async () => {
    const [line, rest] = up.stdout.split("\n");
    expect(rest).toBe("");
    const names = [...(line ?? "").matchAll(/(\S+)=http:\/\/127\.0\.0\.1:\d+/g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(["data-agent", "data-mcp", "ppt-agent", "ppt-mcp"]));
    expect(up.children()).toHaveLength(names.length + 1);
    expect((await fetch(`${url}/.well-known/agent-card.json`)).ok).toBe(true);
  });

  it("refuses a second owner of the same home and names the first", async () => {
    const second = await runTroupe(["up", "--free-ports"], options);
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toContain(`"${home}" is already served at ${url}`);
  });

  it("lists the servers that are up for the doctor", async () => {
    const doctor = await runTroupe(["doctor"], options);
    for (const name of ["data-agent", "data-mcp", "rag-agent"])
      expect(doctor.stdout).toContain(`ok  ${name.padEnd(14)} up at ${addressOf(name)}`);
  });

  it("says what to type as the command was called", async () => {
    const env = { npm_lifecycle_event: "troupe", npm_package_name: "troupe" };
    const args = ["run", "--workflow", join(folder, "ask.yaml"), "--collection", "shop"];
    const asked = await runTroupe(args, { home, env });
    expect(asked.stderr).toMatch(
      /^ {2}npm run --silent troupe -- answer \S+ audience --input audience=\.\.\.$/m,
    );
    const [, id = ""] = /npm run --silent troupe -- cancel (\S+)/.exec(asked.stderr) ?? [];
    expect(await runTroupe(["cancel", id], options)).toMatchObject({ code: 0 });
  });

  it("shows its agents", async () => {
    const agents = await runTroupe(["agents"], options);
    expect(agents.code).toBe(0);
    expect(agents.stdout).toMatch(/^data-agent +up +http:/m);
  });

  it("runs a task for another process, every line of --json valid, the result last", async () => {
    const run = await runTroupe(["run", "Show revenue by region", "--collection", "shop", "--json"], options);
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
      artifacts: [],
    });
  });

  it("keeps answer and progress apart, without escape codes where nobody looks", async () => {
    const args = ["run", "Show revenue by region", "--collection", "shop"];
    const run = await runTroupe(args, { home, env: { NO_COLOR: "1", FORCE_COLOR: "1" } });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("240");
    expect(run.stdout).not.toContain("[chart-");
    expect(run.stderr).toMatch(/^\[answer\] completed$/m);
    // eslint-disable-next-line no-control-regex
    expect(run.stdout + run.stderr).not.toMatch(/\u001b/);
    const colored = await runTroupe(args, { home, env: { FORCE_COLOR: "1" } });
    // eslint-disable-next-line no-control-regex
    expect(colored.stderr).toMatch(/\u001b\[/);
  });

  it("says that they work without a key, whatever this shell has, and not with -q", async () => {
    expect(up.stderr).toMatch(NO_KEY);
    const args = ["run", "Show revenue by region", "--collection", "shop"];
    const env = { ANTHROPIC_API_KEY: "sk-ant-of-this-shell" };
    expect((await runTroupe(args, { home, env })).stderr).toMatch(NO_KEY);
    const doctor = await runTroupe(["doctor"], { home, env });
    expect(doctor.stdout).toMatch(/^Settings of this shell; servers that are up keep/);
    expect(doctor.stdout).toMatch(/^ {2}ok {2}model +No model key is set/m);
    const quiet = await runTroupe([...args, "-q"], options);
    expect(quiet.code).toBe(0);
    expect(quiet.stderr).toBe("");
  });

  it("names an agent that a workflow asks for and nobody is", async () => {
    const file = join(folder, "typo.yaml");
    writeFileSync(
      file,
      "version: 1\nname: Typo\nsteps:\n  - { id: one, agent: data-agnet, instruction: x }\n",
    );
    const run = await runTroupe(["run", "--workflow", file], options);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/step "one" \(unknown-agent\): .*data-agent/);
  });

  it("names the collections there are when it is asked for another one", async () => {
    const run = await runTroupe(["run", "Show revenue by region", "--collection", "shpo"], options);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/There is no collection "shpo"\. There is: "shop"\. /);
  });

  it("ends with 4 where a person is asked and nobody can be", async () => {
    const args = ["run", "--workflow", join(folder, "ask.yaml"), "--collection", "shop"];
    const run = await runTroupe(args, options);
    expect(run).toMatchObject({ code: 4, stdout: "" });
    expect(run.stderr).toContain("Before the work starts");
    expect(run.stderr).toContain("--input audience=...");
  });

  it("shows a run that waits with the command that answers it, and goes on with the answer", async () => {
    const shown = await runTroupe(["runs"], options);
    const [, id] = /^ *troupe answer (\S+) audience --input audience=\.\.\.$/m.exec(shown.stdout) ?? [];
    expect(shown.stdout).toMatch(new RegExp(`^${id} .* waiting +Ask first$`, "m"));
    const again = await runTroupe(["answer", id ?? ""], options);
    expect(again).toMatchObject({ code: 4, stdout: "" });
    const typo = await runTroupe(["answer", id ?? "", "--input", "audeince=Board"], options);
    expect(typo).toMatchObject({ code: 2, stdout: "" });
    expect(typo.stderr).toContain('"audeince" is not asked for. What is, nearest first: audience.');
    const wrong = await runTroupe(["answer", id ?? "", "--input", "audience=Aliens", "--json"], options);
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ type: "result", runId: id, outcome: "input-required" });
    expect(wrong.stderr).toContain('audience: "Aliens" is not one of Board, Staff.\n');
    expect(wrong.stderr).toContain(
      "The run waits for a person: Before the work starts. Who is it for?\n  audience: Who is it for? (Board, Staff)\nAnswer it",
    );
    expect(wrong.stderr).toContain(`troupe answer ${id} audience --input audience=...\n`);
    const answered = await runTroupe(["answer", id?.slice(0, 8) ?? "", "--input", "audience=Board"], options);
    expect(answered.code).toBe(0);
    expect(answered.stdout).toContain("North");
    const over = await runTroupe(["answer", id ?? "", "audience", "--input", "audience=Board"], options);
    expect(over).toMatchObject({ code: 2, stdout: "" });
    expect(over.stderr).toContain("asks nothing: it is completed");
  });

  it("ends a run that waits", async () => {
    const asked = await runTroupe(
      ["run", "--workflow", join(folder, "ask.yaml"), "--collection", "shop"],
      options,
    );
    const [, id = ""] = /troupe cancel (\S+)/.exec(asked.stderr) ?? [];
    expect(await runTroupe(["cancel", id], options)).toMatchObject({
      code: 0,
      stdout: `Run ${id} ended canceled.\n`,
    });
    const again = await runTroupe(["cancel", id], options);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("is over: it ended canceled");
    expect((await runTroupe(["cancel", "no-such-run"], options)).stderr).toContain("There is no run");
  });

  it("takes the answer of a person from --input, and refuses one that does not fit", async () => {
    const args = ["run", "--workflow", join(folder, "ask.yaml"), "--collection", "shop"];
    const run = await runTroupe([...args, "--input", "audience=Board"], options);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("North");
    // What happens after the question is shown too.
    expect(run.stderr).toMatch(/^\[audience\] completed$[\s\S]*^\[\w+\] completed$/m);
    const wrong = await runTroupe([...args, "--input", "audience=Aliens"], options);
    expect(wrong.code).toBe(2);
    // Known before anything is sent, so no plan is shown.
    expect(wrong.stderr).toBe('troupe: --input audience: "Aliens" is not one of Board, Staff.\n');
    const typo = await runTroupe([...args, "--input", "audeince=Board"], options);
    expect(typo).toMatchObject({ code: 2, stdout: "" });
    expect(typo.stderr).toBe(
      'troupe: --input "audeince" is not asked for. What is, nearest first: audience.\n',
    );
  });

  it("saves the files of a run, and keeps the answer when they cannot be saved", async () => {
    const file = join(folder, "deck.yaml");
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
    const good = await runTroupe([...args, "made"], options);
    expect(good.code).toBe(0);
    const [deck] = resultOf(good).artifacts;
    expect(deck?.path).toBe(join(folder, "made", basename(deck?.path ?? "")));
    expect(statSync(deck?.path ?? "").size).toBe(deck?.bytes);
    const bad = await runTroupe([...args, join("sales.csv", "made")], options);
    expect(bad.code).toBe(3);
    expect(resultOf(bad)).toMatchObject({
      outcome: "partial",
      answer: resultOf(good).answer,
      artifacts: [],
      error: { code: "store.io" },
    });
    const [, kept] = /Choose another folder with --out[^]* is kept as (.*)\n/.exec(bad.stderr) ?? [];
    expect(statSync(kept ?? "").size).toBeGreaterThan(10_000);
  });

  const shown = async () => {
    const runs = await runTroupe(["runs", "--json"], options);
    return JSON.parse(runs.stdout) as { runId: string; status: string; objective: string }[];
  };

  it("shows what ran, and shows the same after it has stopped with all it had started", async () => {
    for (const _ of ["to be answered", "to be ended"]) {
      const args = ["run", "--workflow", join(folder, "ask.yaml"), "--collection", "shop"];
      expect(await runTroupe(args, options)).toMatchObject({ code: 4 });
    }
    const before = await shown();
    expect(
      before.filter((run) => run.objective === "Show revenue by region").map((run) => run.status),
    ).toEqual(Array.from({ length: 5 }, () => "completed"));
    expect(before.map((run) => run.status)).toContain("canceled");
    const children = up.children();
    up.kill("SIGTERM");
    const end = await up.finished;
    expect([end.code, end.stderr.replace(NO_KEY, "")]).toEqual([0, ""]);
    expect(children.filter(({ pid, command }) => isAlive(pid, command))).toEqual([]);
    expect(await shown()).toEqual(before);
    expect(() => readFileSync(join(home, "run", "owner.json"))).toThrow("ENOENT");
  });

  it("answers and ends runs whose servers were stopped in the meantime", async () => {
    const waiting = (await shown()).filter(({ status }) => status === "input-required");
    const [answered, ended] = waiting.map(({ runId }) => runId);
    const args = ["answer", answered ?? "", "--input", "audience=Board", "--json"];
    const end = await runTroupe(args, options);
    expect(end.code).toBe(0);
    expect(JSON.parse(end.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "result",
      runId: answered,
      outcome: "completed",
      answer: expect.stringContaining("North"),
    });
    expect(await runTroupe(["cancel", ended ?? ""], options)).toMatchObject({ code: 0 });
  });
});
