import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { runProgram, startServer, type Server } from "./support/processes.ts";

const program = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const troupe = program("apps/orchestrator/src/bin/troupe.ts");

/** Each way there is to wait for a person, two at once, and one behind all of them. */
const WORKFLOW = `version: 1
name: Notices
mode: parallel
expires_seconds: 86400
steps:
  - { id: free, agent: notice-agent, instruction: 'Post "Welcome." on the visitors board' }
  - id: who
    kind: human
    instruction: May it be closed?
    form: { fields: [{ field_name: word }] }
  - { id: closed, agent: notice-agent, instruction: 'Post "Closed on Friday."', depends_on: [who] }
  - id: seen
    kind: human
    instruction: Who has seen both?
    form: { fields: [{ field_name: name }] }
    depends_on: [free, closed]
final: synthesize
`;

interface Run {
  readonly runId: string;
  readonly status: string;
  readonly approval?: { readonly through: string };
  readonly requests: readonly {
    readonly request: { readonly requestId: string; readonly expiresAt?: number };
  }[];
  readonly steps: readonly {
    readonly id: string;
    readonly answers?: readonly { readonly requestId: string; readonly through: string }[];
  }[];
}

it("is answered plan, form, approval and step by step, though every process is killed before each answer", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-people-"));
  const running: Server[] = [];
  const stop = async (): Promise<void> =>
    void (await Promise.all(running.splice(0).map((server) => server.kill())));
  onTestFinished(async () => {
    await stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const workflow = join(home, "notices.yaml");
  writeFileSync(workflow, WORKFLOW);
  const notices = (): string => readFileSync(join(home, "notices.txt"), { encoding: "utf8", flag: "a+" });
  let port = "0";
  const restart = async (): Promise<void> => {
    await stop();
    const agent = await startServer(program("examples/notice-agent/src/main.ts"), {
      TROUPE_HOME: home,
      TROUPE_PORT: port,
    });
    running.push(agent);
    ({ port } = new URL(agent.url));
    const env = { TROUPE_HOME: home, TROUPE_PORT: "0", TROUPE_AGENTS: JSON.stringify([agent.url]) };
    running.push(await startServer(program("apps/orchestrator/src/main.ts"), env));
  };
  const command = (...args: string[]) => runProgram(troupe, args, { TROUPE_HOME: home, HOME: home });
  const theRun = async (): Promise<Run> => {
    const [run] = JSON.parse((await command("runs", "--json")).stdout) as readonly Run[];
    if (run === undefined) throw new Error("there is no run");
    return run;
  };
  const asks = async (): Promise<readonly string[]> =>
    (await theRun()).requests.map(({ request }) => request.requestId).toSorted();
  /** Everything is killed, and the answer is given to what is there afterwards. */
  const say = async (...answer: string[]) => {
    await restart();
    return command("answer", runId, ...answer, "--json", "--quiet");
  };

  await restart();
  const begun = await command("run", "Post both", "--workflow", workflow, "--approve", "--json", "--quiet");
  expect(begun.stderr).toContain("The plan waits for a person to approve it until 20");
  expect(begun.code).toBe(4);
  const { runId } = await theRun();
  expect(await asks()).toEqual(["$plan"]);

  expect((await say("--approve")).code).toBe(4);
  expect(await asks()).toEqual(["free#1", "who"]);

  // Long before its turn.
  expect((await say("seen", "--input", "name=Ann")).code).toBe(4);
  expect(await asks()).toEqual(["free#1", "who"]);

  expect((await say("who", "--input", "word=yes")).code).toBe(4);
  expect(await asks()).toEqual(["closed#1", "free#1"]);

  expect((await say("closed", "--input", "board=staff")).code).toBe(4);
  expect(await asks()).toEqual(["closed#2", "free#1"]);
  expect(notices()).toBe("");

  expect((await say("free", "--approve")).code).toBe(4);
  expect(notices()).toBe("visitors: Welcome.\n");
  const waiting = await theRun();
  expect(waiting.requests).toMatchObject([
    { request: { requestId: "closed#2", expiresAt: expect.any(Number) } },
  ]);

  const done = await say("closed", "--approve");
  expect(done.stderr).toBe("");
  expect(done.code).toBe(0);
  expect(notices()).toBe("visitors: Welcome.\nstaff: Closed on Friday.\n");
  const { status, approval, steps } = await theRun();
  expect(status).toBe("completed");
  expect(approval).toMatchObject({ requestId: "$plan", through: "cli" });
  const answered = steps.flatMap(({ answers = [] }) =>
    answers.map(({ requestId, through }) => [requestId, through]),
  );
  expect(answered).toEqual(["free#1", "who", "closed#1", "closed#2", "seen"].map((id) => [id, "cli"]));
});

it("is edited as a file, and what is wrong with it is told before anything runs", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-plan-"));
  const running: Server[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((server) => server.kill()));
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const agent = await startServer(program("examples/notice-agent/src/main.ts"), {
    TROUPE_HOME: home,
    TROUPE_PORT: "0",
  });
  running.push(agent);
  const env = { TROUPE_HOME: home, TROUPE_PORT: "0", TROUPE_AGENTS: JSON.stringify([agent.url]) };
  running.push(await startServer(program("apps/orchestrator/src/main.ts"), env));
  const command = (...args: string[]) => runProgram(troupe, args, { TROUPE_HOME: home, HOME: home });
  const file = join(home, "mine.yaml");

  const task = 'Post "Hello."';
  const saved = await command("plan", task, "--save", file);
  expect(saved).toMatchObject({ code: 0, stdout: "" });
  expect((await command("plan", task, "--save", file)).code).toBe(2);
  const plan = readFileSync(file, "utf8");
  expect((await command("plan", task)).stdout).toBe(plan);

  writeFileSync(file, plan.replace("agent: notice-agent", "agent: notice-agent\n    dependson: []"));
  const typo = await command("run", "--workflow", file);
  expect(typo.code).toBe(2);
  expect(typo.stderr).toMatch(/line \d+, step "answer": unknown key "dependson"\. Did you mean "depends_on"/);

  const begun = await command("run", task, "--approve", "--json", "--quiet");
  const last = begun.stdout.trimEnd().split("\n").at(-1) ?? "";
  const { runId } = JSON.parse(last) as { runId: string };
  expect((await command("plan", "--run", runId)).stdout).toBe(plan);
  writeFileSync(file, plan.replace(/(instruction: .*)$/m, "$1 on the visitors board"));
  const edited = await command("answer", runId, "--workflow", file, "--json", "--quiet");
  expect(edited.code).toBe(4);
  expect(edited.stderr).toContain('post_notice {"board":"visitors","text":"Hello."}');
  expect((await command("answer", runId, "--approve", "--json", "--quiet")).code).toBe(0);
  expect(readFileSync(join(home, "notices.txt"), "utf8")).toBe("visitors: Hello.\n");
});
