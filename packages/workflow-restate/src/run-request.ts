import { InputError } from "@troupe/core";
import type { Json } from "@troupe/stream";
import { runInputSchema, type DagSpec } from "@troupe/workflow";

import { bytesOf, inMegabytes, MAX_INPUT_BYTES, MAX_KEPT_BYTES } from "./limits.ts";

/** What a run is started with. Published: kept in Restate for as long as the run is. */
export interface RunRequest {
  readonly spec: DagSpec;
  /** A `RunInput`. */
  readonly input: Json;
}

/** Bytes of JSON of the results that a run keeps of an earlier one. */
export function keptBytes({ input }: RunRequest): number {
  const kept = runInputSchema.safeParse(input).data?.kept;
  return kept === undefined ? 0 : bytesOf(JSON.stringify(kept));
}

/** Throws an `InputError` (`input.too-large`) for what Restate would not take. */
export function checkSize(request: RunRequest): void {
  const kept = keptBytes(request);
  if (kept > MAX_KEPT_BYTES)
    throw tooLarge(
      "the results kept of the earlier run are",
      kept,
      MAX_KEPT_BYTES,
      "begin it at an earlier step, so that there is room for what is new",
    );
  const rest = bytesOf(JSON.stringify(request)) - kept;
  if (rest > MAX_INPUT_BYTES)
    throw tooLarge(
      "the workflow and what it is given are",
      rest,
      MAX_INPUT_BYTES,
      "hand on what is large as a file",
    );
}

function tooLarge(what: string, bytes: number, most: number, instead: string): InputError {
  return new InputError(
    "input.too-large",
    `${what} ${inMegabytes(bytes)}, of at most ${inMegabytes(most)}; ${instead}`,
  );
}
