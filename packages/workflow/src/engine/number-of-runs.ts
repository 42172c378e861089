import { InputError } from "@troupe/core";

/** What a database takes for a number of rows; nobody has as many runs. */
const MAX_ROWS = 2 ** 31 - 1;

/**
 * How many runs a list has at most for whoever asks for this many; more than there can be are all. Throws an
 * `InputError` for what is no whole number from 1 on.
 */
export function numberOfRuns(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1)
    throw new InputError("input.invalid", `"${limit}" is no number of runs. Ask for 1 or more.`);
  return Math.min(limit, MAX_ROWS);
}
