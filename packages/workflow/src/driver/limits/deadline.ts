import type { ErrorInfo } from "@troupe/stream";

import type { EngineContext, Pending } from "../../engine/port.ts";

/**
 * When a run is to be over. A promise to a person, so wall clock counts: also while people are asked,
 * and while the run was cut off. Its timer is set before anything of the run is journaled, so no crash
 * moves it.
 */
export class RunDeadline {
  readonly #ms: number | undefined;
  readonly pending: Pending | undefined;
  #beganAt: number | undefined;

  constructor(ctx: EngineContext, ms: number | undefined) {
    this.#ms = ms;
    this.pending = ms === undefined ? undefined : ctx.timer("deadline", ms);
  }

  begin(at: number): void {
    this.#beganAt = at;
  }

  /** By the journal's time `at`; undefined where there is no deadline. */
  leftMs(at: number): number | undefined {
    if (this.#ms === undefined || this.#beganAt === undefined) return undefined;
    return this.#ms - (at - this.#beganAt);
  }

  get dueAt(): number {
    return (this.#beganAt ?? 0) + (this.#ms ?? 0);
  }

  get reason(): string {
    return `the run's deadline of ${(this.#ms ?? 0) / 1_000} s passed`;
  }

  get error(): ErrorInfo {
    const message = `The run's deadline of ${(this.#ms ?? 0) / 1_000} s passed before it was done. What was finished by then is kept; raise deadline_seconds of the workflow, or leave it out, and run it again.`;
    return { code: "workflow.deadline", message };
  }
}
