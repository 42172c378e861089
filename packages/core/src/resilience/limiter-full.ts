import { TroupeError } from "../errors/troupe-error.ts";

/** All places are taken, and so is the line for them. */
export class LimiterFull extends TroupeError {
  declare readonly code: "limiter.full";

  constructor(max: number, maxWaiting: number) {
    super("limiter.full", `${max} are at it and ${maxWaiting} wait`, { retryable: true });
  }
}
