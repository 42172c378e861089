import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { startFakeAnthropic, type FakeModelServer, type FakeReply } from "@troupe/models/testing";
import type { AgentEvent } from "@troupe/stream";
import type { RunExport, RunView } from "@troupe/workflow";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { isAlive, type ProcessInfo } from "../testing/processes.ts";
import { cleanUp, runTroupe, startTroupe, temporaryFolder, type Finished } from "../testing/troupe.ts";

const KEY = "sk-ant-the-right-one";
/** Opens its stream and says nothing more: whoever asked is in the middle of its work. */
const STALLS: FakeReply = { blocks: [{ type: "text", text: "never" }], stallAfter: 0 };
/** Needs a plan. */
const MUCH = "Make a presentation about our AI strategy based on our documents, with the sales figures";
/** What an agent answers. */
const finishes = (content: string): FakeReply => ({
  blocks: [
    { type: "tool-call", id: "call-1", name: "finish", arguments: { content, is_task_complete: true } },
  ],
});
/** What the orchestrator writes from several steps. */
const writes = (text: string): FakeReply => ({ blocks: [{ type: "text", text }] });

let home = "";
let model: FakeModelServer;
beforeEach(async () => {
  home = join(temporaryFolder(), "home");
  model = await startFakeAnthropic({ apiKey: KEY });
});
afterEach(async () => {
  await cleanUp();
  await model.close();
});

const options = (key = KEY) => ({ home, env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.url } });

/** Two agents without a tool to look things up with, one after the other, and one answer from both. */
const twoSteps = (): readonly string[] => workflow("final: synthesize");

/** Two agents, one after the other, and a last step that is to make the answer of both. */
const twoStepsAndDeck = (): readonly string[] =>
  workflow("  - { id: deck, agent: ppt-agent, instruction: Make a deck. }");

function workflow(end: string): readonly string[] {
  const file = join(home, "..", "steps.yaml");
  writeFileSync(
    file,
    `version: 1
name: Steps
steps:
  - { id: facts, agent: rag-agent, instruction: Find the facts., allowed_tools: [cite_sources] }
  - { id: figures, agent: data-agent, instruction: Find the figures., allowed_tools: [visualize] }
${end}
`,
  );
  return ["run", "--workflow", file, "--json"];
}

const alive = (children: readonly ProcessInfo[]): readonly ProcessInfo[] =>
  children.filter(({ pid, command }) => isAlive(pid, command));

async function storedRuns(): Promise<readonly RunView[]> {
  const { stdout } = await runTroupe(["runs", "--json"], { home });
  return JSON.parse(stdout) as readonly RunView[];
}

const resultOf = ({ stdout }: Finished) =>
  JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
    readonly type: string;
    readonly runId: string;
    readonly outcome: string;
    readonly answer: string;
    readonly steps: readonly { readonly id: string; readonly outcome: string; readonly reason?: string }[];
    readonly error?: { readonly code: string; readonly message: string };
  };

