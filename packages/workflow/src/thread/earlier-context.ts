import {
  boundResults,
  earlierContextSchema,
  InputError,
  suggestNames,
  type EarlierTurn,
  type ResultBounds,
} from "@troupe/core";
import type { Outcome } from "@troupe/stream";

import type { RunInput } from "../engine/run.ts";
import type { DagSpec } from "../schema/spec.ts";
import type { Thread, ThreadTurn } from "./thread.ts";

/** Turns a step is told of. */
const MAX_TOLD = 10;
/** Characters of what was asked in one. */
const MAX_ASKED = 1_000;

const MIB = 1024 * 1024;

/**
 * What a run keeps of them: an engine takes no message of any size, and with the largest workflow these fit into
 * what the one on Restate takes. What a step is handed of that is bounded again.
 */
const KEPT_BOUNDS: ResultBounds = {
  answerChars: MIB,
  oneAnswerChars: MIB / 2,
  citationBytes: MIB,
  chartBytes: MIB,
  tableBytes: MIB / 2,
  dataBytes: MIB / 2,
  fileBytes: MIB / 4,
};

const ENDED: ReadonlySet<string> = new Set<Outcome>(["completed", "partial", "failed", "canceled"]);

/**
 * What the steps of a workflow are handed of the runs before it: the results they name, and what was asked.
 * Undefined where no step names any. Throws an `InputError` for a name that the conversation does not have.
 */
export function earlierContext(spec: DagSpec, thread: Thread): RunInput["earlier"] {
  const names = new Set(spec.steps.flatMap((step) => step.earlier ?? []));
  if (names.size === 0) return undefined;
  const found = thread.flatMap(({ steps }) => steps.flatMap(({ result }) => result ?? []));
  const known = new Map(found.map((result) => [result.stepId, result]));
  const results = [...names].map((name) => {
    const result = known.get(name);
    if (result !== undefined) return [name, result] as const;
    const step = spec.steps.find(({ earlier }) => earlier?.includes(name))?.id ?? "";
    throw new InputError(
      "input.invalid",
      `Step "${step}" builds on "${name}", and no earlier run of this conversation has such a result.${suggestNames(name, [...known.keys()])}`,
    );
  });
  const turns = thread.slice(-MAX_TOLD).map(toTurn);
  const bounded = boundResults(Object.fromEntries(results), KEPT_BOUNDS).results;
  return earlierContextSchema.parse({ v: 1, turns, results: bounded });
}

function toTurn({ turn, runId, asked, status }: ThreadTurn): EarlierTurn {
  const outcome = ENDED.has(status) ? { outcome: status as Outcome } : {};
  return { turn, runId, asked: asked.slice(0, MAX_ASKED).toWellFormed(), ...outcome };
}
