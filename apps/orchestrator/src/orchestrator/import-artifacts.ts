import type { AgentGateway, ArtifactStore, Log } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

import { download } from "../adapters/download.ts";

/**
 * Takes the files of every step into a store of ours, so they outlive the agent that made them. A
 * file that cannot be fetched, or is not the one announced, keeps its own address: a finished step is
 * not lost over it, and whoever fetches it from there checks again.
 */
export function importArtifacts(gateway: AgentGateway, store: ArtifactStore, log: Log): AgentGateway {
  return {
    send: (agent, request, options) => gateway.send(agent, request, options),
    cancel: (agent, taskId) => gateway.cancel(agent, taskId),
    async await(agent, taskId, options) {
      const result = await gateway.await(agent, taskId, options);
      const artifacts = await Promise.all(
        result.artifacts.map((artifact) => take(artifact, store, options.signal, log)),
      );
      return { ...result, artifacts };
    },
  };
}

async function take(
  artifact: ArtifactRef,
  store: ArtifactStore,
  signal: AbortSignal,
  log: Log,
): Promise<ArtifactRef> {
  const known = await store.get(artifact.id, "");
  if (known && known.ref.sha256 === artifact.sha256) return known.ref;
  try {
    const bytes = await download(artifact, signal);
    return await store.put(bytes, { name: artifact.name, mediaType: artifact.mediaType, owner: "" });
  } catch (error) {
    log.warn("a step's file was not taken over", { artifact: artifact.id, url: artifact.url, error });
    return artifact;
  }
}
