import type { EngineContext, Pending, Settled } from "../engine/port.ts";

/** What a run waits for, and who goes on when it comes. */
export class Waits {
  readonly #ctx: EngineContext;
  readonly #watched = new Map<
    string,
    { readonly pending: Pending; readonly on: (settled: Settled) => void }
  >();

  constructor(ctx: EngineContext) {
    this.#ctx = ctx;
  }

  get ids(): readonly string[] {
    return [...this.#watched.keys()];
  }

  get pendings(): readonly Pending[] {
    return [...this.#watched.values()].map((watch) => watch.pending);
  }

  watch(pending: Pending, on: (settled: Settled) => void): void {
    this.#watched.set(pending.id, { pending, on });
  }

  /** Forgets it and fires its signal. */
  drop(pending: Pending): void {
    this.#watched.delete(pending.id);
    this.#ctx.abort(pending);
  }

  dropAll(): void {
    for (const { pending } of this.#watched.values()) this.drop(pending);
  }

  /** Lets whoever waited for it go on. */
  settle(settled: Settled): void {
    const watch = this.#watched.get(settled.id);
    this.#watched.delete(settled.id);
    watch?.on(settled);
  }
}
