import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createAgent } from "@troupe/core";
import { eventsOf, finishOf, runAgent } from "@troupe/core/testing";
import { playbookModel } from "@troupe/playbook";
import { createOrchestrator } from "@troupe/orchestrator";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { noticeAgent } from "../notice-agent/src/agent.ts";
import { runProgram, startServer, type Server } from "./support/processes.ts";

const program = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const troupe = program("apps/orchestrator/src/bin/troupe.ts");
const workflow = program("examples/notice-agent/workflow.yaml").pathname;
const NOTICE = 'Post "The office is closed on Friday." on the staff board';

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-people-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
});
const notices = (): string => readFileSync(join(home, "notices.txt"), { encoding: "utf8", flag: "a+" });

function localAgent() {
  const { config, playbook, tools = [] } = noticeAgent(join(home, "notices.txt"));
  return createAgent(config, { model: playbookModel(playbook), tools });
}

it.each([
  [{ type: "approve" }, "completed", "staff: The office is closed on Friday.\n"],
  [{ type: "edit", arguments: { board: "visitors", text: "Closed." } }, "completed", "visitors: Closed.\n"],
  [{ type: "reject", reason: "too early" }, "partial", ""],
] as const)("posts what a person allowed: %j", async (decision, outcome, posted) => {
  const agent = localAgent();
  const asked = eventsOf(await runAgent(agent, { runId: "r", text: NOTICE }), "input-required");
  expect(asked).toMatchObject([{ request: { kind: "approval", calls: [{ tool: "post_notice" }] } }]);
  expect(notices()).toBe("");
  const { request } = asked[0] ?? {};
  const callId = request?.kind === "approval" ? request.calls[0]?.callId : undefined;
  const reply = { requestId: request?.requestId ?? "", decisions: [{ callId: callId ?? "", ...decision }] };
  const events = await runAgent(agent, { runId: "r", text: "", reply });
  expect(finishOf(events).outcome).toBe(outcome);
  expect(notices()).toBe(posted);
});

it("asks the program that runs the workflow", async () => {
  const orchestrator = await createOrchestrator({
    agents: [localAgent()],
    model: playbookModel(),
  });
  onTestFinished(() => orchestrator.close());
  const steps = [{ agent: "notice-agent", instruction: NOTICE }];
  const outcome = await orchestrator.executeWorkflow(
    "Post it",
    { version: 1, name: "Notice", steps },
    undefined,
    {
      onEvent({ runId, ...event }) {
        if (event.type !== "input-required" || event.request.kind !== "approval") return;
        const { requestId, calls } = event.request;
        const decisions = calls.map(({ callId }) => ({ callId, type: "approve" as const }));
        void orchestrator.answer(runId, { requestId, decisions });
      },
    },
  );
  expect(outcome.response.content).toBe("Posted on the staff board: The office is closed on Friday.");
  expect(notices()).toBe("staff: The office is closed on Friday.\n");
});

it("posts once what was approved, though both processes were killed while it waited, twice", async () => {
  const running: Server[] = [];
  const stop = async (): Promise<void> =>
    void (await Promise.all(running.splice(0).map((server) => server.kill())));
  onTestFinished(stop);
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
  const run = async (...args: string[]) => {
    const end = await runProgram(troupe, [...args, "--json", "--quiet"], { TROUPE_HOME: home, HOME: home });
    return { ...end, last: JSON.parse(end.stdout.trimEnd().split("\n").at(-1) ?? "") as { runId: string } };
  };

  await restart();
  const asked = await run("run", "--workflow", workflow);
  expect(asked.stderr).toContain("answer");
  expect(asked).toMatchObject({ code: 4, last: { outcome: "input-required" } });
  const { runId } = asked.last;

  await restart();
  const filled = await run("answer", runId, "--input", "board=staff");
  expect(filled.stderr).toContain('post_notice {"board":"staff","text":"The office is closed on Friday."}');
  expect(filled).toMatchObject({ code: 4, last: { runId, outcome: "input-required" } });
  expect(notices()).toBe("");

  await restart();
  const answered = await run("answer", runId, "--approve");
  expect(answered.stderr).toBe("");
  expect(answered).toMatchObject({ code: 0, last: { runId, outcome: "completed" } });
  expect(notices()).toBe("staff: The office is closed on Friday.\n");
}, 90_000);
