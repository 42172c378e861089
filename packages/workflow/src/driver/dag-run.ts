import type { StepResult } from "@troupe/core";
import {
  EVENT_VERSION,
  NO_USAGE,
  type AgentEvent,
  type AgentEventBody,
  type StepState,
} from "@troupe/stream";

import { fromJson, toJson } from "../engine/json.ts";
import { CANCEL_SIGNAL, type EngineContext, type Pending, type Settled } from "../engine/port.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { RunInput, RunOutcome, StepOutcome } from "../engine/run.ts";
import type { Synthesis } from "../planner/synthesize.ts";
import { answerStepOf, type DagSpec, type DagStep } from "../schema/spec.ts";
import { AgentStep } from "./agent-step.ts";
import { conclude } from "./conclude.ts";
import type { ActiveStep, StepHost } from "./host.ts";
import { HumanStep } from "./human-step.ts";
import { hasResult, keptResults } from "./kept-results.ts";
import { nameFiles } from "./name-files.ts";
import type { DriverServices } from "./options.ts";
import { blockedBy } from "./policy.ts";
import { readStamp, stamp, type Stamped } from "./stamped.ts";
import { synthesisStep, type Synthesized } from "./synthesis-step.ts";
import { inNameOf } from "./in-name-of.ts";
import { tellAgent } from "./tell-agent.ts";

/** How long a run that is over waits for agents that still have to be told so. */
const DRAIN_MS = 15_000;

/** One pass of a workflow through the driver. Everything it decides follows from the journal. */
export class DagRun implements StepHost {
  readonly ctx: EngineContext;
  readonly input: RunInput;
  readonly services: DriverServices;
  readonly #spec: DagSpec;
  readonly #results = new Map<string, StepOutcome>();
  readonly #active = new Map<string, ActiveStep>();
  readonly #watched = new Map<
    string,
    { readonly pending: Pending; readonly on: (settled: Settled) => void }
  >();
  readonly #told = new Set<string>();
  readonly #states = new Map<string, number>();
  readonly #cancelSignal: Pending;
  readonly #answerStep: string | undefined;
  #answerItems: readonly string[] = [];
  #canceled: string | undefined;
  /** Why no further step starts: a step failed whose policy is to fail the run. */
  #stopped: string | undefined;
  #lastAt = 0;
  #seq = 0;

