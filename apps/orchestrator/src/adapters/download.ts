import { createHash } from "node:crypto";

import { AgentError, isTroupeError, type Fetch } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

/**
 * The bytes of a file somebody announced, as they come. They are checked against its size and hash:
 * nothing past the size is read, and where they are not the file, or break off, reading them throws an
 * `AgentError`. The same is thrown when it cannot be had at all, and a `NetworkError` where `fetch` does not go.
 */
export async function openDownload(
  file: ArtifactRef,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { name, url } = file;
  const response = await reached(file, async () =>
    // Not followed: it would lead to an address nobody looked at.
    fetch(url, { signal, redirect: "manual" }),
  );
  if (response.ok) return checked(file, response);
  await response.body?.cancel();
  throw new AgentError(
    "agent.protocol",
    `"${name}" at ${url} could not be fetched (HTTP ${response.status}).`,
  );
}

/** The whole of it, for a file that is to be held in memory. */
export async function download(file: ArtifactRef, fetch: Fetch, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openDownload(file, fetch, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* checked(file: ArtifactRef, response: Response): AsyncGenerator<Uint8Array> {
  const { name, url, bytes, sha256 } = file;
  const other = (): AgentError =>
    new AgentError("agent.protocol", `"${name}" from ${url} is not the file that was announced.`);
  const hash = createHash("sha256");
  let size = 0;
  const body = (response.body ?? new Blob([]).stream())[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await reached(file, () => body.next());
      if (next.done === true) break;
      size += next.value.byteLength;
      if (size > bytes) throw other();
      hash.update(next.value);
      yield next.value;
    }
  } finally {
    // Whoever leaves does not take the rest.
    await body.return?.();
  }
  if (size !== bytes || hash.digest("hex") !== sha256) throw other();
}

async function reached<T>({ name, url }: ArtifactRef, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isTroupeError(error)) throw error;
    throw new AgentError("agent.unreachable", `"${name}" at ${url} could not be fetched.`, {
      cause: error,
      retryable: true,
    });
  }
}
