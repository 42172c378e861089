import type { Trial } from "../trial.ts";

/** How a requirement is tried. It throws a `Violation`, or a `NotExercised`. */
export interface Case {
  readonly verifies: string;
  readonly run: (trial: Trial) => Promise<void>;
}

export function verifies(id: string, run: (trial: Trial) => Promise<void>): Case {
  return { verifies: id, run };
}
