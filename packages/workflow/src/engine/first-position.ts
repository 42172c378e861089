import { InputError } from "@troupe/core";

/** No log holds an event behind this one: the columns of positions hold no more. */
const MAX_POSITION = 2 ** 31 - 1;

/**
 * Where a reader of a log begins who asks for this position: below 0 at the first, and beyond every position
 * there can be at the last of those. Throws an `InputError` for what is no whole number.
 */
export function firstPosition(from: number): number {
  if (!Number.isInteger(from))
    throw new InputError("input.invalid", `"${from}" is no position of an event. Positions count from 0.`);
  return Math.min(Math.max(0, from), MAX_POSITION);
}
