// Restate holds a run's journal in memory while it runs it, 32 MiB at most, and takes no longer message.
// A value beyond that would be refused each time it is sent, for ever: it has to be stopped here. A run
// with all its values, and the outcome that repeats them, stays below.

/** Bytes of JSON one step may end with, 2 MiB. */
export const MAX_VALUE_BYTES = 2 ** 21;
/** Bytes of JSON a run may hold in all: its input and what its steps and signals brought, 8 MiB. */
export const MAX_RUN_BYTES = 2 ** 23;
/** Bytes of JSON a workflow and its input may have, 4 MiB. */
export const MAX_INPUT_BYTES = 2 ** 22;
/** Bytes of JSON an answer may have, 1 MiB. */
export const MAX_SIGNAL_BYTES = 2 ** 20;

export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** `2.5 MB`, for messages. */
export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`;
