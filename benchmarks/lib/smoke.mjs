/** Whether every measurement runs once and at its smallest, to show that it works; its numbers mean nothing. */
export const smoke = process.env.BENCH_SMOKE === "1";

/** The size of a measurement, or the one that is enough to show that it works. */
export function sized(full, small) {
  return smoke ? small : full;
}
