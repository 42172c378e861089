import { checkFormValues } from "@troupe/core";
import type { Answered, InputReply, InputRequest } from "@troupe/stream";

import { answerSignal } from "../../engine/answer-signal.ts";
import { readAnswer } from "../../engine/answer-value.ts";
import { checkReply } from "../../engine/check-reply.ts";
import type { Pending, Settled } from "../../engine/port.ts";
import type { SettledError } from "../../engine/settled-error.ts";
import type { DagSpec } from "../../schema/spec.ts";
import type { StepHost } from "../host.ts";
import { stamp } from "../stamped.ts";

/** What of a run it takes to ask. */
export type AskingHost = Pick<StepHost, "ctx" | "services" | "lastAt" | "read" | "emit" | "drop">;

export interface Question {
  /** Under the id it has in the run. */
  readonly request: InputRequest;
  /** How long it may be answered; for ever when absent. */
  readonly expiresMs?: number;
  /** Takes the form's own values when nobody answered in time. */
  readonly orDefaults?: boolean;
  /** Whose event it is; the run's own when absent. */
  readonly at?: { readonly stepId: string; readonly attempt: number };
  /** Calls back when it settles, unless it is given up before. */
  readonly hold: (pending: Pending, on: (settled: Settled) => void) => void;
  readonly on: (end: AskedEnd) => void;
}

/** What came of a question. */
export type AskedEnd =
  | {
      readonly ok: true;
      readonly reply: InputReply;
      readonly answered?: Answered;
      readonly spec?: DagSpec;
    }
  | { readonly ok: false; readonly error: SettledError };

/**
 * Asks a person and waits for the signal that answers. The time there is for it goes on while nobody runs:
 * it is promised to people, not to agents.
 */
export function askPerson(host: AskingHost, question: Question): void {
  const { ctx } = host;
  const { expiresMs, hold, on } = question;
  const { requestId } = question.request;
  const request: InputRequest =
    expiresMs === undefined ? question.request : { ...question.request, expiresAt: host.lastAt + expiresMs };
  host.emit(`ask/${requestId}`, { type: "input-required", request }, question.at);
  const asked = ctx.waitSignal(answerSignal(requestId));
  const expiry = expiresMs === undefined ? undefined : ctx.timer(`${requestId}/expiry`, expiresMs);
  hold(asked, (settled) => {
    if (expiry) host.drop(expiry);
    on(readEnd(request, settled));
  });
  if (expiry === undefined || expiresMs === undefined) return;
  hold(expiry, () => {
    host.drop(asked);
    // A timer carries no time; this entry is where the run learns when it fell due.
    const noted = ctx.step(`${requestId}/expired`, () => stamp(host.services.clock, async () => ({})));
    hold(noted, (stamped) => {
      const { endedAt } = host.read(stamped);
      on(question.orDefaults === true ? takeDefaults(request, endedAt) : expired(requestId, expiresMs));
    });
  });
}

function readEnd(request: InputRequest, settled: Settled): AskedEnd {
  const { reply, answered, spec } = readAnswer(settled.ok ? settled.value : null);
  const check = checkReply(request, reply);
  if (check.ok)
    return {
      ok: true,
      reply: check.reply,
      ...(answered === undefined ? {} : { answered }),
      ...(spec === undefined ? {} : { spec }),
    };
  const message = `the answer to "${request.requestId}" cannot be used: ${check.issues.join("; ")}`;
  return { ok: false, error: { code: "input.invalid", message, retryable: false } };
}

function takeDefaults(request: InputRequest, at: number): AskedEnd {
  const { requestId } = request;
  const checked = request.kind === "form" ? checkFormValues(request.form, {}) : { ok: false as const };
  if (checked.ok)
    return {
      ok: true,
      reply: { requestId, values: checked.values },
      answered: { requestId, at, through: "default" },
    };
  const message = `nobody answered "${requestId}" in time, and its form has no values of its own`;
  return { ok: false, error: { code: "input.expired", message, retryable: false } };
}

function expired(requestId: string, ms: number): AskedEnd {
  const message = `nobody answered "${requestId}" within ${inWords(ms)}`;
  return { ok: false, error: { code: "input.expired", message, retryable: false } };
}

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** In the largest unit it is a whole number of. */
function inWords(ms: number): string {
  const seconds = ms / 1_000;
  const [size, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, "s"];
  return `${seconds / size} ${unit}`;
}
