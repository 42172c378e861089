import { Role, TaskState, type Message, type Task } from "@a2a-js/sdk";
import { StoreError } from "@troupe/core";
import { gate, virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { answering, asking, scriptedAgent, type AgentScript } from "../../testing/index.ts";
import { runtimeOptions } from "../../testing/runtime-options.ts";
import { liveTask } from "../../wire/apply-event.ts";
import { textOf, textPart } from "../../wire/parts.ts";
import { AgentRuntime } from "./agent-runtime.ts";
import { followFound } from "./follow-found.ts";
import type { Found } from "./found.ts";
import type { WhenBusy } from "./runtime-options.ts";

const message = (messageId: string, taskId = ""): Message => ({
  messageId,
  contextId: "",
  taskId,
  role: Role.ROLE_USER,
  parts: [textPart("go")],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** Processes that share a store, and what becomes of one that is killed: nothing it asks is answered. */
function replicas() {
  const clock = virtualClock();
  const store = createMemoryTaskStore({ clock, leaseMs: 5_000 });
  let ids = 0;
  const start = async (
    script: AgentScript,
    own: {
      readonly handOver?: boolean;
      readonly whenBusy?: WhenBusy;
      readonly store?: (given: TaskStore) => TaskStore;
    } = {},
  ) => {
    let dead = false;
    const mortal = <T extends object>(of: T): T =>
      new Proxy(of, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (name === "shared") return mortal(value as object);
          if (typeof value !== "function") return value;
          return (...args: unknown[]): unknown =>
            dead ? new Promise(() => undefined) : (Reflect.apply(value, target, args) as unknown);
        },
      });
    const agent = scriptedAgent(script);
    const runtime = new AgentRuntime(
      runtimeOptions({
        agent,
        store: own.store?.(mortal(store)) ?? mortal(store),
        clock,
        newId: () => `id-${++ids}`,
        handOver: own.handOver ?? false,
        whenBusy: own.whenBusy ?? "refuse",
      }),
    );
    await runtime.recover();
    const submit = (given: Message): Promise<Found> =>
      runtime.submit(given, { owner: "", structured: false });
    return { agent, runtime, submit, kill: () => void (dead = true) };
  };
  /** Lets time pass as it does: in small steps, in each of which everybody gets a turn. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) await clock.advance(Math.min(50, left));
  };
  return { clock, store, start, pass };
}

const idOf = (found: Found): string => {
  if ("run" in found) return found.run.id;
  return "elsewhere" in found ? found.elsewhere.snapshot().id : found.task.id;
};

/** Reads to the end, coming back with the last id after every `visit` updates. */
async function follow(runtime: AgentRuntime, taskId: string, visit = Infinity) {
  let task: ReturnType<typeof liveTask> | undefined;
  let lastEventId: string | undefined;
  let snapshots = 0;
  let seen = 0;
  for (;;) {
    const left = new AbortController();
    const found = await runtime.find("", taskId);
    let taken = 0;
    for await (const { id, event } of followFound(found, { lastEventId, signal: left.signal })) {
      lastEventId = id;
      seen++;
      if (event.$case === "task") {
        snapshots++;
        task = liveTask(event.value);
      } else task?.apply(event);
      if (++taken >= visit) left.abort();
    }
    if (task === undefined) throw new Error("no snapshot");
    if (!left.signal.aborted || task.task.status?.state === TaskState.TASK_STATE_COMPLETED)
      return { task: task.task, snapshots, seen };
  }
}

const wordsOf = (task: Task): string =>
  task.artifacts
    .map((artifact) => (artifact.name === "streaming_result" ? textOf(artifact.parts) : ""))
    .join("");

/** Says a part of an answer, and the rest when it is let. */
function halves() {
  const begun = gate();
  const rest = gate();
  const script: AgentScript = async function* (_request, { signal }) {
    yield* answering(["Half"]).slice(0, 2);
    begun.open();
    await Promise.race([rest.opened, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    yield* answering([" and half"]).slice(1);
  };
  return { script, begun: begun.opened, goOn: () => rest.open() };
}

describe("two processes on one store", () => {
  it("run a message once that both get at once, and both tell all of it", async () => {
    const { start, pass, store } = replicas();
    const agent = halves();
    const [one, two] = [await start(agent.script), await start(agent.script)];
    const found = await Promise.all([one.submit(message("m")), two.submit(message("m"))]);
    const [id] = new Set(found.map(idOf));
    expect(new Set(found.map(idOf)).size).toBe(1);
    await agent.begun;
    expect(one.agent.requests.length + two.agent.requests.length).toBe(1);
    const readers = [one, two].map(({ runtime }) => follow(runtime, id ?? ""));
    await pass(300);
    agent.goOn();
    await pass(300);
    const stored = await store.load("", id ?? "");
    expect(stored?.task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    for (const { task, snapshots } of await Promise.all(readers)) {
      expect(task).toEqual(stored?.task);
      expect(wordsOf(task)).toBe("Half and half");
      expect(snapshots).toBe(1);
    }
    expect(await two.submit(message("m"))).toMatchObject({ task: { id } });
    expect(one.agent.requests.length + two.agent.requests.length).toBe(1);
  });

  it("lose and double nothing for a reader that comes and goes at the one that does not work on it", async () => {
    const { start, pass, store, clock } = replicas();
    const chunks = Array.from({ length: 60 }, (_, i) => `[${i}]`);
    const one = await start(async function* () {
      yield { type: "text-start", itemId: "answer", role: "answer" };
      for (const delta of chunks) {
        yield { type: "text-delta", itemId: "answer", delta };
        await clock.sleep(30);
      }
      yield* answering([chunks.join("")]).slice(2);
    });
    const two = await start(() => answering(["no"]));
    const id = idOf(await one.submit(message("m")));
    const readers = [1, 2, 7, Infinity].map((visit) => follow(two.runtime, id, visit));
    await pass(4_000);
    const stored = await store.load("", id);
    for (const { task, snapshots } of await Promise.all(readers)) {
      expect(task).toEqual(stored?.task);
      expect(snapshots).toBeLessThanOrEqual(2);
    }
  });

  it("cancel within a second what the other works on, also when the agent ignores it", async () => {
    const { start, pass } = replicas();
    const stubborn = gate();
    const one = await start(async function* () {
      yield* answering(["Half"]).slice(0, 2);
      await stubborn.opened;
    });
    const two = await start(() => answering(["no"]));
    const id = idOf(await one.submit(message("m")));
    await pass(100);
    let ended: Task | undefined;
    void two.runtime.cancel("", id).then((task) => (ended = task));
    await pass(1_000);
    expect(ended?.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(one.agent.requests).toHaveLength(1);
  });

  it("let messages wait for their turn wherever they come in, one behind the other", async () => {
    const { start, pass } = replicas();
    const told: string[] = [];
    const gates = new Map(["m1", "m2", "m3"].map((name) => [name, gate()]));
    const next = gates.keys();
    const script: AgentScript = async function* ({ runId }) {
      told.push(`${runId} begins`);
      const { value = "" } = next.next();
      await gates.get(value)?.opened;
      told.push(`${runId} ends`);
      yield* answering(["done"]);
    };
    const own = { whenBusy: "queue" } as const;
    const [one, two] = [await start(script, own), await start(script, own)];
    const first = idOf(await one.submit(message("m1")));
    const second = idOf(await two.submit(message("m2", first)));
    const third = idOf(await one.submit(message("m3", first)));
    expect(new Set([first, second, third]).size).toBe(3);
    for (const name of gates.keys()) {
      await pass(1_000);
      gates.get(name)?.open();
    }
    await pass(1_000);
    expect(told).toEqual([first, second, third].flatMap((id) => [`${id} begins`, `${id} ends`]));
    for (const { agent } of [one, two]) expect(agent.requests.length).toBeGreaterThan(0);
    expect((await follow(one.runtime, second)).task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it("refuse a second message at either while it runs, and take one answer to its question", async () => {
    const { start, pass } = replicas();
    const asks = [
      { type: "input-required", request: { requestId: "q", kind: "approval", calls: [] } },
      ...asking(),
    ] as const;
    const hold = gate();
    const script: AgentScript = async function* ({ history }) {
      await hold.opened;
      yield* history.length === 0 ? asks : answering(["Done."]);
    };
    const [one, two] = [await start(script), await start(script)];
    const id = idOf(await one.submit(message("m")));
    await expect(two.submit(message("m2", id))).rejects.toThrow(/still being worked on/);
    hold.open();
    await pass(300);
    const answers = await Promise.allSettled([
      one.submit(message("a", id)),
      two.submit(message("a", id)),
      two.submit(message("b", id)),
    ]);
    await pass(1_000);
    expect(one.agent.requests.length + two.agent.requests.length).toBe(2);
    expect(answers.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(2);
    expect((await follow(two.runtime, id)).task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });
});

describe("a process that is killed", () => {
  it("has its task ended as failed by the other within 10 s, before those who follow it", async () => {
    const { start, pass, store } = replicas();
    const agent = halves();
    const [one, two] = [await start(agent.script), await start(() => answering(["no"]))];
    const id = idOf(await one.submit(message("m")));
    await agent.begun;
    await pass(100);
    const reader = follow(two.runtime, id);
    one.kill();
    agent.goOn();
    await pass(4_000);
    expect((await store.load("", id))?.task.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    await pass(6_000);
    const { task } = await reader;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(JSON.stringify(task)).toContain("agent.restarted");
    expect(task).toEqual((await store.load("", id))?.task);
    expect(two.agent.requests).toEqual([]);
  });

  it("has its work taken up once by whoever can, and told from its start", async () => {
    const { start, pass } = replicas();
    const agent = halves();
    const one = await start(agent.script, { handOver: true });
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await start(() => answering(["Whole"]), { handOver: true }));
    const id = idOf(await one.submit(message("m")));
    await agent.begun;
    one.kill();
    await pass(10_000);
    const requests = others.flatMap((other) => other.agent.requests);
    expect(requests).toMatchObject([{ runId: id, recovered: true }]);
    for (const { runtime } of others) {
      const { task } = await follow(runtime, id);
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(wordsOf(task)).toBe("Whole");
    }
  });

  it("has its task canceled by the other at once it is known to be gone", async () => {
    const { start, pass } = replicas();
    const agent = halves();
    const [one, two] = [await start(agent.script), await start(() => answering(["no"]))];
    const id = idOf(await one.submit(message("m")));
    await agent.begun;
    one.kill();
    const canceled = two.runtime.cancel("", id);
    await pass(10_000);
    const { status } = await canceled;
    expect([TaskState.TASK_STATE_CANCELED, TaskState.TASK_STATE_FAILED]).toContain(status?.state);
  });

  it("and was only asleep, finds that it is too late and tells nobody anything else", async () => {
    const { start, pass, store } = replicas();
    const agent = halves();
    let asleep = false;
    const one = await start(agent.script, {
      store: (given) => ({
        ...given,
        shared: {
          ...given.shared,
          renew: async (holder: string) => (asleep ? undefined : given.shared?.renew(holder)),
        } as NonNullable<TaskStore["shared"]>,
        unfinished: async function* () {
          if (!asleep) yield* given.unfinished();
        },
      }),
    });
    await start(() => answering(["no"]));
    const id = idOf(await one.submit(message("m")));
    await agent.begun;
    const reader = follow(one.runtime, id);
    asleep = true;
    await pass(10_000);
    const failed = await store.load("", id);
    expect(failed?.task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    agent.goOn();
    await pass(1_000);
    expect(await store.load("", id)).toEqual(failed);
    await reader;
    expect((await follow(one.runtime, id)).task).toEqual(failed?.task);
  });
});

describe("a process that shares a store", () => {
  it("lets go of what it has when it closes, so that others go on at once", async () => {
    const { start, pass } = replicas();
    const agent = halves();
    const one = await start(agent.script, { handOver: true });
    const two = await start(() => answering(["Whole"]), { handOver: true });
    const id = idOf(await one.submit(message("m")));
    await agent.begun;
    await one.runtime.close();
    await pass(2_000);
    expect(two.agent.requests).toHaveLength(1);
    expect(wordsOf((await follow(two.runtime, id)).task)).toBe("Whole");
  });

  it("leaves nothing working of a claim that came through though its answer did not", async () => {
    const { start, pass, store } = replicas();
    let broken = true;
    const one = await start(() => answering(["no"]), {
      store: (given) => ({
        ...given,
        shared: given.shared as NonNullable<TaskStore["shared"]>,
        async claim(...claim) {
          const claimed = await given.claim(...claim);
          if (broken) throw new StoreError("store.io", "the connection broke");
          return claimed;
        },
      }),
    });
    await expect(one.submit(message("m"))).rejects.toMatchObject({ code: "store.io" });
    broken = false;
    await pass(2_000);
    const id = await store.taskOf("", "m");
    expect((await store.load("", id ?? ""))?.task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(one.agent.requests).toEqual([]);
    expect(idOf(await one.submit(message("m")))).toBe(id);
  });
});
