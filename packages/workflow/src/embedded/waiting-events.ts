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

/**
 * Events that were told and are not known to be kept, those of a run in their order. What a run journals after them
 * takes them along in its transaction: the journal never tells of more than the events do.
 */
export class WaitingEvents {
  readonly #runs = new Map<string, WaitingEvent[]>();

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

  /** Writes those of a run that are not in the open transaction yet. */
  write(write: (event: StoredEvent) => void, runId: string): void {
    for (const event of this.of(runId)) {
      if (event.written) continue;
      write(event);
      event.written = true;
    }
  }

  /** The transaction in which they were written is undone. */
  undone(): void {
    for (const own of this.#runs.values()) for (const event of own) event.written = false;
  }

  /** Those of its run up to this one are kept; nothing where it was dropped before. */
  drop(last: WaitingEvent): void {
    const own = this.#runs.get(last.runId) ?? [];
    if (own.at(-1) === last) this.#runs.delete(last.runId);
    else own.splice(0, own.indexOf(last) + 1);
  }
}
