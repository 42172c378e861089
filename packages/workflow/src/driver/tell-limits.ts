/** What one message to an agent, an attempt or a reply within one, may put into the run's log. */
export interface TellLimits {
  readonly events: number;
  /** In characters of their JSON. */
  readonly chars: number;
}

/** More than an hour of a model that writes without a pause. */
export const TELL_LIMITS: TellLimits = { events: 200_000, chars: 64 * 1024 * 1024 };

/** A step's result is handed on to other steps and kept in the journal: what is large belongs in a file. */
export const MAX_RESULT_CHARS = 8 * 1024 * 1024;

/** Events after which whoever reads the agent waits until those so far are kept. */
export const EVENTS_AHEAD = 200;

/** Counts what is told, and says where it becomes too much. */
export class TellCount {
  readonly #limits: TellLimits;
  #events = 0;
  #chars = 0;
  #full = false;

  constructor(limits: TellLimits) {
    this.#limits = limits;
  }

  /** `last` is said once: from there on nothing fits any more, however small. */
  add(chars: number): "fits" | "last" | "over" {
    if (this.#full) return "over";
    this.#events++;
    this.#chars += chars;
    this.#full = this.#events > this.#limits.events || this.#chars > this.#limits.chars;
    return this.#full ? "last" : "fits";
  }
}
