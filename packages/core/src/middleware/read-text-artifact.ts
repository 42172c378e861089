import type { ArtifactStore } from "../ports/artifact-store.ts";
import { clip } from "../text/clip.ts";

const TEXT_TYPE =
  /^(?:text\/[\w.+-]+|application\/(?:json|xml|yaml|x-yaml|x-ndjson|jsonl|sql|toml|[\w.-]+\+(?:json|xml|yaml)))(?:\s*;.*)?$/i;

/** The text of an owner's file, or why it cannot be had, as a sentence for the model. */
export async function readTextArtifact(
  artifacts: ArtifactStore,
  id: string,
  { owner, maxBytes }: { readonly owner: string; readonly maxBytes: number },
): Promise<{ readonly text: string; readonly bytes: number } | { readonly refuse: string }> {
  const shown = JSON.stringify(clip(id, 80));
  const found = await artifacts.get(id, owner);
  // Nobody learns here whether somebody else has such a file.
  if (found === undefined) return { refuse: `There is no file ${shown} at hand.` };
  const { ref } = found;
  if (!TEXT_TYPE.test(ref.mediaType)) {
    return { refuse: `The file ${shown} is ${clip(ref.mediaType, 60)}; only text can be handed over.` };
  }
  const tooLarge = {
    refuse: `The file ${shown} has ${ref.bytes} bytes; ${maxBytes} are left for this call.`,
  };
  if (ref.bytes > maxBytes) return tooLarge;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of found.read()) {
    bytes += chunk.length;
    if (bytes > maxBytes) return tooLarge;
    chunks.push(chunk);
  }
  const text = decode(chunks);
  return text === undefined
    ? { refuse: `The file ${shown} is not text in UTF-8, so it cannot be handed over.` }
    : { text, bytes };
}

function decode(chunks: readonly Uint8Array[]): string | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const parts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    const text = parts.join("") + decoder.decode();
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
