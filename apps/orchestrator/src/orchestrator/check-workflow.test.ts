import { createRegistry } from "@troupe/a2a";
import { answering, scriptedAgent } from "@troupe/a2a/testing";
import { isTroupeError, type Fetch } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { workflowSchema } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { checkWorkflow } from "./check-workflow.ts";

const AWAY = "http://127.0.0.1:1";
const { signal } = new AbortController();
const here = scriptedAgent(() => answering(["Hello."]), { name: "here" });
const asking = (agent: string) =>
  workflowSchema.parse({ version: 1, name: "Ask", steps: [{ id: "one", agent, instruction: "Go." }] });

/** Agent "here" of this process, and one elsewhere that takes no notice of whoever asks for its card. */
function staged() {
  const clock = virtualClock();
  const asked: number[] = [];
  const hanging: Fetch = (_url, init) => {
    asked.push(clock.now());
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("given up")), { once: true });
    });
  };
  const options = { clock, fetch: hanging, checkIntervalMs: 3_600_000 };
  const registry = createRegistry({ urls: [AWAY], agents: [here], ...options });
  onTestFinished(() => registry.close());
  /** How the check of a workflow that asks this agent ends, and after how long. */
  const checked = async (agent: string) => {
    const began = clock.now();
    const ends: { readonly code: string; readonly ms: number }[] = [];
    const ended = (code: string) => void ends.push({ code, ms: clock.now() - began });
    checkWorkflow(asking(agent), registry, signal).then(
      () => ended("none"),
      (error: unknown) => ended(isTroupeError(error) ? error.code : String(error)),
    );
    while (ends.length === 0) await clock.advance(250);
    return ends[0];
  };
  return { clock, asked, checked };
}

it("looks once at an agent that is down before it refuses a workflow for one that nobody knows", async () => {
  const { clock, asked, checked } = staged();
  // Longer than an agent may take to start.
  await clock.advance(10_000);
  expect(await checked("far")).toEqual({ code: "agent.unreachable", ms: 5_000 });
  expect(asked).toHaveLength(1);
});

it("waits for no look where every agent of a workflow is known", async () => {
  const { asked, checked } = staged();
  expect(await checked("here")).toEqual({ code: "none", ms: 0 });
  expect(asked).toEqual([]);
});

it("looks again at an agent that was never reached until it has had 10 s since it was added", async () => {
  const { asked, checked } = staged();
  const refused = await checked("far");
  expect(refused?.code).toBe("agent.unreachable");
  expect(refused?.ms).toBeGreaterThanOrEqual(10_000);
  expect(asked.length).toBeGreaterThan(1);
});