describe("a run that goes wrong", { timeout: 120_000 }, () => {
  it("says which variable holds the key that was not accepted, and does not show it", async () => {
    const run = await runTroupe(["run", "What is new?"], options("sk-ant-a-wrong-one"));
    expect(run.code).toBe(5);
    expect(run.stderr.match(/Check ANTHROPIC_API_KEY/g)).toHaveLength(1);
    expect(run.stdout + run.stderr).not.toContain("a-wrong-one");
    const [stored] = await storedRuns();
    expect(stored).toMatchObject({ objective: "What is new?", status: "failed" });
    const shown = await runTroupe(["runs"], { home });
    expect(shown.stdout).toMatch(/failed +What is new\?\n.*Check ANTHROPIC_API_KEY/);
    expect(shown.stdout).not.toContain("a-wrong-one");
  });

  it.each<["SIGINT" | "SIGKILL", string]>([
    ["SIGINT", "canceled"],
    ["SIGKILL", "failed"],
  ])("can be seen when it is ended by %s while it is still planned", async (signal, status) => {
    model.script(STALLS);
    const run = startTroupe(["run", MUCH], options());
    await model.waitForRequests(1);
    const children = run.children();
    run.kill(signal);
    await run.finished;
    await expect.poll(() => alive(children), { timeout: 15_000 }).toEqual([]);
    expect(await storedRuns()).toMatchObject([{ objective: MUCH, status, outcome: status, steps: [] }]);
  });

  it("is interrupted when it cannot be kept any more, and says so everywhere", async () => {
    model.script(STALLS);
    const run = startTroupe(twoSteps(), options());
    await model.waitForRequests(1);
    const runs = new DatabaseSync(join(home, "runs.db"));
    runs.exec("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    killApp(run.children(), "rag-agent");
    const end = await run.finished;
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/The run is interrupted, not over: .* It goes on from where it stands/);
    expect(end.stderr).not.toContain("ended failed");
    expect(resultOf(end)).toMatchObject({
      interrupted: true,
      steps: [
        { id: "facts", outcome: "in_progress" },
        { id: "figures", outcome: "pending" },
      ],
    });
    expect((await storedRuns()).map(({ status }) => status)).toEqual(["interrupted"]);
    runs.exec("DROP TRIGGER full");
    runs.close();
    // The next start takes it up again.
    model.script(finishes("Water is wet."), finishes("Sales rose."), writes("Wet, and sales rose."));
    const up = startTroupe(["up", "--free-ports"], options());
    const outcomes = async () => (await storedRuns()).map(({ outcome }) => outcome);
    await expect.poll(outcomes, { timeout: 90_000, interval: 500 }).toEqual(["completed"]);
    up.kill("SIGTERM");
    await up.finished;
  });

  it("is canceled by Ctrl-C, stops all it started, and can be seen later", async () => {
    model.script(finishes("Water is wet."), STALLS);
    const run = startTroupe(twoSteps(), options());
    await model.waitForRequests(2);
    const children = run.children();
    expect(children.length).toBeGreaterThan(5);
    run.kill("SIGINT");
    const end = await run.finished;
    expect(end.code).toBe(130);
    expect(resultOf(end)).toMatchObject({ type: "result", outcome: "canceled" });
    expect(alive(children)).toEqual([]);
    const [stored] = await storedRuns();
    expect(stored?.outcome).toBe("canceled");
    expect(stored?.steps.map(({ id, state }) => [id, state])).toEqual([
      ["facts", "completed"],
      ["figures", "canceled"],
    ]);
  });

  it("ends its servers even when it is killed, and the run can be seen", async () => {
    model.script(STALLS);
    const run = startTroupe(twoSteps(), options());
    await model.waitForRequests(1);
    const children = run.children();
    run.kill("SIGKILL");
    await run.finished;
    await expect.poll(() => alive(children), { timeout: 15_000 }).toEqual([]);
    const shown = await runTroupe(["runs"], { home });
    expect(shown.stdout).toMatch(/interrupted/);
  });

  it("leaves nothing behind when it is killed before its servers are ready", async () => {
    const up = startTroupe(["up", "--free-ports"], options());
    await expect.poll(() => up.children().length, { interval: 5, timeout: 15_000 }).toBeGreaterThan(0);
    const children = up.children();
    up.kill("SIGKILL");
    await up.finished;
    await expect.poll(() => alive(children), { timeout: 15_000 }).toEqual([]);
  });

  it("stops at once on a signal while it starts", async () => {
    const up = startTroupe(["up", "--free-ports"], options());
    await expect.poll(() => up.children().length, { interval: 5, timeout: 15_000 }).toBeGreaterThan(0);
    up.kill("SIGTERM");
    expect(await up.finished).toMatchObject({ code: 130, stdout: "", stderr: "Starting 7 servers ...\n" });
    expect(up.children()).toEqual([]);
  });
});

