import type { Json } from "@troupe/stream";

import type { DagSpec } from "../schema/spec.ts";
import type { RunOutcome } from "./run.ts";
import type { SettledError } from "./settled-error.ts";

/** A settled value without its name, as it stands in the journal. */
export type Settlement =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: SettledError };

export interface JournalEntry {
  readonly name: string;
  readonly value: Settlement;
}

/** What an engine knows of a run, beside its events. */
export interface RecordedRun {
  readonly spec: DagSpec;
  /** A `RunInput`, as it was given. */
  readonly input: Json;
  /** Null while the run has not ended. */
  readonly outcome: RunOutcome | null;
  /** In the order the driver saw them. Absent where the engine does not tell, or no longer keeps them. */
  readonly journal?: readonly JournalEntry[];
  /** What was answered, by the name of the signal, also what nobody has taken yet. */
  readonly signals: ReadonlyMap<string, Json>;
}
