import type { Answered } from "@troupe/stream";

import { fromJson } from "../engine/json.ts";
import { PLAN_REQUEST, planHash, planRequest } from "../engine/plan-request.ts";
import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import type { RunInput, RunOutcome } from "../engine/run.ts";
import type { DagSpec } from "../schema/spec.ts";
import { askPerson, type AskedEnd, type AskingHost } from "./steps/ask-person.ts";
import { conclude } from "./answer/conclude.ts";
import { notRun } from "./not-run.ts";
import type { DriverServices } from "./options.ts";
import type { RunStory } from "./run-story.ts";
import { readStamp, stamp, type Stamped } from "./stamped.ts";
import { Waits } from "./waits.ts";

export interface PlanApproval {
  readonly ctx: EngineContext;
  readonly spec: DagSpec;
  readonly input: RunInput;
  readonly approval: NonNullable<RunInput["approval"]>;
  readonly services: DriverServices;
  readonly story: RunStory;
  readonly cancelSignal: Pending;
}

/** The plan that was approved and by whom, or how the run ends in which none was. */
export type PlanWord =
  | { readonly ok: true; readonly spec: DagSpec; readonly approved: Answered }
  | { readonly ok: false; readonly outcome: RunOutcome };

type Refused = { readonly canceled: string } | { readonly cut: { code: string; message: string } };

/**
 * Before anything of a run begins, a person says what does: the plan that is shown, another in its place,
 * or nothing. It waits as any question does, over restarts, for as long as there is time.
 */
export function approvePlan(parts: PlanApproval): Promise<PlanWord> {
  return new AskingForPlan(parts).ask();
}

class AskingForPlan implements AskingHost {
  readonly ctx: EngineContext;
  readonly services: DriverServices;
  readonly #parts: PlanApproval;
  readonly #waits: Waits;
  #lastAt = 0;
  #word: PlanWord | undefined;

  constructor(parts: PlanApproval) {
    this.ctx = parts.ctx;
    this.services = parts.services;
    this.#parts = parts;
    this.#waits = new Waits(parts.ctx);
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  read<T>(settled: Settled): Stamped<T> {
    const stamped = readStamp<T>(settled, this.#lastAt);
    this.#lastAt = Math.max(this.#lastAt, stamped.endedAt);
    return stamped;
  }

  emit(...told: Parameters<AskingHost["emit"]>): void {
    this.#parts.story.emit(...told);
  }

  drop(pending: Pending): void {
    this.#waits.drop(pending);
  }

  async ask(): Promise<PlanWord> {
    const { spec, approval, cancelSignal } = this.#parts;
    const asked = this.ctx.step(`${PLAN_REQUEST}/asked`, () => stamp(this.services.clock, async () => ({})));
    this.#waits.watch(asked, (settled) => {
      this.read(settled);
      const { expiresMs } = approval;
      askPerson(this, {
        request: planRequest(spec, approval.workflow),
        ...(expiresMs === undefined ? {} : { expiresMs }),
        hold: (pending, on) => this.#waits.watch(pending, on),
        on: (end) => this.#decide(end),
      });
    });
    for (;;) {
      if (this.#word) return this.#word;
      const settled = await this.ctx.next([cancelSignal, ...this.#waits.pendings]);
      if (settled.id === cancelSignal.id) this.#cancel(settled);
      else this.#waits.settle(settled);
    }
  }

  #decide(end: AskedEnd): void {
    if (!end.ok) {
      const { code, message } = end.error;
      this.#refuse({ cut: { code, message } });
      return;
    }
    const { spec } = this.#parts;
    const approved = end.answered ?? { requestId: PLAN_REQUEST, at: this.#lastAt, through: "signal" };
    const [decision] = "decisions" in end.reply ? end.reply.decisions : [];
    if (decision?.type === "approve") this.#word = { ok: true, spec, approved };
    else if (decision?.type === "edit" && end.spec) this.#word = { ok: true, spec: end.spec, approved };
    else if (decision?.type === "reject") this.#refuse({ canceled: rejected(decision) });
    else
      this.#refuse({
        cut: { code: "input.invalid", message: "the plan in place of the one asked about is missing" },
      });
  }

  #cancel(settled: Settled): void {
    this.#waits.dropAll();
    const value = settled.ok ? fromJson<{ readonly reason?: unknown } | null>(settled.value) : null;
    this.#refuse({ canceled: typeof value?.reason === "string" ? value.reason : "canceled" });
  }

  #refuse(why: Refused): void {
    this.#word = { ok: false, outcome: refused(this.#parts, why, this.#lastAt) };
  }
}

function rejected({ reason }: { readonly reason: string }): string {
  return `the plan was rejected${reason === "" ? "" : `: ${reason}`}`;
}

function refused({ ctx, spec, input, story }: PlanApproval, why: Refused, at: number): RunOutcome {
  const [reason, state] =
    "canceled" in why ? [why.canceled, "canceled" as const] : [why.cut.message, "skipped" as const];
  const results = new Map(
    spec.steps.map((step) => {
      story.state(step, state, reason);
      return [step.id, { ...notRun(step, reason, state, at), state, ms: 0 }] as const;
    }),
  );
  const outcome = conclude({ runId: ctx.runId, spec, input, results, ...why });
  story.finish(outcome, []);
  return outcome;
}

/** What is on record of a plan that a person approved; `begun` is the one that was asked about. */
export function planOnRecord(
  { spec, approved }: Extract<PlanWord, { readonly ok: true }>,
  begun: DagSpec,
): NonNullable<RunOutcome["plan"]> {
  const hash = planHash(spec);
  return { hash, approved, ...(hash === planHash(begun) ? {} : { spec }) };
}
