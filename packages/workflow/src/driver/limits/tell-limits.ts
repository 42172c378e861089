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

/** What one message, or the writing of the answer, may tell ahead of what is kept. */
export const AHEAD: TellLimits = { events: 200, chars: 64 * 1024 };

/** Counts what is told, and says when it has to be kept before more is. */
export class Pace {
  #events = 0;
  #chars = 0;

  add(chars: number): "on" | "wait" {
    this.#events++;
    this.#chars += chars;
    if (this.#events < AHEAD.events && this.#chars < AHEAD.chars) return "on";
    this.#events = 0;
    this.#chars = 0;
    return "wait";
  }
}

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
