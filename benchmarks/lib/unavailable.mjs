/** Exit code of a measurement that was skipped. */
export const SKIPPED = 3;

/** Thrown by `prepare` when this machine lacks what is measured: the measurement is skipped, and why is printed. */
export class Unavailable extends Error {
  constructor(what, cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).split("\n")[0];
    super(`needs ${what}: ${reason}`, { cause });
  }
}
