import type { ArtifactRef } from "@troupe/stream";

/**
 * The text of a file that a step before left, as whoever asks may read it. Throws a `TroupeError` that says
 * why it cannot be had; its message is for the model.
 */
export type ReadArtifact = (
  file: ArtifactRef,
  options: { readonly owner: string; readonly signal: AbortSignal },
) => Promise<string>;

/**
 * The bytes of an image of a run, as its owner may read it. Throws a `TroupeError` that says why they cannot be had, also
 * where there are more than `maxBytes`; its message is for the model.
 */
export type ReadImage = (
  file: ArtifactRef,
  options: { readonly owner: string; readonly signal: AbortSignal; readonly maxBytes: number },
) => Promise<Uint8Array>;
