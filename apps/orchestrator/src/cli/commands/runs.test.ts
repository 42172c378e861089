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
