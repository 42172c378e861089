import { createHash } from "node:crypto";

import {
  AgentError,
  bytesAtMost,
  isSameOrigin,
  readStoredImage,
  type ArtifactStore,
  type ReadArtifact,
  type ReadImage,
} from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import type { ArtifactRef } from "@troupe/stream";

/** Bytes of one text file that are read into memory. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Fetched images whose place in the store is remembered; an older one is fetched again. */
const MAX_FETCHED = 1_000;

interface Origins {
  readonly allowedOrigins: readonly string[];
}

/**
 * Reads text of steps before: out of the agent's own store where that has it, as on one machine, else from the
 * address it stands at, where that is one of the origins that files may come from.
 */
export function artifactReader(files: ArtifactStore, { allowedOrigins }: Origins): ReadArtifact {
  return async (file, { owner, signal }) => {
    const refuse = (why: string): AgentError =>
      new AgentError("agent.protocol", `The rest of it ("${file.name}") cannot be read here: ${why}.`);
    if (file.bytes > MAX_BYTES) throw refuse(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    const own = await files.get(file.id, owner);
    if (own?.ref.sha256 === file.sha256) return textOf(await gathered(own.read()));
    return textOf([await fetched(file, { allowedOrigins, signal, refuse })]);
  };
}

/**
 * The same for images. One that is fetched goes into the agent's own store, for the owner of the run, and is read from
 * there at every further call.
 */
export function imageReader(files: ArtifactStore, { allowedOrigins }: Origins): ReadImage {
  const read = readStoredImage(files);
  const places = new Map<string, ArtifactRef>();
  return async (file, options) => {
    const { owner, signal, maxBytes } = options;
    const own = await files.get(file.id, owner);
    if (own?.ref.sha256 === file.sha256) return read(own.ref, options);
    const key = `${file.sha256} ${owner}`;
    const place = places.get(key);
    if (place !== undefined && (await files.get(place.id, owner)) !== undefined) return read(place, options);
    const refuse = (why: string): AgentError => new AgentError("agent.protocol", why);
    if (file.bytes > maxBytes) throw refuse(`it has ${file.bytes} bytes, and at most ${maxBytes} are taken`);
    const bytes = await fetched(file, { allowedOrigins, signal, refuse });
    places.set(key, await files.put(bytes, { name: file.name, mediaType: file.mediaType, owner }));
    const [oldest] = places.keys();
    if (places.size > MAX_FETCHED && oldest !== undefined) places.delete(oldest);
    return bytes;
  };
}

async function fetched(
  file: ArtifactRef,
  {
    allowedOrigins,
    signal,
    refuse,
  }: Origins & { readonly signal: AbortSignal; readonly refuse: (why: string) => AgentError },
): Promise<Uint8Array> {
  if (!allowedOrigins.some((origin) => isSameOrigin(file.url, origin)))
    throw refuse("its address is none of TROUPE_ALLOWED_ORIGINS");
  const fetch = guardedFetch({ allow: allowedOrigins });
  // Redirects are not followed: their target was not checked.
  const response = await fetch(file.url, { signal, redirect: "manual" });
  if (!response.ok) {
    await response.body?.cancel();
    throw refuse(`its server said HTTP ${response.status}`);
  }
  const bytes = await bytesAtMost(response, file.bytes);
  if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== file.sha256)
    throw refuse("what stands at its address is another file");
  return bytes;
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return chunks;
}

const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString("utf8");
