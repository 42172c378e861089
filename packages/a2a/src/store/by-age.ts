/**
 * Values by key, of which the one that was put first is found at once. A Map alone would pass over all
 * that was taken out at its front each time it is asked, which costs more the more it has held.
 */
export class ByAge<T extends object> {
  readonly #values = new Map<string, T>();
  #ahead = this.#values.entries();
  #head: readonly [string, T] | undefined;

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  /** As the newest. */
  put(key: string, value: T): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  /** The one that was put first of those that are there. */
  oldest(): readonly [string, T] | undefined {
    while (this.#head === undefined || this.#values.get(this.#head[0]) !== this.#head[1]) {
      if (this.#values.size === 0) return undefined;
      const { done, value } = this.#ahead.next();
      // It had come to the end, and stays there whatever is put later.
      if (done === true) this.#ahead = this.#values.entries();
      else this.#head = value;
    }
    return this.#head;
  }
}
