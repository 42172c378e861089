import type { Limits } from "@troupe/core";
import type { ErrorInfo, Usage } from "@troupe/stream";

import type { DagSpec, DagStep } from "../../schema/spec.ts";
import { besidesOf } from "./besides.ts";
import { budgetError } from "./budget-error.ts";
import { Purse } from "./purse.ts";

export interface BudgetOptions {
  /** Whether a step has its result. */
  readonly ended: (id: string) => boolean;
  /** Somebody could not be paid, and nobody can be any more. */
  readonly usedUp: (error: ErrorInfo, reason: string) => void;
}

/** An attempt that asks for its share. */
export interface Order {
  readonly step: DagStep;
  /** `step#attempt`. */
  readonly attempt: string;
  readonly paid: (limits: DagStep["limits"]) => void;
  readonly none: (why: string) => void;
}

/**
 * What a run may use, shared out to the steps at work so that together they cannot use more: a step
 * is handed an equal share of what is free, for itself and each step that may still work beside it.
 * What it leaves is free again when it ends. Of use by agents that hold to what they are handed, and
 * tell what they used.
 */
export class RunBudget {
  readonly #tokens: Purse | undefined;
  readonly #dollars: Purse | undefined;
  #besides: ReadonlyMap<string, readonly string[]>;
  readonly #o: BudgetOptions;
  /** Attempts that wait for what others were handed. */
  #orders: Order[] = [];

  constructor(spec: DagSpec, options: BudgetOptions) {
    this.#o = options;
    const { maxTotalTokens, maxCostUsd } = spec.limits ?? {};
    this.#tokens = maxTotalTokens === undefined ? undefined : new Purse(maxTotalTokens, 1);
    this.#dollars = maxCostUsd === undefined ? undefined : new Purse(maxCostUsd, 0);
    this.#besides = spec.limits === undefined ? new Map() : besidesOf(spec.steps);
  }

  /** Sets the steps of the revised plan. */
  replan(steps: readonly DagStep[]): void {
    if (this.#purses.length > 0) this.#besides = besidesOf(steps);
  }

  get #purses(): readonly Purse[] {
    return [this.#tokens, this.#dollars].filter((purse) => purse !== undefined);
  }

  /** Whether a step can be paid now, later, when another gives back what it was handed, or not any more. */
  get state(): "free" | "handed-out" | "used-up" {
    if (this.#purses.every((purse) => purse.free > 0)) return "free";
    return this.#purses.some((purse) => purse.handsOut) ? "handed-out" : "used-up";
  }

  /** What the whole run may still use; nothing where it has no limit. */
  get left(): Limits {
    return {
      ...(this.#tokens && { maxTotalTokens: this.#tokens.free }),
      ...(this.#dollars && { maxCostUsd: this.#dollars.free }),
    };
  }

  /** Why no attempt can be paid any more; undefined while one can, now or later. */
  out(): string | undefined {
    if (this.state !== "used-up") return undefined;
    this.#o.usedUp(this.error, this.#reason);
    return this.#reason;
  }

  /** Pays the attempt at once, or when others have given back what they were handed. */
  order(order: Order): void {
    this.#orders.push(order);
    this.pay();
  }

  pay(): void {
    for (let next = this.#orders[0]; next && this.state !== "handed-out"; next = this.#orders[0]) {
      this.#orders.shift();
      const why = this.out();
      if (why === undefined) next.paid(this.#hand(next));
      else next.none(why);
    }
  }

  /** Nobody waits to be paid any more. */
  dropOrders(): void {
    this.#orders = [];
  }

  /** What an attempt is given, out of what is free. */
  #hand({ attempt: key, step: { id, limits } }: Order): DagStep["limits"] {
    const unpaid = (other: string): boolean => !this.#o.ended(other) && !this.#holds(other);
    const among = 1 + (this.#besides.get(id) ?? []).filter(unpaid).length;
    const { maxTotalTokens = Infinity, maxCostUsd = Infinity } = limits;
    return {
      ...limits,
      ...(this.#tokens && { maxTotalTokens: this.#tokens.hand(key, among, maxTotalTokens) }),
      ...(this.#dollars && { maxCostUsd: this.#dollars.hand(key, among, maxCostUsd) }),
    };
  }

  /** Whether an attempt of the step was handed something it has not given back. */
  #holds(id: string): boolean {
    return this.#purses.some((purse) => purse.holds(`${id}#`));
  }

  spend(key: string, usage: Usage): void {
    this.#tokens?.spend(key, tokensOf(usage));
    this.#dollars?.spend(key, Math.max(0, usage.costUsd ?? 0));
  }

  release(key: string): void {
    for (const purse of this.#purses) purse.release(key);
  }

  get #reason(): string {
    const used = [
      ...(this.#tokens?.free === 0 ? [`${this.#tokens.limit.toLocaleString("en-US")} tokens`] : []),
      ...(this.#dollars?.free === 0 ? [`$${this.#dollars.limit}`] : []),
    ];
    return `the run's limit of ${used.join(" and ")} is used up`;
  }

  get error(): ErrorInfo {
    return budgetError(this.#reason.replace("the", "The"), [
      ...(this.#tokens?.free === 0 ? (["maxTotalTokens"] as const) : []),
      ...(this.#dollars?.free === 0 ? (["maxCostUsd"] as const) : []),
    ]);
  }
}

function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return Math.max(0, inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens);
}
