import { InputError } from "../errors/input-error.ts";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { ReadImage } from "../ports/read-artifact.ts";

/** Reads images from a store; only files of the owner. Throws an `InputError` if the image is missing or too large. */
export function readStoredImage(files: ArtifactStore): ReadImage {
  return async ({ id, sha256 }, { owner, signal, maxBytes }) => {
    const found = await files.get(id, owner);
    // A file of another owner gives the same error, which does not reveal that it exists.
    if (found === undefined || found.ref.sha256 !== sha256)
      throw new InputError("input.not-found", "it is not in the store");
    const { bytes: size } = found.ref;
    if (size > maxBytes)
      throw new InputError("input.too-large", `it has ${size} bytes, and at most ${maxBytes} are taken`);
    const bytes = new Uint8Array(size);
    let at = 0;
    for await (const chunk of found.read()) {
      signal.throwIfAborted();
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  };
}
