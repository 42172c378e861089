import { randomFrom } from "@troupe/core/testing";

/** Chance that falls the same way for the same seed. */
export interface Dice {
  /** A whole number from 0, below `below`. */
  below(below: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly [T, ...(readonly T[])]): T;
}

/** By a text, so that what happens to one message does not hang on what came before it. */
export function diceOf(seed: string): Dice {
  const random = randomFrom(hash(seed));
  const below = (most: number): number => Math.floor(random() * most);
  return {
    below,
    chance: (share) => random() < share,
    pick: (from) => from[below(from.length)] ?? from[0],
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}
