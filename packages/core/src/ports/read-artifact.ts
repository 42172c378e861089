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
 * Reads the bytes of an image of a run with the permissions of its owner. Throws a `TroupeError` if the image cannot be
 * read or has more than `maxBytes`; the model sees the message.
 */
export type ReadImage = (
  file: ArtifactRef,
  options: { readonly owner: string; readonly signal: AbortSignal; readonly maxBytes: number },
) => Promise<Uint8Array>;
