import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgentEventBody } from "../event.ts";
import { arbitraryRun } from "../testing/arbitrary-run.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { eventMaker, finishOf, textOf } from "../testing/run-events.ts";
import { reduceTurn } from "../turn/reduce.ts";
import { emptyTurn, type TurnState } from "../turn/state.ts";
import { LineBuffer } from "./line-buffer.ts";
import { replyOperation } from "./reply-feed.ts";

/** A message of a chat service: text is added to it or replaced, and calls fail. */
function fakeSlack(fails: readonly boolean[]) {
  const left = [...fails];
  let text = "";
  const call = (change: () => void): Promise<void> => {
    if (left.shift() === true)
      return Promise.reject(Object.assign(new Error("ratelimited"), { retryAfterMs: 2000 }));
    change();
    return Promise.resolve();
  };
  return {
    append: (more: string) => call(() => (text += more)),
    update: (whole: string) => call(() => (text = whole)),
    get text() {
      return text;
    },
  };
}

/** What an app for such a service does with the states of a turn. */
function follow(slack: ReturnType<typeof fakeSlack>, clock = manualClock()) {
  const buffer = new LineBuffer({ send: (text) => slack.append(text), clock });
  let shown = "";
  let work = Promise.resolve();
  const replace = async (text: string): Promise<void> => {
    await buffer.discard();
    for (;;) {
      try {
        return await slack.update(text);
      } catch {
        await clock.sleep(1000);
      }
    }
  };
  const take = async (state: TurnState): Promise<void> => {
    const operation = replyOperation(shown, state);
    if (operation?.type === "append") buffer.append(operation.text);
    if (operation?.type === "replace") await replace(operation.text);
    if (operation !== undefined) shown = state.content;
  };
  return {
    clock,
    show(state: TurnState): void {
      work = work.then(() => take(state));
    },
    async end(): Promise<void> {
      await work;
      await buffer.close();
    },
  };
}

describe("a channel that can add and replace", () => {
  it("ends with the reply of the turn, whatever happens in it and whichever calls fail", async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryRun,
        fc.array(fc.boolean(), { maxLength: 6 }),
        fc.array(fc.nat({ max: 1200 }), { minLength: 1, maxLength: 8 }),
        async ({ events }, fails, waits) => {
          const slack = fakeSlack(fails);
          const channel = follow(slack);
          let state = emptyTurn;
          let now = 0;
          for (const [n, event] of events.entries()) {
            state = reduceTurn(state, event);
            channel.show(state);
            await channel.clock.moveTo((now += waits[n % waits.length] ?? 0));
          }
          const end = { reached: false };
          const ended = channel.end().finally(() => (end.reached = true));
          // A pause may begin only after others have ended.
          while (!end.reached) await channel.clock.moveTo((now += 1_000_000));
          await ended;
          expect(slack.text).toBe(state.content);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("adds to an answer while it grows, and replaces a draft that turned out to be narration", () => {
    const event = eventMaker();
    const bodies: AgentEventBody[] = [
      ...textOf("t1", ["I look", " it up."], "open"),
      { type: "text-role", itemId: "t1", role: "narration" },
      ...textOf("t2", ["It is", " 2.4 m."], "answer"),
      finishOf("It is 2.4 m.", ["t2"]),
    ];
    let state = emptyTurn;
    let shown = "";
    const operations = bodies.flatMap((body) => {
      state = reduceTurn(state, event(body));
      const operation = replyOperation(shown, state);
      if (operation === undefined) return [];
      shown = state.content;
      return [operation];
    });
    expect(operations).toEqual([
      { type: "append", text: "I look" },
      { type: "append", text: " it up." },
      { type: "replace", text: "It is" },
      { type: "append", text: " 2.4 m." },
    ]);
    const canceled = reduceTurn(emptyTurn, event(finishOf("", [], "canceled")));
    expect(replyOperation("half an an", canceled)).toEqual({ type: "replace", text: "" });
  });
});
