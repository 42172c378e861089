import { createHash } from "node:crypto";

import { AgentError, isTroupeError, type Fetch } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

/**
 * The bytes of a file somebody announced, checked against its size and hash: nothing past the size
 * is read. Throws an `AgentError` when they cannot be had or are not the file, and a `NetworkError` where
 * `fetch` does not go.
 */
export async function download(file: ArtifactRef, fetch: Fetch, signal: AbortSignal): Promise<Uint8Array> {
  const { name, url } = file;
  let bytes: Uint8Array | undefined;
  try {
    // Not followed: it would lead to an address nobody looked at.
    const response = await fetch(url, { signal, redirect: "manual" });
    if (!response.ok) {
      await response.body?.cancel();
      throw new AgentError(
        "agent.protocol",
        `"${name}" at ${url} could not be fetched (HTTP ${response.status}).`,
      );
    }
    bytes = await readUpTo(response, file.bytes);
  } catch (error) {
    if (isTroupeError(error)) throw error;
    throw new AgentError("agent.unreachable", `"${name}" at ${url} could not be fetched.`, {
      cause: error,
      retryable: true,
    });
  }
  if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== file.sha256)
    throw new AgentError("agent.protocol", `"${name}" from ${url} is not the file that was announced.`);
  return bytes;
}

/** Undefined when there is more. */
async function readUpTo(response: Response, max: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > max) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
