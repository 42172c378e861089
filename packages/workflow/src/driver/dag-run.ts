import type { StepResult } from "@troupe/core";
import {
  addUsage,
  NO_USAGE,
  type AgentEventBody,
  type Answered,
  type ErrorInfo,
  type StepState,
  type Usage,
} from "@troupe/stream";

import { fromJson } from "../engine/json.ts";
import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { Revision, RunInput, RunOutcome, StepOutcome } from "../engine/run.ts";
import type { MoreSteps } from "../planner/add-steps.ts";
import { answerStepOf, type DagSpec, type DagStep } from "../schema/spec.ts";
import { approveSteps } from "./approve-steps.ts";
import { AgentStep } from "./steps/agent-step.ts";
import { RunBudget, type Order } from "./limits/budget.ts";
import { conclude } from "./answer/conclude.ts";
import { RunDeadline } from "./limits/deadline.ts";
import { fitOutcome } from "./answer/fit-outcome.ts";
import type { ActiveStep, GivenUp, StepHost } from "./host.ts";
import { HumanStep } from "./steps/human-step.ts";
import { keptOutcome } from "./kept-outcome.ts";
import { limitTime } from "./limits/limit-time.ts";
import { endedElsewhere, notRun } from "./not-run.ts";
import type { DriverServices } from "./options.ts";
import { blockedBy } from "./policy.ts";
import { ResultRoom } from "./steps/result-room.ts";
import type { RunStory } from "./run-story.ts";
import { readStamp, stamp, type Stamped } from "./stamped.ts";
import { inNameOf } from "./steps/in-name-of.ts";
import { tellAgent, type Told } from "./steps/tell-agent.ts";
import { Waits } from "./waits.ts";
import { synthesisName, writeAnswer, type Written } from "./answer/write-answer.ts";

/** How long a run that is over waits for agents that still have to be told so. */
const DRAIN_MS = 15_000;

export interface DagRunParts {
  readonly ctx: EngineContext;
  /** Its plan is told already. */
  readonly spec: DagSpec;
  readonly input: RunInput;
  readonly services: DriverServices;
  readonly story: RunStory;
  readonly cancelSignal: Pending;
  /** Present where a person approved it. */
  readonly plan?: RunOutcome["plan"];
}

/** What is decided when a run begins. */
interface Begun {
  /** Whether a model writes the answer of `final: synthesize`; absent in journals of earlier versions. */
  readonly model?: boolean;
}

/** One pass of a workflow through the driver. Everything it decides follows from the journal. */
export class DagRun implements StepHost {
  readonly ctx: EngineContext;
  readonly input: RunInput;
  readonly services: DriverServices;
  readonly room = new ResultRoom();
  /** The current plan, with added steps. */
  #spec: DagSpec;
  readonly #waits: Waits;
  readonly #story: RunStory;
  readonly #deadline: RunDeadline;
  readonly #results = new Map<string, StepOutcome>();
  readonly #active = new Map<string, ActiveStep>();
  readonly #cancelSignal: Pending;
  readonly #budget: RunBudget;
  /** Steps whose question was answered, in that order, while as many agents worked as may. */
  #answered: (() => void)[] = [];
  readonly #answerStep: string | undefined;
  readonly #plan: RunOutcome["plan"];
  #answerItems: readonly string[] = [];
  /** As it was when the run began, whatever process ends it. */
  #modelWrites = false;
  #canceled: string | undefined;
  /** The deadline fell due. */
  #overdue = false;
  /** The run's own bound that ended it before it was done. */
  #cut: ErrorInfo | undefined;
  readonly #revisions: Revision[] = [];
  /** Usage of the model calls that asked for steps instead of answering. */
  #replanUsage = NO_USAGE;
  /** Why no further step starts. */
  #stopped: string | undefined;
  #lastAt = 0;

