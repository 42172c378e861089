import * as fc from "fast-check";

import type { AgentEvent, AgentEventBody } from "../event.ts";
import type { StepState } from "../plan.ts";
import { eventMaker, finishOf, textOf, type At } from "./run-events.ts";

/** One round of whoever emits: a text, calls with text between call and result, and how it goes on. */
interface Round {
  readonly pieces: readonly string[];
  readonly born: "open" | "answer";
  /** What becomes of open text that is not the last. */
  readonly settles: "narration" | "answer";
  readonly calls: readonly { readonly between: string; readonly status: "ok" | "error" }[];
  readonly after: "next" | "retry-named" | "retry-all";
}

const piece = fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 });
const round: fc.Arbitrary<Round> = fc.record({
  pieces: fc.array(piece, { maxLength: 4 }),
  born: fc.constantFrom("open", "open", "answer"),
  settles: fc.constantFrom("narration", "narration", "answer"),
  calls: fc.array(
    fc.record({ between: fc.oneof(fc.constant(""), piece), status: fc.constantFrom("ok", "error") }),
    {
      maxLength: 2,
    },
  ),
  after: fc.constantFrom("next", "next", "next", "retry-named", "retry-all"),
});

interface Emission {
  readonly events: readonly { readonly body: AgentEventBody; readonly at: At }[];
  /** Items of role answer that no retry superseded, with their text. */
  readonly answers: readonly { readonly id: string; readonly attempt: number; readonly text: string }[];
}

/** What one emitter does, told by the rules an emitter keeps. */
function emission(rounds: readonly Round[], stepId: string | undefined): Emission {
  const events: { body: AgentEventBody; at: At }[] = [];
  let attempt = 1;
  let answers: Emission["answers"] = [];
  const step = stepId === undefined ? {} : { stepId };
  const emit = (...bodies: AgentEventBody[]): void => {
    for (const body of bodies) events.push({ body, at: { ...step, attempt } });
  };
  for (const [n, { pieces, born, settles, calls, after }] of rounds.entries()) {
    const id = `t${n}`;
    const text = pieces.join("");
    if (text !== "") {
      emit(...textOf(id, pieces, born));
      if (born === "open") emit({ type: "text-role", itemId: id, role: settles });
      emit({ type: "text-end", itemId: id });
      if (born === "answer" || settles === "answer") answers = [...answers, { id, attempt, text }];
    }
    for (const [m, { between, status }] of calls.entries()) {
      const call = { callId: `c${n}.${m}`, tool: "look" };
      emit({ type: "tool-start", ...call, arguments: { n } });
      if (between !== "") {
        emit(...textOf(`b${n}.${m}`, [between], "open"));
        emit({ type: "text-role", itemId: `b${n}.${m}`, role: "narration" });
      }
      emit({ type: "tool-end", ...call, status, summary: status, ms: m });
    }
    if (after === "next") continue;
    attempt++;
    const named = after === "retry-named";
    emit({ type: "attempt-start", reason: "broke", ...(named ? { items: [id, `c${n}.0`] } : {}) });
    answers = named ? answers.filter((answer) => answer.id !== id) : [];
  }
  return { events, answers };
}

export interface ArbitraryRun {
  /** A whole run, the finish last. */
  readonly events: readonly AgentEvent[];
  readonly content: string;
}

const statuses: fc.Arbitrary<readonly StepState[]> = fc.array(
  fc.constantFrom<StepState[]>("in_progress", "completed", "failed", "input_required", "pending", "skipped"),
  { maxLength: 4 },
);

/** Runs with two steps that interleave at random; the last words of the run itself are its answer. */
export const arbitraryRun: fc.Arbitrary<ArbitraryRun> = fc
  .record({
    own: fc.array(round, { maxLength: 4 }),
    steps: fc.tuple(fc.array(round, { maxLength: 3 }), fc.array(round, { maxLength: 3 })),
    states: fc.tuple(statuses, statuses),
    order: fc.array(fc.nat({ max: 4 }), { maxLength: 120 }),
    outcome: fc.constantFrom("completed", "partial", "failed", "canceled", "input-required"),
  })
  .map(({ own, steps, states, order, outcome }) => {
    const run = emission(own, undefined);
    const status = (step: string, list: readonly StepState[]) =>
      list.map((state) => ({ body: { type: "step-status", step, state } as const, at: {} }));
    const queues: { body: AgentEventBody; at: At }[][] = [
      [...run.events],
      [...emission(steps[0], "s1").events],
      [...emission(steps[1], "s2").events],
      status("s1", states[0]),
      status("s2", states[1]),
    ];
    const mixed = [...order.flatMap((n) => queues[n]?.splice(0, 1) ?? []), ...queues.flat()];
    const content = run.answers.map(({ text }) => text).join("");
    const names = run.answers.map(({ id, attempt }) => `/${attempt}/${id}`);
    const event = eventMaker();
    const events = [
      ...mixed.map(({ body, at }) => event(body, at)),
      event(finishOf(content, names, outcome), {}),
    ];
    return { events, content };
  });