  constructor(ctx: EngineContext, spec: DagSpec, input: RunInput, services: DriverServices) {
    this.ctx = ctx;
    this.#spec = spec;
    this.input = input;
    this.services = services;
    this.#answerStep = answerStepOf(spec);
    this.#cancelSignal = ctx.waitSignal(CANCEL_SIGNAL);
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  async drive(): Promise<RunOutcome> {
    this.#emitPlan();
    this.watch(
      this.ctx.step("begin", () => stamp(this.services.clock, async () => ({}))),
      (settled) => {
        this.read(settled);
        this.#schedule();
      },
    );
    while (this.#results.size < this.#spec.steps.length) await this.#turn();
    await this.#drain();
    const synthesis = await this.#synthesize();
    const outcome = conclude({
      runId: this.ctx.runId,
      spec: this.#spec,
      results: this.#results,
      ...(this.#canceled === undefined ? {} : { canceled: this.#canceled }),
      ...(synthesis ? { synthesis } : {}),
    });
    this.emit("finish", {
      type: "finish",
      outcome: outcome.outcome,
      response: outcome.response,
      answerItems: outcome.response.content === "" ? [] : (synthesis?.answerItems ?? this.#answerItems),
      ...(outcome.error ? { error: outcome.error } : {}),
    });
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
    this.#watched.set(pending.id, { pending, on });
  }

  drop(pending: Pending): void {
    this.#watched.delete(pending.id);
    this.ctx.abort(pending);
  }

  cancelTask(key: string, agent: string, taskId: string): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const told = this.ctx.step(`${key}/cancel`, () =>
      tellAgent(this.services, this.ctx.runId, agent, taskId, inNameOf(this.input)),
    );
    this.watch(told, () => undefined);
  }

  resultsFor(step: DagStep): { readonly [stepId: string]: StepResult } {
    const results = step.dependsOn.flatMap((id) => {
      const result = this.#results.get(id);
      if (!result) return [];
      const { state: _state, ms: _ms, reason: _reason, ...plain } = result;
      return [[id, plain] as const];
    });
    return Object.fromEntries(results);
  }

  state(step: DagStep, state: StepState, reason?: string): void {
    const n = (this.#states.get(step.id) ?? 0) + 1;
    this.#states.set(step.id, n);
    this.emit(`status/${step.id}/${n}`, {
      type: "step-status",
      step: step.id,
      state,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  emit(key: string, body: AgentEventBody, at?: { readonly stepId: string; readonly attempt: number }): void {
    const event: AgentEvent = {
      v: EVENT_VERSION,
      runId: this.ctx.runId,
      seq: this.#seq++,
      attempt: 1,
      agent: this.services.agent,
      ...at,
      ...body,
    };
    this.ctx.emit(key, toJson(event));
  }

  end(step: DagStep, outcome: Omit<StepOutcome, "state" | "ms">): void {
    const active = this.#active.get(step.id);
    this.#active.delete(step.id);
    const state: StepState = outcome.outcome === "input-required" ? "failed" : outcome.outcome;
    const reason = outcome.reason ?? outcome.error?.message;
    const { startedAt, endedAt } = outcome.provenance;
    this.#results.set(step.id, {
      ...outcome,
      state,
      ms: Math.max(0, endedAt - startedAt),
      ...(reason === undefined ? {} : { reason }),
    });
    this.state(step, state, reason);
    if (step.id === this.#answerStep && active instanceof AgentStep) this.#answerItems = active.answerItems;
    if (outcome.outcome === "failed" && step.onFailure === "fail")
      this.#stopped ??= `step "${step.id}" failed: ${reason ?? ""}`;
  }

  #emitPlan(): void {
    const answerStep = this.#answerStep;
    const steps = this.#spec.steps.map(({ id, kind, agent, instruction, dependsOn }) => ({
      id,
      kind,
      agent,
      instruction,
      dependsOn,
    }));
    const plan = { name: this.#spec.name, steps, ...(answerStep === undefined ? {} : { answerStep }) };
    this.emit("plan", { type: "plan-update", plan });
  }

  /** Waits for one thing, the end of the run included, and lets whoever asked for it go on. */
  async #turn(): Promise<void> {
    const watched = [...this.#watched.values()].map((watch) => watch.pending);
    if (watched.length === 0)
      throw new WorkflowError("workflow.internal", `run ${this.ctx.runId}: steps are left, but nothing runs`);
    const [first, ...rest] = this.#canceled === undefined ? [this.#cancelSignal, ...watched] : watched;
    if (!first) return;
    const settled = await this.ctx.next([first, ...rest]);
    if (settled.id === this.#cancelSignal.id) {
      this.#cancelAll(settled);
      return;
    }
    const watch = this.#watched.get(settled.id);
    this.#watched.delete(settled.id);
    watch?.on(settled);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#canceled !== undefined) return;
    for (let moved = true; moved;) {
      moved = false;
      for (const step of this.#spec.steps) {
        if (this.#results.has(step.id) || this.#active.has(step.id)) continue;
        const reason = this.#stopped ?? this.#blocked(step);
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
    if (!step.dependsOn.every((id) => this.#results.has(id))) return false;
    if (step.kind === "human" || this.#spec.maxParallel === undefined) return true;
    const working = [...this.#active.values()].filter((active) => !active.waiting).length;
    return working < this.#spec.maxParallel;
  }

  #skip(step: DagStep, reason: string, outcome: "skipped" | "canceled" = "skipped"): void {
    this.end(step, {
      stepId: step.id,
      agent: step.agent,
      outcome,
      answer: "",
      data: null,
      citations: [],
      artifacts: [],
      usage: NO_USAGE,
      reason,
      provenance: { attempt: 1, startedAt: this.#lastAt, endedAt: this.#lastAt },
    });
  }

  #cancelAll(settled: Settled): void {
    const value = settled.ok ? fromJson<{ readonly reason?: unknown } | null>(settled.value) : null;
    this.#canceled = typeof value?.reason === "string" ? value.reason : "canceled";
    for (const active of this.#active.values()) active.cancel();
    for (const step of this.#spec.steps)
      if (!this.#results.has(step.id)) this.#skip(step, "the run was canceled", "canceled");
  }

  /** Agents that still have to be told to stop hold the end of the run, but not for long. */
  async #drain(): Promise<void> {
    if (this.#watched.size === 0) return;
    const limit = this.ctx.timer("drain", DRAIN_MS);
    this.watch(limit, () => {
      for (const { pending } of this.#watched.values()) this.drop(pending);
    });
    while ([...this.#watched.keys()].some((id) => id !== limit.id)) await this.#turn();
    this.drop(limit);
  }

  /** The answer that no single step gives; undefined where one does, or where there is none. */
  async #synthesize(): Promise<Synthesis | undefined> {
    if (this.#canceled !== undefined) return undefined;
    const results = this.#spec.steps.flatMap((step) => this.#results.get(step.id) ?? []);
    if (this.#answerStep !== undefined) {
      if (hasResult(this.#results.get(this.#answerStep))) return undefined;
      return keptResults(results, (body) => this.emit(`kept/${this.#seq}`, body));
    }
    if (!results.some((result) => result.answer.trim() !== ""))
      return nameFiles(results, (body) => this.emit(`files/${this.#seq}`, body));
    const { ctx, input, services } = this;
    const pending = ctx.step("synthesize", ({ signal }) =>
      synthesisStep({
        runId: ctx.runId,
        task: input.objective,
        results,
        services,
        firstSeq: this.#seq,
        signal,
      }),
    );
    const settled = await ctx.next([this.#cancelSignal, pending]);
    if (settled.id === this.#cancelSignal.id) {
      ctx.abort(pending);
      this.#cancelAll(settled);
      return undefined;
    }
    const stamped = this.read<Synthesized>(settled);
    if (!stamped.ok) return undefined;
    this.#seq += stamped.value.events;
    return stamped.value.synthesis;
  }
}
