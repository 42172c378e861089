import {
  AgentError,
  isSameOrigin,
  isTroupeError,
  toErrorInfo,
  type AgentGateway,
  type AgentResult,
  type ArtifactStore,
  type Log,
} from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import { insist } from "@troupe/core/resilience";
import type { AgentEvent, ArtifactRef, Clock } from "@troupe/stream";

import { openDownload } from "../adapters/download.ts";

export interface ImportOptions {
  /** Where the copies go, and what tells their address. */
  readonly files: ArtifactStore;
  /** Address an agent was registered with; undefined for one of this process, whose files are not fetched. */
  readonly addressOf: (agent: string) => Promise<string | undefined>;
  /** Origins that files may come from beside their agent's own. */
  readonly allowedOrigins: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

const MIB = 1024 * 1024;
/** Of one file. */
const MAX_BYTES = 1024 * MIB;
/** Files of one step, and what they have together. */
const MAX_FILES = 100;
const MAX_STEP_BYTES = 4 * 1024 * MIB;
/** Events that may wait for a file before their agent is read on. */
const MAX_BEHIND = 1_000;
/** How long an agent whose file is wanted may be away. */
const RETURN_MS = 10_000;

type Taken = { readonly ref: ArtifactRef } | { readonly problem: unknown };

/**
 * Takes the files of every step into a store of ours, so that they outlive the agent that made them
 * and nobody is handed an address that an agent chose. Only the agent's own origin is fetched from:
 * an agent must not make us call others. A file that is not taken over is left out, and a step it is
 * missing from is not completed.
 */
export function importArtifacts(gateway: AgentGateway, options: ImportOptions): AgentGateway {
  return {
    send: (agent, request, more) => gateway.send(agent, request, more),
    cancel: (agent, taskId, more) => gateway.cancel(agent, taskId, more),
    async await(agent, taskId, more) {
      const { signal, onEvent, caller } = more;
      const owner = caller?.id ?? "";
      const taken = new Map<string, Promise<Taken>>();
      let bytes = 0;
      // One at a time: a step is not to take all that a connection and a disk can do.
      let last: Promise<unknown> = Promise.resolve();
      const take = (artifact: ArtifactRef): Promise<Taken> => {
        // It may be made anew under its id.
        const key = JSON.stringify([artifact.id, artifact.sha256]);
        const known = taken.get(key);
        if (known) return known;
        const before = { count: taken.size, bytes };
        bytes += artifact.bytes;
        const copied = last.then(() => takeOver(agent, artifact, before, { ...options, owner, signal }));
        last = copied;
        taken.set(key, copied);
        return copied;
      };
      // What comes after a file waits for it, so that the order stays.
      let waiting: Promise<void> | undefined;
      let failure: { readonly error: unknown } | undefined;
      const told = async (event: AgentEvent, before: Promise<void> | undefined): Promise<void> => {
        const found = event.type === "artifact" ? await take(event.artifact) : undefined;
        await before;
        if (failure) return;
        if (event.type !== "artifact") await onEvent?.(event);
        else if (found && "ref" in found) await onEvent?.({ ...event, artifact: found.ref });
      };
      let behind = 0;
      const tell = (event: AgentEvent): void | Promise<void> => {
        if (failure) throw failure.error;
        if (event.type !== "artifact" && waiting === undefined) return onEvent?.(event);
        behind++;
        const mine = told(event, waiting)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => {
            behind--;
            if (waiting === mine) waiting = undefined;
          });
        waiting = mine;
        return behind < MAX_BEHIND ? undefined : mine;
      };
      let result: AgentResult;
      try {
        result = await gateway.await(agent, taskId, { ...more, onEvent: tell });
      } finally {
        await waiting;
      }
      // Whoever awaits the task is told that not everything was told, as where nothing had to wait.
      if (failure) throw failure.error;
      return withFiles(result, await Promise.all(result.artifacts.map(take)));
    },
  };
}

function withFiles(result: AgentResult, files: readonly Taken[]): AgentResult {
  const artifacts = files.flatMap((file) => ("ref" in file ? [file.ref] : []));
  const missing = files.find((file) => "problem" in file);
  if (missing === undefined || result.outcome !== "completed") return { ...result, artifacts };
  return { ...result, artifacts, outcome: "partial", error: toErrorInfo(missing.problem) };
}

async function takeOver(
  agent: string,
  artifact: ArtifactRef,
  before: { readonly count: number; readonly bytes: number },
  options: ImportOptions & { readonly owner: string; readonly signal: AbortSignal },
): Promise<Taken> {
  const { files, clock, owner, signal, log } = options;
  const { id, name, mediaType, bytes, sha256, url } = artifact;
  const refuse = (why: string): AgentError =>
    new AgentError("agent.protocol", `The file "${name}" of agent "${agent}" was not taken over: ${why}.`);
  try {
    // Agents of one machine may keep their files in one folder.
    const known = await files.get(id, owner);
    if (known && known.ref.sha256 === sha256) return { ref: known.ref };
    const own = await options.addressOf(agent);
    if (own === undefined) return { ref: artifact };
    const allow = [own, ...options.allowedOrigins];
    if (!allow.some((origin) => isSameOrigin(url, origin)))
      throw refuse("its address is not the agent's own, nor one of TROUPE_ALLOWED_ORIGINS");
    if (bytes > MAX_BYTES) throw refuse(`it has more than ${MAX_BYTES / MIB} MiB`);
    if (before.bytes + bytes > MAX_STEP_BYTES)
      throw refuse(`the files of a step may have ${MAX_STEP_BYTES / MIB} MiB together`);
    if (before.count >= MAX_FILES) throw refuse(`a step may have at most ${MAX_FILES} files`);
    const fetch = guardedFetch({ allow });
    // As it comes, from the connection to the disk; one that breaks off is begun again.
    const copy = async (): Promise<ArtifactRef> => {
      const content = await openDownload(artifact, fetch, signal);
      return files.put(content, { name, mediaType, owner }, { sha256, maxBytes: bytes });
    };
    return { ref: await insist(copy, { patienceMs: RETURN_MS, clock, signal, isAbsence }) };
  } catch (problem) {
    log.warn("a step's file was not taken over", { agent, artifact: id, url, error: problem });
    return { problem };
  }
}

/** The agent that has the file is away, and may be back in a moment. */
function isAbsence(error: unknown): boolean {
  return isTroupeError(error) && error.code === "agent.unreachable";
}
