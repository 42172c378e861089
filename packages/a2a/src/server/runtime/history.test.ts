import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { doneTask, said } from "../../testing/task-store/fixtures.ts";
import { artifactOf, textPart } from "../../wire/parts.ts";
import { historyOf } from "./history.ts";

interface Said {
  readonly asked: string;
  readonly answer: string;
  /** Characters of what is no answer. */
  readonly besides?: number;
}

/** A conversation, oldest first, in a store that counts what is read of it. */
async function conversation(all: readonly Said[]) {
  const store = createMemoryTaskStore({ clock: virtualClock(), maxBytes: 1e9 });
  for (const [i, { asked, answer, besides = 0 }] of all.entries()) {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + i).toISOString();
    const task = {
      ...doneTask(`t${i}`, { timestamp }),
      artifacts: [
        artifactOf("draft", "streaming_result", [textPart("x".repeat(besides))]),
        artifactOf("end", "final_result", [textPart(answer)]),
      ],
      history: [said(`m${i}`, asked)],
    };
    await store.claim("ann", `m${i}`, task, { version: 0 });
  }
  const read = { lists: 0, tasks: 0 };
  const counting: TaskStore = {
    ...store,
    async list(owner, query) {
      const page = await store.list(owner, query);
      read.lists++;
      read.tasks += page.tasks.length;
      return page;
    },
  };
  const history = await historyOf(counting, "ann", "c");
  return { history, read };
}

const short = (i: number): Said => ({ asked: `asked ${i}`, answer: `answered ${i}` });
const turnsOf = ({ asked, answer }: Said) => [
  { role: "user", text: asked },
  { role: "agent", text: answer },
];

describe("what was said before", () => {
  it("is read at once of the last 50 tasks, oldest first", async () => {
    const all = Array.from({ length: 60 }, (_, i) => short(i));
    const { history, read } = await conversation(all);
    expect(history).toEqual(all.slice(10).flatMap(turnsOf));
    expect(read).toEqual({ lists: 1, tasks: 50 });
  });

  it("is the newest turns that fit, whole, and hardly more is read", async () => {
    const large: Said = { asked: "x".repeat(1_000_000), answer: "read" };
    const all = [...Array.from({ length: 20 }, () => large), short(1), short(2)];
    const { history, read } = await conversation(all);
    const [answer] = turnsOf(large).slice(1);
    expect(history).toEqual([answer, ...turnsOf(short(1)), ...turnsOf(short(2))]);
    expect(read).toEqual({ lists: 2, tasks: 3 });
  });

  it("leaves out what is over its bound by little too", async () => {
    const all = Array.from({ length: 9 }, (_, i) => ({ asked: `${i}`.repeat(60_000), answer: "done" }));
    const { history } = await conversation(all);
    expect(history.map(({ text }) => text[0])).toEqual(["d", "5", "d", "6", "d", "7", "d", "8", "d"]);
  });

  it("looks into few tasks that are large by what nobody said", async () => {
    const all = Array.from({ length: 20 }, (_, i) => ({ ...short(i), besides: 1_000_000 }));
    const { history, read } = await conversation(all);
    expect(history).toEqual(all.slice(-read.tasks).flatMap(turnsOf));
    expect(read).toEqual({ lists: 4, tasks: 4 });
  });
});
