import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Message, Part } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { gate, virtualClock } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import { openSqliteTaskStore } from "../../store/sqlite/index.ts";
import { answering, plainMessage, scriptedAgent } from "../../testing/index.ts";
import { runtimeOptions } from "../../testing/runtime-options.ts";
import { dataPart, filePart, textPart } from "../../wire/parts.ts";
import { toMessage } from "../../wire/request.ts";
import { AgentRuntime } from "./agent-runtime.ts";
import type { Found } from "./found.ts";

const clock = virtualClock();

const stores = {
  "in memory": () => createMemoryTaskStore({ clock }),
  "on a file": () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-same-"));
    const store = openSqliteTaskStore({ path: join(folder, "tasks.db"), clock });
    onTestFinished(() => {
      store.close();
      rmSync(folder, { recursive: true });
    });
    return store;
  },
};

const says = (parts: Part[], more: Partial<Message> = {}): Message => ({
  ...(plainMessage("", { messageId: "m" }).message as Message),
  parts,
  ...more,
});
const idOf = (found: Found): string => ("task" in found ? found.task.id : "run" in found ? found.run.id : "");

describe.each(Object.entries(stores))("a message under an id that is known, with tasks %s", (_name, open) => {
  /** An agent whose task with message "m" is told to go on. */
  function served() {
    const goOn = gate();
    const scripted = scriptedAgent(async function* () {
      await goOn.opened;
      yield* answering(["Done."]);
    });
    const agent = { ...scripted, asksIn: ["workflow"] };
    const runtime = new AgentRuntime(runtimeOptions({ agent, clock, store: open() }));
    const submit = (message: Message, owner = "ann"): Promise<Found> =>
      runtime.submit(message, { owner, structured: false });
    const settle = async (found: Found): Promise<void> => {
      goOn.open();
      if ("run" in found) await found.run.whenSettled;
    };
    return { agent, submit, settle };
  }

  it("is refused where it says something else, at the same time, while the task runs and when it has ended", async () => {
    const { agent, submit, settle } = served();
    const other = says([textPart("Other.")]);
    const [first, second] = await Promise.allSettled([submit(says([textPart("One.")])), submit(other)]);
    if (first.status !== "fulfilled") throw first.reason;
    const id = idOf(first.value);
    const refused = {
      name: RequestMalformedError.name,
      message: `message.messageId "m" is that of another message, which task ${id} was sent; give each message an id of its own.`,
    };
    expect(second).toMatchObject({ status: "rejected", reason: refused });
    await expect(submit(other)).rejects.toMatchObject(refused);
    await settle(first.value);
    for (const message of [
      other,
      says([dataPart({ say: "One." })]),
      says([textPart("One."), textPart("And more.")]),
      says([textPart("One.")], { taskId: "another" }),
    ])
      await expect(submit(message)).rejects.toMatchObject(refused);
    expect(agent.requests).toHaveLength(1);
    // The ids of others are theirs.
    expect(idOf(await submit(other, "bob"))).not.toBe(id);
  });

  it("is refused where its metadata asks something else: of another collection, or what the agent says", async () => {
    const { agent, submit, settle } = served();
    const asks = (metadata: Record<string, unknown> | undefined) => says([textPart("One.")], { metadata });
    const first = await submit(asks({ collection: "a", workflow: { name: "One", steps: [1] } }));
    const others = [
      asks({ collection: "a", workflow: { name: "One", steps: [2] } }),
      asks({ collection: "b", workflow: { name: "One", steps: [1] } }),
      asks({ collection: "a", workflow: null }),
      asks(undefined),
    ];
    const same = asks({
      workflow: { steps: [1], name: "One" },
      collection: "a",
      tracestate: "a=1",
      tries: 2,
    });
    const tryAll = async () => {
      for (const other of others) await expect(submit(other)).rejects.toThrow(RequestMalformedError);
      expect(idOf(await submit(same))).toBe(idOf(first));
    };
    await tryAll();
    await settle(first);
    await tryAll();
    expect(agent.requests).toHaveLength(1);
  });

  it("leads to the first task where only what may differ does", async () => {
    const { agent, submit, settle } = served();
    const data = { nothing: null, below: -0, large: 1e300, text: "\0 \ud800 \u{10ffff}", list: [{}, []] };
    const parts = (url: string): Part[] => [
      textPart("One."),
      dataPart(data),
      filePart(url, "a.txt", "text/plain"),
    ];
    const first = await submit(says(parts("http://127.0.0.1:1/a")));
    const again = says(parts("http://127.0.0.1:2/a"), { metadata: { traceparent: "00-1-2-00", more: 1 } });
    const id = idOf(first);
    for (const message of [again, { ...again, taskId: id }]) expect(idOf(await submit(message))).toBe(id);
    await settle(first);
    for (const message of [again, { ...again, taskId: id }]) expect(idOf(await submit(message))).toBe(id);
    expect(agent.requests).toHaveLength(1);
  });

  it("leads to the first task where a step of a run asks it, whatever time the run has left", async () => {
    const { agent, submit, settle } = served();
    const step = (timeoutMs: number): Message => {
      const delegation = {
        v: 1 as const,
        objective: "All of it.",
        instruction: "Do it.",
        expectedOutput: "",
        allowedTools: [],
        limits: { timeoutMs },
        results: {},
      };
      return toMessage({ delegation }, "m");
    };
    const first = await submit(step(1_000));
    await settle(first);
    expect(idOf(await submit(step(10)))).toBe(idOf(first));
    expect(agent.requests).toHaveLength(1);
  });
});
