import { createHash } from "node:crypto";

import { AgentError, bytesAtMost, isSameOrigin, type ArtifactStore, type ReadArtifact } from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";

/** What is read into memory of one file. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads text of steps before: out of the agent's own store where that has it, as on one machine, else from the
 * address it stands at, where that is one of the origins that files may come from.
 */
export function artifactReader(
  files: ArtifactStore,
  { allowedOrigins }: { readonly allowedOrigins: readonly string[] },
): ReadArtifact {
  return async (file, { owner, signal }) => {
    const refuse = (why: string): AgentError =>
      new AgentError("agent.protocol", `The rest of it ("${file.name}") cannot be read here: ${why}.`);
    if (file.bytes > MAX_BYTES) throw refuse(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    const own = await files.get(file.id, owner);
    if (own?.ref.sha256 === file.sha256) return textOf(await gathered(own.read()));
    if (!allowedOrigins.some((origin) => isSameOrigin(file.url, origin)))
      throw refuse("its address is none of TROUPE_ALLOWED_ORIGINS");
    const fetch = guardedFetch({ allow: allowedOrigins });
    // Not followed: it would lead to an address nobody looked at.
    const response = await fetch(file.url, { signal, redirect: "manual" });
    if (!response.ok) {
      await response.body?.cancel();
      throw refuse(`its server said HTTP ${response.status}`);
    }
    const bytes = await bytesAtMost(response, file.bytes);
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== file.sha256)
      throw refuse("what stands at its address is another file");
    return textOf([bytes]);
  };
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return chunks;
}

const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString("utf8");
