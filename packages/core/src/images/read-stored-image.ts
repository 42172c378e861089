import { InputError } from "../errors/input-error.ts";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { ReadImage } from "../ports/read-artifact.ts";

/** Reads images out of a store, the owner's files alone. */
export function readStoredImage(files: ArtifactStore): ReadImage {
  return async ({ id, sha256 }, { owner, signal, maxBytes }) => {
    const found = await files.get(id, owner);
    // The same for a file of somebody else: nobody learns here whether there is one.
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
