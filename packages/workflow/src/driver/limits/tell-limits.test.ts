import { emptyTurn, reduceTurn, type AgentEvent } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { tryWorkflow } from "../../testing/index.ts";
import { MAX_RESULT_CHARS } from "./tell-limits.ts";

const steps = [{ id: "a", agent: "a-agent", instruction: "do a", timeout_seconds: 1 }];
const at = (seq: number) => ({ v: 1, runId: "own", seq, attempt: 1, agent: "a-agent" }) as const;
/** One long text, piece by piece. */
const words = (n: number): AgentEvent =>
  n === 0
    ? { ...at(0), type: "text-start", itemId: "t", role: "answer" }
    : { ...at(n), type: "text-delta", itemId: "t", delta: "word " };
const finish = (seq: number): AgentEvent => ({
  ...at(seq),
  type: "finish",
  outcome: "completed",
  response: {
    is_task_complete: true,
    require_user_input: false,
    content: "do a",
    metadata: { user_input: false, question: "", input_fields: [] },
    citations: [],
    data: null,
  },
  answerItems: ["t"],
});
const notes = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === "text-delta" && event.itemId === "not-shown" ? [event.delta] : [],
  );

describe("an agent that tells more than is kept of a step", () => {
  it("fills neither the log nor the memory, and its result is taken all the same", async () => {
    const tellLimits = { events: 50, chars: 1_000_000 };
    const trial = await tryWorkflow({ steps }, () => ({ ms: 100, tells: words }), { tellLimits });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "completed", response: { content: "do a" } });
    const told = trial.events().filter(({ stepId }) => stepId === "a");
    // The 50, and the four events of the note.
    expect(told).toHaveLength(54);
    expect(notes(told)).toEqual([
      "What a-agent did further is not shown: it told more than is kept of a step.",
    ]);
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
  });

  it("is ended by the step's time when no result comes", async () => {
    const tellLimits = { events: 50, chars: 1_000_000 };
    const trial = await tryWorkflow({ steps }, () => ({ never: true, tells: words }), { tellLimits });
    const outcome = await trial.outcome();
    expect(outcome.steps[0]).toMatchObject({ ms: 1_000, error: { code: "agent.timeout" } });
    expect(trial.gateway.canceled).toEqual(["task-1"]);
    expect(trial.events().length).toBeLessThan(70);
  });

  it("is cut by size too, and one huge event is left out as a whole", async () => {
    const huge: AgentEvent = {
      ...words(1),
      seq: 3,
      type: "text-delta",
      itemId: "t",
      delta: "x".repeat(9_000),
    };
    const events = [words(0), words(1), words(2), huge, words(4), finish(5)];
    const trial = await tryWorkflow({ steps }, () => ({ ms: 10, events }), {
      tellLimits: { events: 100, chars: 5_000 },
    });
    await trial.outcome();
    const told = trial.events().filter(({ stepId }) => stepId === "a");
    expect(told.map(({ type, seq }) => `${type} ${seq}`)).toEqual([
      "text-start 0",
      "text-delta 1",
      "text-delta 2",
      "text-start 3",
      "text-delta 3",
      "text-role 3",
      "text-end 3",
      "finish 5",
    ]);
    const turn = trial.events().reduce(reduceTurn, emptyTurn);
    // Its text was not told to the end: no item says it were the answer.
    expect(turn.content).toBe("do a");
    expect(told.at(-1)).toMatchObject({ answerItems: [] });
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", answerItems: [] });
  });

  it("is told of in the same words when it is joined again after a crash", async () => {
    const tellLimits = { events: 50, chars: 1_000_000 };
    const first = await tryWorkflow({ steps }, () => ({ ms: 100, tells: words }), { tellLimits });
    await first.clock.advance(50);
    const second = await first.crash();
    await second.outcome();
    expect(notes(second.events())).toHaveLength(1);
    expect(second.events().filter(({ stepId }) => stepId === "a")).toHaveLength(54);
  });
});

it("fails a step whose result is too large to be handed on, and says what to do", async () => {
  const answer = "x".repeat(MAX_RESULT_CHARS);
  const trial = await tryWorkflow({ steps }, () => ({ result: { answer } }));
  const { error } = (await trial.outcome()).steps[0] ?? {};
  expect(error).toMatchObject({ code: "agent.protocol" });
  expect(error?.message).toMatch(/a-agent.* 8,388,608; .* as a file/);
});
