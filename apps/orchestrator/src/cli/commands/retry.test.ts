import { existsSync } from "node:fs";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { answering, collect } from "@troupe/a2a/testing";
import type { RunDetail, RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const steps = [
  { id: "find", agent: "finder", instruction: "Find it." },
  { id: "make", agent: "maker", instruction: "Make it.", depends_on: ["find"] },
];

/** The maker fails as long as it is not mended. */
async function broken() {
  const state = { mended: false, found: 0 };
  const small = await smallOrchestrator({
    finder: () => {
      state.found++;
      return answering(["Found."]);
    },
    maker: ({ delegation }) =>
      state.mended
        ? answering([`Made of ${delegation?.results["find"]?.answer}`])
        : answering([""], "failed"),
  });
  const { code } = await small.troupe(["run", "--workflow", small.workflow(steps), "--quiet"]);
  const listed = async () => JSON.parse((await small.troupe(["runs", "--json"])).stdout) as RunView[];
  const [first] = await listed();
  return { ...small, state, code, first: first?.runId ?? "", listed };
}

it("does a run again from the step that failed, and keeps what was found before it", async () => {
  const { troupe, state, code, first, listed } = await broken();
  expect([code, state.found]).toEqual([3, 1]);
  state.mended = true;
  const again = await troupe(["retry", first.slice(0, 8)]);
  const [second] = await listed();
  expect(again).toMatchObject({ code: 0, stdout: "Made of Found.\n" });
  expect(again.stderr).toContain(`Run ${second?.runId} does run ${first} again.\n`);
  expect(again.stderr).toContain(`[find] completed: kept from run ${first}\n`);
  expect(state.found).toBe(1);
  const shown = await troupe(["show", second?.runId ?? ""]);
  expect(shown.stdout).toContain(`  does run ${first} again in part\n`);
  expect(shown.stdout).toContain(`     kept from run ${first}; what it took counts there\n`);
  const detail = JSON.parse((await troupe(["show", second?.runId ?? "", "--json"])).stdout) as RunDetail;
  expect(detail).toMatchObject({
    retryOf: first,
    steps: [{ keptFrom: first }, { given: [{ step: "find" }] }],
  });

  const anew = await troupe(["retry", second?.runId ?? "", "--from", "find", "--json"]);
  expect(JSON.parse(anew.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ outcome: "completed" });
  expect(state.found).toBe(2);
});

it("says why a run cannot be done again, and begins none", async () => {
  const { troupe, workflow, state, first, listed } = await broken();
  const refused = async (...args: string[]) => {
    const { code, stderr } = await troupe(["retry", ...args]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused("nosuch")).toContain('There is no run "nosuch"');
  expect(await refused(first, "--from", "mak")).toContain('no step "mak"; did you mean "make"?');
  state.mended = true;
  await troupe(["retry", first, "--quiet"]);
  const [done] = await listed();
  expect(await refused(done?.runId ?? "")).toContain(
    `Every step of run "${done?.runId}" completed. Name the step`,
  );
  const ask = { id: "who", kind: "human", form: { title: "Who?", fields: [{ field_name: "audience" }] } };
  await troupe(["run", "--workflow", workflow([ask]), "--quiet"]);
  const [open] = await listed();
  expect(await refused(open?.runId ?? "", "--from", "who")).toContain(`Run "${open?.runId}" has not ended.`);
  expect(await listed()).toHaveLength(3);
});

it("refuses without servers what they would refuse, and starts none", async () => {
  const { troupe, stop, first, home } = await broken();
  await stop();
  // Servers would be started from here, and end the test.
  const appsRoot = join(home, "no-apps");
  for (const [args, message] of [
    [["nosuch"], 'There is no run "nosuch"'],
    [[first, "--from", "mak"], 'no step "mak"; did you mean "make"?'],
  ] as const)
    expect(await troupe(["retry", ...args], { appsRoot })).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: expect.stringContaining(
        `troupe: ${message.startsWith("no") ? `Run "${first}" has ` : ""}${message}`,
      ),
    });
});

it("is asked for over A2A too, where a retry of nothing and one that only plans are refused", async () => {
  const { url, state, first } = await broken();
  state.mended = true;
  const signal = AbortSignal.timeout(20_000);
  const remote = await connectAgent(url, { signal });
  const ask = async (metadata: { readonly [key: string]: string | boolean }) => {
    const { taskId } = await remote.send({ text: "", metadata }, { signal });
    const end = (await collect(remote.join(taskId, { signal }))).at(-1);
    return end?.type === "finish" ? [end.outcome, end.response.content, end.error?.message ?? ""] : [];
  };
  expect(await ask({ retry_of: first, retry_from: "make" })).toEqual(["completed", "Made of Found.", ""]);
  expect(await ask({ retry_of: "nosuch" })).toEqual(["failed", "", 'There is no run "nosuch".']);
  for (const wrong of [
    { retry_from: "make" },
    { retry_of: first, plan_only: true },
    { retry_of: first, approve_plan: true },
  ])
    expect(await ask(wrong as never)).toEqual(["failed", "", expect.stringContaining("metadata.retry_")]);
});

it("goes on with a run that was cut off when its servers stopped, and says where there is nothing to go on with", async () => {
  const { troupe, workflow, stop, restart, first, listed, home } = await broken();
  expect(await troupe(["resume", first])).toMatchObject({
    code: 2,
    stderr: `troupe: There is nothing to resume: run ${first} ended partial. To do it again in part: troupe retry ${first}\n`,
  });
  const ask = { id: "who", kind: "human", form: { title: "Who?", fields: [{ field_name: "audience" }] } };
  await troupe(["run", "--workflow", workflow([ask]), "--quiet"]);
  const [open] = await listed();
  const waits = await troupe(["resume", open?.runId ?? ""]);
  expect([waits.code, waits.stderr]).toEqual([
    2,
    expect.stringMatching(/There is nothing to resume: run \S+ waits for a person\. troupe answer \S+ who/),
  ]);
  await stop();
  await restart();
  expect((await troupe(["resume", first])).code).toBe(2);
  expect(existsSync(join(home, "runs.db"))).toBe(true);
});
