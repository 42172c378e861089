import type { Clock } from "@troupe/stream";

/** What of a sleeping run is in memory; all else of it is its rows. */
interface Sleeper {
  /** When this process took it up; undefined where it has not yet. */
  readonly takenUpAt: number | undefined;
  readonly cancel: () => void;
}

/** Runs that wait for signals and timers only, and that nothing but their rows stands for meanwhile. */
export class Sleepers {
  readonly #clock: Clock;
  readonly #woken: (runId: string, takenUpAt: number | undefined) => void;
  readonly #sleepers = new Map<string, Sleeper>();

  /** @param woken takes a run up again, by its journal */
  constructor(clock: Clock, woken: (runId: string, takenUpAt: number | undefined) => void) {
    this.#clock = clock;
    this.#woken = woken;
  }

  /** @param until when its next timer falls due, in milliseconds since the Unix epoch; `Infinity` without one */
  add(runId: string, until: number, takenUpAt?: number): void {
    const cancel =
      until === Infinity
        ? () => undefined
        : this.#clock.schedule(Math.max(0, until - this.#clock.now()), () => this.wake(runId));
    this.#sleepers.set(runId, { takenUpAt, cancel });
  }

  /** Something came for it. False when it does not sleep. */
  wake(runId: string): boolean {
    const sleeper = this.#sleepers.get(runId);
    if (sleeper === undefined) return false;
    this.#sleepers.delete(runId);
    sleeper.cancel();
    this.#woken(runId, sleeper.takenUpAt);
    return true;
  }

  close(): void {
    for (const { cancel } of this.#sleepers.values()) cancel();
    this.#sleepers.clear();
  }
}
