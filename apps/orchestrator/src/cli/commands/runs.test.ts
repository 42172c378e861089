import { answering } from "@troupe/a2a/testing";
import { EMPTY_RESPONSE } from "@troupe/stream";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

it("keeps a run and each of its steps on one line, whatever line breaks their names and reasons have", async () => {
  const { troupe, workflow } = await smallOrchestrator({
    worker: () => [
      {
        type: "finish",
        outcome: "failed",
        response: EMPTY_RESPONSE,
        answerItems: [],
        error: { code: "agent.failed", message: "No.\n    fake  worker  completed", retryable: false },
      },
    ],
  });
  const steps = [{ id: "d", agent: "worker", instruction: "Do it.\n  2. zz  nobody  faked" }];
  const file = workflow(steps, { name: "Nice\n  1. a  worker  harmless" });
  const ran = await troupe(["run", "--workflow", file]);
  expect(ran.stderr).toContain(
    "Plan: Nice 1. a worker harmless\n  1. d  worker  Do it. 2. zz nobody faked\n[d] ",
  );
  const { stdout } = await troupe(["runs"]);
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/ {2}Nice 1\. a worker harmless$/),
    expect.stringMatching(/^ {4}d {2}worker {2}failed: .*No\. fake worker completed$/),
  ]);
});

it("cuts the task of a run between words, to the width of the terminal", async () => {
  const { troupe, workflow } = await smallOrchestrator({ worker: () => answering(["Done."]) });
  const steps = [{ id: "d", agent: "worker", instruction: "Do it." }];
  const task = "Compare the revenue of all regions by quarter";
  await troupe(["run", "--workflow", workflow(steps, { name: task }), "--quiet"]);
  const line = async (columns?: number): Promise<string> => {
    const screen = columns === undefined ? {} : { screen: () => ({ columns, color: false }) };
    return (await troupe(["runs"], screen)).stdout.split("\n")[0] ?? "";
  };
  expect(await line()).toMatch(new RegExp(`completed {7}${task}$`));
  expect(await line(100)).toMatch(/ {2}Compare the revenue of\.\.\.$/);
  expect((await line(100)).length).toBeLessThanOrEqual(100);
  expect(await line(40)).toMatch(/ {2}Compare the\.\.\.$/);
});
