import { clip } from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";

import { MAX_TOLD } from "../tell-issues.ts";

/**
 * Looks at a value and tells the walk what is wrong with it. False where the walk stops. Whatever it does
 * more than once for a value, it pays for.
 */
export type Check = (value: Json, walk: Walk) => boolean;

/** Of one problem: it may quote a key. */
const MAX_CHARS = 300;

/** Looks at a value, one for each schema it meets; all together take a few seconds at most. */
const MAX_WORK = 10_000_000;

/** Characters of a string that are read for the price of a look. */
export const CHARS_A_LOOK = 50;

/** A question about a part of the value; the first problem answers it. */
interface Asked {
  /** How many keys lead to what is asked about; absent where nobody wants to know what the problem is. */
  readonly depth?: number;
  found: boolean;
  problem?: string;
}

/** One check of a value: bounded in time and in memory, whatever the value and its schema. */
export class Walk {
  /** To the value in hand. */
  readonly #path: (string | number)[] = [];
  readonly #told: string[] = [];
  #count = 0;
  #left = MAX_WORK;
  #asked: Asked | undefined;
  readonly #keys = new Map<JsonObject, readonly string[]>();

  /** The first ten problems and how many more there are; empty when there are none. */
  get issues(): readonly string[] {
    if (this.#left < 0) return ["the answer takes too long to be checked; answer with less"];
    const more = this.#count - this.#told.length;
    return more > 0 ? [...this.#told, `and ${more} more`] : this.#told;
  }

  /** False when there is nothing left to pay with. */
  pay(work: number): boolean {
    this.#left -= work;
    return this.#left >= 0;
  }

  /** The keys of an object, which are listed and paid for once. */
  keysOf(value: JsonObject): readonly string[] {
    const known = this.#keys.get(value);
    if (known !== undefined) return known;
    const keys = Object.keys(value);
    this.pay(keys.length);
    this.#keys.set(value, keys);
    return keys;
  }

  /** @param says what is wrong, behind the name of the value in hand; called only where that is told */
  wrong(says: () => string): boolean {
    if (this.#asked === undefined) {
      if (++this.#count <= MAX_TOLD) this.#told.push(this.#tell(says));
      return this.pay(1);
    }
    if (!this.#asked.found && this.#asked.depth !== undefined)
      this.#asked.problem = this.#tell(says, this.#asked.depth);
    this.#asked.found = true;
    return false;
  }

  /** Checks what stands under a key, or at a place, of the value in hand. */
  enter(key: string | number, check: Check, value: Json): boolean {
    this.#path.push(key);
    const goOn = this.pay(1) && check(value, this);
    this.#path.pop();
    return goOn;
  }

  /** Whether the value in hand fits. */
  fits(check: Check, value: Json): boolean {
    return !this.#ask(check, value, { found: false }).found;
  }

  /** What keeps the value in hand from fitting; undefined when it fits. */
  problem(check: Check, value: Json): string | undefined {
    return this.#ask(check, value, { found: false, depth: this.#path.length }).problem;
  }

  #ask(check: Check, value: Json, asked: Asked): Asked {
    const before = this.#asked;
    this.#asked = asked;
    if (this.pay(1)) check(value, this);
    this.#asked = before;
    return asked;
  }

  /** @param from how much of the path everybody knows */
  #tell(says: () => string, from?: number): string {
    const name = this.#path.slice(from).join(".") || (from === undefined ? "the answer" : "it");
    return clip(`${name} ${says()}`, MAX_CHARS);
  }
}