describe("an orchestrator killed in the middle of a run", { timeout: 120_000 }, () => {
  it("is started again, and the command goes on with the run", async () => {
    model.script(STALLS, finishes("Water is wet."), finishes("Sales rose."), writes("Wet, and sales rose."));
    const run = startTroupe(twoSteps(), options());
    await model.waitForRequests(1);
    const first = killApp(run.children(), "orchestrator");
    const isBack = () =>
      run
        .children()
        .some(({ pid, command }) => pid !== first && command.includes("orchestrator/src/main.ts"));
    await expect.poll(isBack, { interval: 50, timeout: 30_000 }).toBe(true);
    // The step it was at is asked again, because its agent has lost it.
    killApp(run.children(), "rag-agent");
    const end = await run.finished;
    expect(end.code).toBe(0);
    expect(resultOf(end)).toMatchObject({ outcome: "completed", answer: "Wet, and sales rose." });
    const log = readFileSync(join(home, "logs", "orchestrator.log"), "utf8");
    for (const said of [end.stderr, log]) expect(said).toMatch(/orchestrator ended by SIGKILL; restarting/);
    const plans = end.stdout.split("\n").filter((line) => line.includes('"plan-update"'));
    expect(plans).toHaveLength(1);
  });

  it("is shown on by whoever answered, from the event behind the last one shown", async () => {
    const [, , file = ""] = workflow("final: synthesize");
    const asked = `  - { id: who, kind: human, instruction: Who?, form: { title: Who?, fields: [{ field_name: audience }] } }`;
    writeFileSync(file, readFileSync(file, "utf8").replace("steps:", `steps:\n${asked}`));
    expect(await runTroupe(["run", "--workflow", file], options())).toMatchObject({ code: 4 });
    const runId = (await storedRuns())[0]?.runId ?? "";
    model.script(finishes("Water is wet."), STALLS, finishes("Sales rose."), writes("Wet, and sales rose."));
    const run = startTroupe(["answer", runId, "who", "--input", "audience=all", "--json"], options());
    await model.waitForRequests(2);
    const first = killApp(run.children(), "orchestrator");
    const isBack = () =>
      run
        .children()
        .some(({ pid, command }) => pid !== first && command.includes("orchestrator/src/main.ts"));
    await expect.poll(isBack, { interval: 50, timeout: 30_000 }).toBe(true);
    killApp(run.children(), "data-agent");
    const end = await run.finished;
    expect(resultOf(end)).toMatchObject({ outcome: "completed", answer: "Wet, and sales rose." });
    const exported = await runTroupe(["runs", "export", runId, "--out", "-"], options());
    const { events } = JSON.parse(exported.stdout) as RunExport;
    const shown = end.stdout
      .trimEnd()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AgentEvent);
    // Text is joined on its way; every other event is shown once.
    const places = (told: readonly (readonly [number, AgentEvent])[]) =>
      told.flatMap(([at, { type }]) => (type === "text-delta" ? [] : [[at, type]])).toSorted(byPlace);
    const from = shown[0]?.seq ?? 0;
    expect(from).toBeGreaterThan(0);
    expect(places(shown.map((event) => [event.seq, event] as const))).toEqual(
      places(events.slice(from).map(({ position, event }) => [position, event] as const)),
    );
  });

  it("ends the command with a result line when it does not come back, and says where the run is", async () => {
    model.script(STALLS);
    const run = startTroupe(twoSteps(), options());
    await model.waitForRequests(1);
    let ended = false;
    void run.finished.finally(() => (ended = true));
    const killAgain = (): boolean => {
      const boss = run.children().find(({ command }) => command.includes("orchestrator/src/main.ts"));
      if (boss !== undefined) process.kill(boss.pid, "SIGKILL");
      return ended;
    };
    await expect.poll(killAgain, { interval: 100, timeout: 50_000 }).toBe(true);
    const end = await run.finished;
    expect([1, 5]).toContain(end.code);
    expect(end.stderr).toContain("see `troupe runs`");
    expect(resultOf(end)).toMatchObject({ type: "result", outcome: "failed", answer: "", steps: [] });
    expect((await storedRuns()).map(({ runId }) => runId)).toEqual([resultOf(end).runId]);
  });
});

