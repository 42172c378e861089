import { answeredSchema } from "@troupe/core";
import type { Answered, InputReply, Json } from "@troupe/stream";
import { z } from "zod";

import type { DagSpec } from "../schema/spec.ts";
import { fromJson, toJson } from "./json.ts";

/** An answer as its signal carries it. */
export interface AnswerValue {
  /** Not checked yet. */
  readonly reply: Json;
  /** Absent in what was signalled by others than `answerValue`, and in journals before it. */
  readonly answered?: Answered;
  /** The plan that runs from now on, where it was edited. */
  readonly spec?: DagSpec;
}

const carriedSchema = z.looseObject({ answered: answeredSchema });

/**
 * The value of the signal that answers a request: every door that takes answers (command line, A2A, HTTP,
 * library) hands in the same. `spec` is the plan that an edit puts in place of the one that was asked about.
 */
export function answerValue(reply: InputReply, answered: Omit<Answered, "requestId">, spec?: DagSpec): Json {
  const { requestId } = reply;
  return toJson({
    ...reply,
    answered: { requestId, ...answered },
    ...(spec === undefined ? {} : { spec }),
  });
}

/** Reads it back; a reply alone is one too. */
export function readAnswer(value: Json): AnswerValue {
  const carried = carriedSchema.safeParse(value);
  if (!carried.success) return { reply: value };
  const { answered: _, spec, ...reply } = fromJson<{ readonly [key: string]: Json }>(value);
  return {
    reply,
    answered: carried.data.answered,
    ...(spec === undefined ? {} : { spec: fromJson<DagSpec>(spec) }),
  };
}
