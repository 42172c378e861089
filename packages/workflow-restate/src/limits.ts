// Restate holds a run's journal in memory while it runs it, and takes no message beyond 32 MiB. A value beyond that
// would be refused each time it is sent, for ever: it has to be stopped here. What a run is begun with is one message,
// the input with the kept results; what it ends with another, the outcome, which repeats its results up to three
// times: as those of steps, in the response and among all citations. Both stay below.

const MIB = 2 ** 20;

/** Bytes of JSON one step may end with, 2 MiB. */
export const MAX_VALUE_BYTES = 2 * MIB;
/** Bytes of JSON of all results of a run, 8 MiB: what its steps and answers bring, and what it keeps of an earlier run. */
export const MAX_RESULTS_BYTES = 8 * MIB;
/** Bytes of JSON a workflow and its input may have, 8 MiB, results it keeps of an earlier run aside. */
export const MAX_INPUT_BYTES = 8 * MIB;
/** Bytes of JSON an answer may have, 2 MiB: a plan in place of the one that was asked about stands in it twice. */
export const MAX_SIGNAL_BYTES = 2 * MIB;

/**
 * Bytes of JSON of kept results, 7 MiB: a run that keeps all it may hold could not take the result of any step, and
 * would say so only after an agent has done the work.
 */
export const MAX_KEPT_BYTES = MAX_RESULTS_BYTES - MIB;

export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** `2.5 MB`, for messages. */
export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`;