it("is not begun where no agent can start because its settings are wrong, and is told which", async () => {
  const run = await runTroupe(["run", "What is new?"], { home, env: { TROUPE_LIMITS: "nonsense" } });
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toMatch(
    /^troupe: \S+-agent: Settings .*\n {2}limits \(TROUPE_LIMITS\): "nonsense" - is not JSON$/m,
  );
}, 30_000);

describe("two runs at once on one home", { timeout: 60_000 }, () => {
  it("share servers, and whoever started them stops them when both are done", async () => {
    const runs = [1, 2].map(() => startTroupe(["run", "What is new?", "--json"], { home }));
    for (const run of runs) {
      const end = await run.finished;
      // Nothing was taken in, so there is nothing to answer from.
      expect(end).toMatchObject({ code: 3 });
      expect(resultOf(end).outcome).toBe("partial");
    }
    expect(existsSync(join(home, "run", "owner.json"))).toBe(false);
    expect((await storedRuns()).map(({ outcome }) => outcome)).toEqual(["partial", "partial"]);
  });
});

describe("an agent killed in the middle of a step", { timeout: 90_000 }, () => {
  it("is sent it again when it is back, also where the step is tried but once", async () => {
    model.script(finishes("Water is wet."), STALLS, finishes("Sales rose."), writes("Wet, and sales rose."));
    const run = startTroupe(twoSteps(), options());
    await model.waitForRequests(2);
    killApp(run.children(), "data-agent");
    const end = await run.finished;
    expect(end.code).toBe(0);
    expect(resultOf(end)).toMatchObject({ outcome: "completed", answer: "Wet, and sales rose." });
    expect(end.stdout).toContain('"attempt-start"');
  });

  it("fails its step when it does not come back, and what the others found is the answer, not complete", async () => {
    model.script(finishes("Water is wet."), STALLS, STALLS, STALLS, STALLS);
    const { env, ...rest } = options();
    const TROUPE_AGENT_CALLS = JSON.stringify({ awayMs: 8_000 });
    const run = startTroupe(twoStepsAndDeck(), { ...rest, env: { ...env, TROUPE_AGENT_CALLS } });
    await model.waitForRequests(2);
    let ended = false;
    void run.finished.finally(() => (ended = true));
    const killAgain = (): boolean => {
      const agent = run.children().find(({ command }) => command.includes("data-agent/src/main.ts"));
      if (agent !== undefined) process.kill(agent.pid, "SIGKILL");
      return ended;
    };
    await expect.poll(killAgain, { interval: 100, timeout: 60_000 }).toBe(true);
    const end = await run.finished;
    expect(end.code).toBe(3);
    const result = resultOf(end);
    expect(result.outcome).toBe("partial");
    expect(result.answer).toMatch(/What is missing\n\n- figures .*data-agent[^]*- deck [^]*Water is wet\./);
    expect(result.steps).toMatchObject([
      { id: "facts", outcome: "completed" },
      { id: "figures", outcome: "failed", reason: expect.stringMatching(/data-agent/) },
      { id: "deck", outcome: "skipped" },
    ]);
    const [stored] = await storedRuns();
    expect(stored?.outcome).toBe("partial");
  });
});

const byPlace = ([a]: readonly unknown[], [b]: readonly unknown[]): number => Number(a) - Number(b);

function killApp(children: readonly ProcessInfo[], name: string): number {
  const app = children.find(({ command }) => command.includes(`${name}/src/main.ts`));
  if (app === undefined) throw new Error(`${name} does not run`);
  process.kill(app.pid, "SIGKILL");
  return app.pid;
}
