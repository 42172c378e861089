import { clip } from "@troupe/core";

import type { Thread, ThreadStep, ThreadTurn } from "../thread/thread.ts";

/** Characters of an instruction, of the answer of the last turns and of those before, and of a request. */
const MAX_INSTRUCTION = 4_000;
const MAX_ANSWER = 1_500;
const MAX_OLD_ANSWER = 300;
const MAX_ASKED = 1_000;
/** Turns whose answer is told at more length. */
const LATEST = 3;
/** Turns that are told; those before are counted. */
const MAX_TOLD = 10;
/** Steps of one turn. */
const MAX_STEPS = 20;

type ToldStep = {
  readonly name: string;
  readonly id: string;
  readonly kind: "agent" | "human";
  readonly agent: string;
  readonly instruction: string;
  /** Names of results, of its own run and of earlier ones. */
  readonly inputs: readonly string[];
  /** Whether its results can be used. */
  readonly found: boolean;
  readonly citations: number;
  readonly charts: number;
  readonly files: readonly string[];
};

/** A turn of a conversation in the prompt of the planner. */
type ToldTurn = {
  readonly turn: number;
  readonly asked: string;
  readonly status: string;
  readonly reason?: string;
  readonly answer: string;
  readonly answer_step?: string;
  readonly steps: readonly ToldStep[];
};

/** Bounded: of a long conversation the last turns, of a long answer its beginning. */
export function tellThread(thread: Thread): readonly ToldTurn[] {
  const last = thread.slice(-MAX_TOLD);
  return last.map((turn, index) => tellTurn(turn, index >= last.length - LATEST));
}

function tellTurn(turn: ThreadTurn, latest: boolean): ToldTurn {
  return {
    turn: turn.turn,
    asked: clip(turn.asked, MAX_ASKED),
    status: turn.status,
    ...(turn.reason === undefined ? {} : { reason: clip(turn.reason, MAX_OLD_ANSWER) }),
    answer: clip(turn.answer, latest ? MAX_ANSWER : MAX_OLD_ANSWER),
    ...(turn.answerStep === undefined ? {} : { answer_step: turn.answerStep }),
    steps: turn.steps.slice(-MAX_STEPS).map((step) => tellStep(step, turn)),
  };
}

function tellStep(step: ThreadStep, { turn }: ThreadTurn): ToldStep {
  const { name, id, kind, agent, instruction, dependsOn, earlier, result } = step;
  return {
    name,
    id,
    kind,
    agent,
    // Not clipped to one line: it may be asked of an agent once more, as it is.
    instruction: instruction.slice(0, MAX_INSTRUCTION).toWellFormed(),
    // As they are handed over: what was found before comes first.
    inputs: [...earlier, ...dependsOn.map((of) => `turn${turn}.${of}`)],
    found: result !== undefined,
    citations: result?.citations.length ?? 0,
    charts: result?.data?.charts?.length ?? 0,
    files: (result?.artifacts ?? []).map((file) => file.name),
  };
}
