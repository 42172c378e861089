/** An event as it is stored. */
export interface StoredEvent {
  readonly runId: string;
  readonly key: string;
  readonly type: string;
  /** When it was told. */
  readonly at: number;
  readonly body: string;
}

export interface WaitingEvent extends StoredEvent {
  /** It is in the open transaction, or was in one that was committed. */
  written: boolean;
}

/** Who tells events: how one is written, and what is done once all of a run up to one of them are kept. */
export interface EventKeeper {
  readonly put: (event: StoredEvent) => void;
  readonly onKept: (runId: string) => void;
}

/**
 * Events that were told and are not known to be kept, those of a run in their order. What a run journals after them
 * takes them along in its transaction: the journal never tells of more than the events do.
 */
export class WaitingEvents {
  readonly #runs = new Map<string, WaitingEvent[]>();
  #keeper: EventKeeper | undefined;

  /** Nothing waits before there is one. */
  servedBy(keeper: EventKeeper): void {
    this.#keeper = keeper;
  }

  get runs(): readonly string[] {
    return [...this.#runs.keys()];
  }

  of(runId: string): readonly WaitingEvent[] {
    return this.#runs.get(runId) ?? [];
  }

  add(event: WaitingEvent): void {
    const own = this.#runs.get(event.runId);
    if (own === undefined) this.#runs.set(event.runId, [event]);
    else own.push(event);
  }

  /** Writes those of a run that are not in the open transaction yet, and gives the last: `kept` once it is committed. */
  write(runId: string): WaitingEvent | undefined {
    const own = this.of(runId);
    for (const event of own) {
      if (event.written) continue;
      this.#keeper?.put(event);
      event.written = true;
    }
    return own.at(-1);
  }

  /** The transaction in which they were written is undone. */
  undone(): void {
    for (const own of this.#runs.values()) for (const event of own) event.written = false;
  }

  /** Those of a run up to this one are kept; absent: nothing of it waited. */
  kept(runId: string, last: WaitingEvent | undefined): void {
    const own = this.of(runId);
    if (last !== undefined && own.at(-1) === last) this.#runs.delete(runId);
    else if (last !== undefined) this.#runs.get(runId)?.splice(0, own.indexOf(last) + 1);
    this.#keeper?.onKept(runId);
  }

  /** They are given up. */
  drop(runId: string): void {
    this.#runs.delete(runId);
  }
}
