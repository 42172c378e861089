/** What all results of a run may have together, in characters of their JSON: its outcome holds each of them, some twice. */
export const MAX_RUN_CHARS = 32 * 1024 * 1024;

/** Counts the results of a run, each once: those that are taken here and those that the journal has. */
export class ResultRoom {
  readonly #sizes = new Map<string, number>();
  #taken = 0;

  /** False, and nothing is counted, where a result does not fit any more. */
  take(key: string, chars: number): boolean {
    if (this.#taken + chars > MAX_RUN_CHARS) return false;
    this.#add(key, chars);
    return true;
  }

  /** Counts what the run has already. */
  hold(key: string, result: object): void {
    if (!this.#sizes.has(key)) this.#add(key, JSON.stringify(result).length);
  }

  #add(key: string, chars: number): void {
    this.#sizes.set(key, chars);
    this.#taken += chars;
  }
}
