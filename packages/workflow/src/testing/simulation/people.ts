import type { Clock, Decision, InputRequest, Json, PendingCall } from "@troupe/stream";

import { answerSignal, humanRequestId, replyRequestId } from "../../engine/answer-signal.ts";
import { answerValue } from "../../engine/answer-value.ts";
import { PLAN_REQUEST, planHash, planIn } from "../../engine/plan-request.ts";
import type { SignalAnswer } from "../../engine/port.ts";
import type { DagSpec } from "../../schema/spec.ts";
import type { Dice } from "./dice.ts";
import type { Machine } from "./machine.ts";

/** What somebody answered, and what they were told. */
export interface Given {
  readonly value: Json;
  readonly told: SignalAnswer;
}

export interface People {
  /** By the id of the request. */
  readonly answers: ReadonlyMap<string, Given>;
  /** What was said to further answers to what had been answered. */
  readonly again: readonly SignalAnswer[];
  /** The run asks: somebody answers, some time later. */
  asked(request: InputRequest): void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** People who answer whatever they are asked, some of them before they are asked and some a second time. */
export function people(o: {
  readonly runId: string;
  readonly dice: Dice;
  readonly spec: DagSpec;
  readonly clock: Clock;
  readonly machine: Machine;
}): People {
  const { runId, dice, clock } = o;
  const answers = new Map<string, Given>();
  const again: SignalAnswer[] = [];
  const begun = new Set<string>();

  const tell = (requestId: string, value: Json, idempotencyKey: string): Promise<SignalAnswer | "early"> =>
    o.machine.ask(async (engine) => {
      const told = await engine.signal(runId, answerSignal(requestId), value, { idempotencyKey });
      // A run that has not begun yet.
      return told === "no-run" && (await engine.get(runId)) === null ? "early" : told;
    });
  const answer = async (requestId: string, added?: PendingCall): Promise<void> => {
    const value =
      requestId === PLAN_REQUEST
        ? wordOn(o.spec, dice)
        : added
          ? wordOnAdded(requestId, added, dice)
          : wordFor(requestId, dice);
    await clock.sleep(dice.below(dice.chance(0.3) ? MINUTE : HOUR));
    const told = await tell(requestId, value, requestId);
    if (told === "early") {
      await answer(requestId, added);
      return;
    }
    answers.set(requestId, { value, told });
    if (!dice.chance(0.2)) return;
    // The same again, and something else.
    const same = await tell(requestId, value, requestId);
    const other = await tell(requestId, { requestId, values: { word: "another" } }, `${requestId}, again`);
    for (const said of [same === told ? "duplicate" : same, other]) if (said !== "early") again.push(said);
  };
  const begin = (requestId: string, added?: PendingCall): void => {
    if (begun.has(requestId)) return;
    begun.add(requestId);
    void answer(requestId, added);
  };
  for (const { id, kind } of o.spec.steps)
    if (dice.chance(0.3)) begin(kind === "human" ? humanRequestId(id) : replyRequestId(id, 1));
  return { answers, again, asked: (request) => begin(request.requestId, planIn(request)) };
}

function wordFor(requestId: string, dice: Dice): Json {
  return { requestId, values: { word: `word ${dice.below(1_000)}` } };
}

/** On a plan: yes, no, or another, which differs in its name alone, so that what must hold of the one does of it. */
function wordOn(spec: DagSpec, dice: Dice): Json {
  const callId = planHash(spec);
  const who = { by: "somebody", at: dice.below(1_000), through: "simulation" };
  const say = (decision: Decision, edited?: DagSpec): Json =>
    answerValue({ requestId: PLAN_REQUEST, decisions: [decision] }, who, edited);
  if (dice.chance(0.2)) return say({ callId, type: "reject", reason: "no" });
  if (dice.chance(0.6)) return say({ callId, type: "approve" });
  return say({ callId, type: "edit", arguments: {} }, { ...spec, name: "edited" });
}

/** On steps that are added: yes or no. */
function wordOnAdded(requestId: string, { callId }: PendingCall, dice: Dice): Json {
  const decision: Decision = dice.chance(0.7)
    ? { callId, type: "approve" }
    : { callId, type: "reject", reason: "no" };
  const who = { by: "somebody", at: dice.below(1_000), through: "simulation" };
  return answerValue({ requestId, decisions: [decision] }, who);
}