  constructor({ ctx, spec, input, services, story, cancelSignal, plan }: DagRunParts) {
    this.ctx = ctx;
    this.#spec = spec;
    this.input = input;
    this.services = services;
    this.#waits = new Waits(ctx);
    this.#story = story;
    this.#answerStep = answerStepOf(spec);
    this.#cancelSignal = cancelSignal;
    this.#plan = plan;
    this.#budget = new RunBudget(spec, {
      ended: (id) => this.#results.has(id),
      usedUp: (error, reason) => {
        this.#cut ??= error;
        this.#stopped ??= reason;
      },
    });
    if (input.planning) this.#budget.spend("planning", input.planning.usage);
    this.#deadline = new RunDeadline(ctx, spec.deadlineMs);
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  get leftMs(): number | undefined {
    return this.#deadline.leftMs(this.#lastAt);
  }

  get #hasModel(): boolean {
    return this.services.model !== undefined;
  }

  async drive(): Promise<RunOutcome> {
    this.watch(
      this.ctx.step("begin", () =>
        stamp(this.services.clock, async (): Promise<Begun> => ({ model: this.#hasModel })),
      ),
      (settled) => {
        const begun = this.read<Begun>(settled);
        if (begun.ok) this.#modelWrites = begun.value.model ?? this.#hasModel;
        this.#deadline.begin(begun.startedAt);
        this.#keep();
        this.#schedule();
      },
    );
    let written = await this.#write();
    while (written.more) {
      await this.#revise(written.more);
      written = await this.#write();
    }
    const { synthesis, cut } = written;
    this.#cut ??= cut;
    if (this.#deadline.pending && !this.#overdue) this.ctx.abort(this.#deadline.pending);
    const outcome = fitOutcome(
      conclude({
        runId: this.ctx.runId,
        spec: this.#spec,
        input: this.input,
        results: this.#results,
        ...(this.#plan === undefined ? {} : { plan: this.#plan }),
        revisions: this.#revisions,
        replanUsage: this.#replanUsage,
        ...(this.#canceled === undefined ? {} : { canceled: this.#canceled }),
        ...(this.#cut === undefined ? {} : { cut: this.#cut }),
        ...(synthesis ? { synthesis } : {}),
      }),
      this.services.outcomeChars,
    );
    this.#story.finish(outcome, synthesis?.answerItems ?? this.#answerItems);
    return outcome;
  }

  touch(at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at);
  }

  read<T>(settled: Settled): Stamped<T> {
    const stamped = readStamp<T>(settled, this.#lastAt);
    this.touch(stamped.endedAt);
    return stamped;
  }

  watch(pending: Pending, on: (settled: Settled) => void): void {
    this.#waits.watch(pending, on);
  }

  drop(pending: Pending): void {
    this.#waits.drop(pending);
  }

  cancelTask(task: GivenUp): void {
    const told = this.ctx.step(`${task.key}/cancel`, () =>
      tellAgent(this.services, this.ctx.runId, task, inNameOf(this.input)),
    );
    this.watch(told, (settled) => {
      const value = settled.ok ? fromJson<Told | null>(settled.value) : null;
      task.told(value?.usage);
    });
  }

  whenPaid(order: Order): void {
    this.#budget.order(order);
  }

  outOfBudget(): string | undefined {
    return this.#budget.out();
  }

  spend({ id }: DagStep, attempt: string, usage: Usage): void {
    this.#budget.spend(attempt, usage);
    const ended = this.#results.get(id);
    if (ended) this.#results.set(id, { ...ended, usage: addUsage(ended.usage, usage) });
  }

  release(attempt: string): void {
    this.#budget.release(attempt);
  }

  whenFree(goOn: () => void): void {
    this.#answered.push(goOn);
  }

  resultsFor(step: DagStep): { readonly [stepId: string]: StepResult } {
    const results = step.dependsOn.flatMap((id) => {
      const result = this.#results.get(id);
      if (!result) return [];
      const {
        state: _state,
        ms: _ms,
        reason: _reason,
        answers: _answers,
        keptFrom: _keptFrom,
        ...plain
      } = result;
      return [[id, plain] as const];
    });
    return Object.fromEntries(results);
  }

  state(step: DagStep, state: StepState, reason?: string, answered?: Answered): void {
    this.#story.state(step, state, reason, answered);
  }

  emit(key: string, body: AgentEventBody, at?: { readonly stepId: string; readonly attempt: number }): void {
    this.#story.emit(key, body, at);
  }

  end(step: DagStep, outcome: Omit<StepOutcome, "state" | "ms">): void {
    const active = this.#active.get(step.id);
    this.#active.delete(step.id);
    const state: StepState = outcome.outcome === "input-required" ? "failed" : outcome.outcome;
    const reason = outcome.reason ?? outcome.error?.message ?? endedElsewhere(step, outcome);
    const { startedAt, endedAt } = outcome.provenance;
    this.#results.set(step.id, {
      ...outcome,
      state,
      ms: Math.max(0, endedAt - startedAt),
      ...(reason === undefined ? {} : { reason }),
    });
    this.state(step, state, reason, step.kind === "human" ? outcome.answers?.[0] : undefined);
    if (step.id === this.#answerStep && active instanceof AgentStep) this.#answerItems = active.answerItems;
    if (outcome.outcome === "failed" && step.onFailure === "fail")
      this.#stopped ??= `step "${step.id}" failed: ${reason ?? ""}`;
  }

  /** Runs all steps of the current plan, then asks for the answer. */
  async #write(): Promise<Written> {
    while (this.#results.size < this.#spec.steps.length) await this.#turn();
    await this.#drain();
    return writeAnswer({
      host: this,
      story: this.#story,
      passthrough: this.#answerStep !== undefined,
      answerStep: this.#results.get(this.#answerStep ?? ""),
      results: this.#spec.steps.flatMap((step) => this.#results.get(step.id) ?? []),
      modelWrites: this.#modelWrites,
      budget: this.#budget,
      deadline: this.#deadline,
      revisions: this.#revisions,
      spec: this.#spec,
      turn: () => this.#turn(),
      stopped: () => this.#stoppedBy,
    });
  }

  get #stoppedBy(): "canceled" | "overdue" | undefined {
    return this.#canceled === undefined ? (this.#overdue ? "overdue" : undefined) : "canceled";
  }

  /** Adds the steps that the model asked for, unless a person refuses them. */
  async #revise({ reason, steps, usage }: MoreSteps): Promise<void> {
    this.#replanUsage = addUsage(this.#replanUsage, usage);
    this.#budget.spend(synthesisName(this.#revisions.length), usage);
    const revision = await approveSteps(this, {
      spec: this.#spec,
      revision: { reason, steps },
      number: this.#revisions.length + 2,
      turn: () => this.#turn(),
      stopped: () => this.#stoppedBy !== undefined,
    });
    if (revision === undefined) return;
    this.#revisions.push(revision);
    this.#spec = { ...this.#spec, steps: [...this.#spec.steps, ...revision.steps] };
    this.#budget.replan(this.#spec.steps);
    // The model knew which steps had failed when it asked for more.
    this.#stopped = undefined;
    this.#story.plan(this.#spec, this.#plan?.approved, this.#revisions);
    this.#schedule();
  }

  /** What an earlier run found stands before anything starts. */
  #keep(): void {
    for (const step of this.#spec.steps) {
      const kept = keptOutcome(this.input, step.id);
      if (kept === undefined) continue;
      this.room.hold(step.id, kept);
      this.#results.set(step.id, kept);
      this.state(step, kept.state, `kept from run ${kept.keptFrom}`);
    }
  }

  /** Waits for one thing, the end of the run included, and lets whoever asked for it go on. */
  async #turn(): Promise<void> {
    const deadline = this.#overdue ? undefined : this.#deadline.pending;
    const watched = this.#waits.pendings;
    if (watched.length === 0 && !this.#timeIsUp)
      throw new WorkflowError("workflow.internal", `run ${this.ctx.runId}: steps are left, but nothing runs`);
    const [first, ...rest] = [
      ...(this.#canceled === undefined ? [this.#cancelSignal] : []),
      ...(this.#canceled === undefined && deadline !== undefined ? [deadline] : []),
      ...watched,
    ];
    if (!first) return;
    const settled = await this.ctx.next([first, ...rest]);
    if (settled.id === this.#cancelSignal.id) this.#cancelAll(settled);
    else if (settled.id === deadline?.id) this.#endOverdue();
    else {
      this.#waits.settle(settled);
      this.#schedule();
    }
  }

  /** Nothing starts any more: the deadline is about to fall due. */
  get #timeIsUp(): boolean {
    return this.leftMs !== undefined && this.leftMs <= 0;
  }

  #schedule(): void {
    if (this.#canceled !== undefined || this.#overdue) return;
    for (let moved = true; moved;) {
      moved = false;
      this.#budget.pay();
      // What a person waits for goes before what has not begun.
      for (let goOn = this.#nextAnswered(); goOn; goOn = this.#nextAnswered()) goOn();
      for (const step of this.#spec.steps) {
        if (this.#results.has(step.id) || this.#active.has(step.id)) continue;
        const reason = this.#stopped ?? this.#blocked(step) ?? this.#unpayable(step);
        if (reason !== undefined) {
          this.#skip(step, reason);
          moved = true;
        } else if (this.#mayStart(step)) {
          const active = step.kind === "human" ? new HumanStep(this, step) : new AgentStep(this, step);
          this.#active.set(step.id, active);
          active.start();
        }
      }
    }
  }

  #blocked(step: DagStep): string | undefined {
    for (const id of step.dependsOn) {
      const result = this.#results.get(id);
      const policy = this.#spec.steps.find((other) => other.id === id)?.onFailure ?? "fail";
      const reason = result && blockedBy(result, policy);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  #mayStart(step: DagStep): boolean {
    if (this.#timeIsUp || !this.#isReady(step)) return false;
    return step.kind === "human" || (this.#hasFreePlace() && this.#budget.state === "free");
  }

  #isReady(step: DagStep): boolean {
    return step.dependsOn.every((id) => this.#results.has(id));
  }

  #unpayable(step: DagStep): string | undefined {
    return step.kind === "agent" && this.#isReady(step) ? this.#budget.out() : undefined;
  }

  #hasFreePlace(): boolean {
    if (this.#spec.maxParallel === undefined) return true;
    const working = [...this.#active.values()].filter((active) => !active.waiting).length;
    return working < this.#spec.maxParallel;
  }

  #nextAnswered(): (() => void) | undefined {
    return this.#hasFreePlace() ? this.#answered.shift() : undefined;
  }

  #skip(step: DagStep, reason: string, outcome: "skipped" | "canceled" = "skipped"): void {
    this.end(step, notRun(step, reason, outcome, this.#lastAt));
  }

  #cancelAll(settled: Settled): void {
    const value = settled.ok ? fromJson<{ readonly reason?: unknown } | null>(settled.value) : null;
    this.#canceled = typeof value?.reason === "string" ? value.reason : "canceled";
    const message = "the run was canceled";
    this.#stopActive("canceled", { code: "workflow.canceled", message });
    this.#skipRest(message, "canceled");
  }

  /** What is finished is kept, what runs is given up, nothing more starts. */
  #endOverdue(): void {
    this.#overdue = true;
    if (this.#results.size === this.#spec.steps.length) return;
    this.touch(this.#deadline.dueAt);
    const { error, reason } = this.#deadline;
    this.#cut = error;
    this.#stopActive("failed", { code: error.code, message: `given up, as ${reason}` });
    this.#skipRest(reason, "skipped");
  }

  #stopActive(outcome: "canceled" | "failed", error: ErrorInfo): void {
    this.#answered = [];
    this.#budget.dropOrders();
    for (const active of this.#active.values()) active.stop(outcome, error);
  }

  #skipRest(reason: string, outcome: "skipped" | "canceled"): void {
    for (const step of this.#spec.steps) if (!this.#results.has(step.id)) this.#skip(step, reason, outcome);
  }

  /** Agents that still have to be told to stop hold the end of the run, but not for long. */
  async #drain(): Promise<void> {
    if (this.#waits.ids.length === 0) return;
    /** What bounds the waiting is not waited for itself. */
    const own = new Set<string>();
    const name = this.#revisions.length === 0 ? "drain" : `${synthesisName(this.#revisions.length)}/drain`;
    limitTime(this, {
      ms: DRAIN_MS,
      timer: name,
      overdue: `${name}/overdue`,
      hold: (pending, on) => {
        own.add(pending.id);
        this.watch(pending, on);
      },
      over: () => this.#waits.dropAll(),
    });
    while (this.#waits.ids.some((id) => !own.has(id))) await this.#turn();
    this.#waits.dropAll();
  }
}
