/** So little is nothing: sums of fractions do not come out even. */
const NOTHING = 1e-9;

/** One limit of a run, in tokens or dollars: what was used of it, and what is handed out to those at work. */
export class Purse {
  readonly limit: number;
  /** What cannot be divided: 1 token; 0 for dollars. */
  readonly #least: number;
  readonly #handed = new Map<string, number>();
  #used = 0;

  constructor(limit: number, least: number) {
    this.limit = limit;
    this.#least = least;
  }

  /** Neither used nor handed out. */
  get free(): number {
    let free = this.limit - this.#used;
    for (const handed of this.#handed.values()) free -= handed;
    return free > NOTHING ? free : 0;
  }

  get handsOut(): boolean {
    return this.#handed.size > 0;
  }

  holds(prefix: string): boolean {
    return [...this.#handed.keys()].some((key) => key.startsWith(prefix));
  }

  /** An equal share of what is free, for one of so many, and not more than it may have itself. */
  hand(key: string, among: number, most: number): number {
    const share = this.#least === 0 ? this.free / among : Math.floor(this.free / among);
    const handed = Math.min(most, Math.max(share, Math.min(this.#least, this.free)));
    this.#handed.set(key, handed);
    return handed;
  }

  /** Out of what was handed to `key`, as far as that goes. */
  spend(key: string, amount: number): void {
    this.#used += amount;
    const handed = this.#handed.get(key);
    if (handed !== undefined) this.#handed.set(key, Math.max(0, handed - amount));
  }

  /** What is left of it is free again. */
  release(key: string): void {
    this.#handed.delete(key);
  }
}
