import { TaskState } from "@a2a-js/sdk";
import type { RunnableAgent } from "@troupe/core";
import { gate, virtualClock } from "@troupe/core/testing";
import type { AgentEvent, AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../client/index.ts";
import {
  answering,
  asking,
  captureWire,
  collect,
  plainClient,
  plainMessage,
  scriptedAgent,
  taskOf,
  withServed,
} from "../testing/index.ts";

const signal = new AbortController().signal;
const SECRET = "postgres://admin:hunter2@db";
const { profile } = scriptedAgent(() => []);
const at = { v: 1, runId: "r", seq: 0, attempt: 1, agent: "a" } as const;

/** Said as a value that no type of ours allows, as an agent without types may. */
function broken(body: unknown): AgentEvent {
  return { ...at, ...(body as object) } as AgentEvent;
}

async function* events(...said: readonly AgentEvent[]): AsyncGenerator<AgentEvent> {
  await Promise.resolve();
  yield* said;
}

const AGENTS: readonly (readonly [what: string, run: RunnableAgent["run"]])[] = [
  [
    "throws as it is asked",
    () => {
      throw new Error(SECRET);
    },
  ],
  ["answers nothing that can be read", () => ({ secret: SECRET }) as never],
  ["ends without a word", () => events()],
  ["ends without a finish", () => events({ ...at, type: "text-start", itemId: "1", role: "open" })],
  ["says an event that there is not", () => events(broken({ type: SECRET }))],
  ["finishes with an outcome that there is not", () => events(broken({ type: "finish", outcome: SECRET }))],
  [
    "finishes with no response",
    () => events(broken({ type: "finish", outcome: "input-required", answerItems: [] })),
  ],
  [
    "throws what is no error, in the middle",
    async function* () {
      yield* events({ ...at, type: "text-start", itemId: "1", role: "open" });
      throw { password: SECRET };
    },
  ],
];

describe("an agent that misbehaves", () => {
  it.each(AGENTS)("and %s: its task fails, and nothing internal is told", async (_what, run) => {
    await withServed({ agent: { profile, run } }, async ({ url }) => {
      const wire = await captureWire(url, plainMessage("hi"));
      const last = wire.at(-1);
      expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_FAILED);
      expect(JSON.stringify(wire)).not.toContain("hunter2");
      const remote = await connectAgent(url, { binding: "HTTP+JSON" });
      const told = await collect(remote.stream({ text: "hi" }, { signal }));
      expect(told.at(-1)).toMatchObject({ type: "finish", outcome: "failed" });
      expect(JSON.stringify(told)).not.toContain("hunter2");
    });
  });

  it("and goes on after its finish is not heard, also when it throws then or never returns", async () => {
    const after: AgentEventBody = { type: "text-start", itemId: "late", role: "open" };
    for (const then of ["says more", "throws", "hangs"]) {
      const agent = scriptedAgent(async function* () {
        try {
          yield* answering(["42"]);
          yield after;
        } finally {
          if (then === "hangs") await new Promise(() => undefined);
          if (then === "throws") await Promise.reject(new Error(SECRET));
        }
      });
      await withServed({ agent }, async ({ url }) => {
        const task = taskOf(await (await plainClient(url)).sendMessage(plainMessage("hi")));
        expect(JSON.stringify(task)).not.toMatch(/late|hunter2/);
        expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      });
    }
  });
});

describe("canceling within a second", () => {
  it.each(["awaits something else for ever", "is stuck in its own end"])("an agent that %s", async (how) => {
    const clock = virtualClock();
    const aborted = gate();
    const agent = scriptedAgent(async function* (_request, { signal: stop }): AsyncGenerator<AgentEventBody> {
      stop.addEventListener("abort", () => aborted.open());
      yield { type: "text-start", itemId: "1", role: "open" };
      yield { type: "text-delta", itemId: "1", delta: "begun" };
      if (how.startsWith("awaits")) await new Promise(() => undefined);
      await aborted.opened;
      try {
        throw stop.reason;
      } finally {
        await new Promise(() => undefined);
      }
    });
    await withServed({ agent, clock }, async ({ url }) => {
      const client = await plainClient(url);
      const { taskId } = await (await connectAgent(url)).send({ text: "hi" }, { signal });
      const canceled = client.cancelTask({ id: taskId, tenant: "", metadata: undefined });
      await aborted.opened;
      await clock.advance(1_000);
      expect((await canceled).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    });
  });

  it("an agent that waits for somebody and never lets go of it", async () => {
    const clock = virtualClock();
    const asked = gate();
    const waiting = scriptedAgent(() => asking());
    const agent: RunnableAgent = {
      profile,
      run: (...call) => waiting.run(...call),
      cancel: () => {
        asked.open();
        return new Promise(() => undefined);
      },
    };
    await withServed({ agent, clock }, async ({ url }) => {
      const client = await plainClient(url);
      const { id } = taskOf(await client.sendMessage(plainMessage("hi")));
      const canceled = client.cancelTask({ id, tenant: "", metadata: undefined });
      await asked.opened;
      await clock.advance(1_000);
      expect((await canceled).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    });
  });
});
