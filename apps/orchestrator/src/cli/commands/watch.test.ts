import { connectAgent } from "@troupe/a2a/client";
import { answering } from "@troupe/a2a/testing";
import { gate } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";
import type { RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const steps = [
  { id: "one", agent: "quick", instruction: "One." },
  { id: "two", agent: "slow", instruction: "Two.", depends_on: ["one"] },
];

const workflow = { version: 1, name: "Small", mode: "parallel", steps };

/** A run that stands at its second step until the gate is opened, and whoever began it and follows it. */
async function underWay({ followed = true } = {}) {
  const held = gate();
  const reached = gate();
  const small = await smallOrchestrator({
    quick: () => answering(["1"]),
    async *slow() {
      reached.open();
      await held.opened;
      yield* answering(["2"]);
    },
  });
  const begin = async (): Promise<void> => {
    const signal = AbortSignal.timeout(20_000);
    const remote = await connectAgent(small.url, { signal });
    await remote.send({ text: "", metadata: { workflow } }, { signal });
  };
  const running = followed
    ? small.troupe(["run", "--workflow", small.workflow(steps), "--json"])
    : begin().then(() => undefined);
  const listed = async () => JSON.parse((await small.troupe(["runs", "--json"])).stdout) as RunView[];
  await reached.opened;
  const [run] = await listed();
  return { ...small, held, runId: run?.runId ?? "", running };
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentEvent & { readonly position: number });

it("shows what was and what comes from any event on, as the run itself told it", async () => {
  const { troupe, held, running, runId } = await underWay();
  const all = troupe(["watch", runId, "--json"]);
  const later = troupe(["watch", runId.slice(0, 8), "--json", "--from", "5"]);
  held.open();
  const [ran, whole, rest] = await Promise.all([running, all, later]);
  expect([ran?.code, whole.code, rest.code]).toEqual([0, 0, 0]);
  const told = linesOf(ran?.stdout ?? "");
  const { position: _, ...result } = linesOf(whole.stdout).at(-1) ?? { position: 0 };
  expect(result).toEqual({ ...told.at(-1), artifacts: [] });
  const events = linesOf(whole.stdout).slice(0, -1);
  expect(events.map(({ position, ...event }) => [position, event])).toEqual(
    told.slice(0, -1).map((event, at) => [at, event]),
  );
  expect(linesOf(rest.stdout).slice(0, -1)).toEqual(events.slice(5));
  const plain = await troupe(["watch", runId]);
  expect(plain).toMatchObject({ code: 0, stdout: "2\n" });
  expect(plain.stderr).toContain("[two] completed\n");
  const over = await troupe(["watch", runId, "--from", "9999"]);
  expect([over.code, over.stderr]).toEqual([
    0,
    `Run ${runId} ended completed; it has no event at 9999 or behind.\n`,
  ]);
});

it("misses nothing and repeats nothing when the orchestrator is stopped, and says meanwhile how to go on", async () => {
  const { troupe, held, runId, stop, restart } = await underWay({ followed: false });
  const shown = gate();
  let stdout = "";
  const out = (text: string): void => {
    stdout += text;
    shown.open();
  };
  const watched = troupe(["watch", runId, "--json"], { out });
  await shown.opened;
  await stop();
  const nobody = await troupe(["watch", runId]);
  expect([nobody.code, nobody.stderr]).toEqual([
    5,
    `troupe: No servers are up on this home, so run ${runId} stands still. Go on with it: troupe resume ${runId}\n`,
  ]);
  await restart();
  const atWork = await troupe(["resume", runId]);
  expect([atWork.code, atWork.stderr]).toEqual([
    2,
    `troupe: There is nothing to resume: run ${runId} is at work. To follow it: troupe watch ${runId}\n`,
  ]);
  held.open();
  const { code, stderr } = await watched;
  expect(code).toBe(0);
  expect(stderr).toContain("watching on when it is back");
  const positions = linesOf(stdout)
    .slice(0, -1)
    .map(({ position }) => position);
  expect(positions).toEqual(positions.map((_, at) => at));
  await stop();
  expect(linesOf((await troupe(["watch", runId, "--json"])).stdout)).toEqual(linesOf(stdout));
});

it("leaves the run going when the person leaves, and says how to watch on", async () => {
  const { troupe, held, running, runId } = await underWay();
  const interrupted = new AbortController();
  const left = troupe(["watch", runId], { interrupted: interrupted.signal });
  interrupted.abort();
  const { code, stderr } = await left;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    new RegExp(`The run goes on\\. To see what comes: troupe watch ${runId} --from \\d+\n$`),
  );
  held.open();
  expect((await running)?.code).toBe(0);
});

it("shows how to answer what a run waits for while it is watched, and no position that is none", async () => {
  const { troupe, workflow, held, running, stop, restart } = await underWay();
  held.open();
  await running;
  const ask = { id: "who", kind: "human", form: { title: "Who?", fields: [{ field_name: "audience" }] } };
  await troupe(["run", "--workflow", workflow([ask]), "--quiet"]);
  const [{ runId } = { runId: "" }] = JSON.parse((await troupe(["runs", "--json"])).stdout) as RunView[];
  await stop();
  const nobody = await troupe(["watch", runId]);
  expect([nobody.code, nobody.stderr]).toEqual([
    5,
    `troupe: No servers are up on this home, so run ${runId} stands still. It waits for a person: troupe answer ${runId} who --input audience=...\n`,
  ]);
  await restart();
  const watched = troupe(["watch", runId]);
  expect((await troupe(["answer", runId, "--input", "audience=Board", "--quiet"])).code).toBe(0);
  expect((await watched).code).toBe(0);
  expect((await troupe(["watch", runId, "--from", "-1"])).code).toBe(2);
  expect((await troupe(["watch", runId, "--from", "1e3"])).stderr).toContain('"1e3" is no position');
});
