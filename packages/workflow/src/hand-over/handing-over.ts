import { createHash } from "node:crypto";

import {
  allResults,
  boundResults,
  isTroupeError,
  silentLog,
  type Abridged,
  type AgentGateway,
  type ArtifactMeta,
  type ArtifactStore,
  type Delegation,
  type LeftOut,
  type Log,
  type StepResult,
} from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

import { redacted, type Redact } from "./redact.ts";

export interface HandOverOptions {
  readonly redact?: Redact;
  /** Where the whole of what is handed over in part is kept. */
  readonly files?: ArtifactStore;
  readonly log?: Log;
}

/**
 * The same agents, asked with what they may have: first redacted, then bounded, the whole of what is too large
 * kept as a file of whoever began the run and named by reference. A message sent again is the same again.
 */
export function handingOver(gateway: AgentGateway, options: HandOverOptions): AgentGateway {
  const { redact, files, log = silentLog } = options;
  const keeper = files && new Keeper(files, log);
  return {
    async send(agent, request, more) {
      const asked = redact === undefined ? request : redacted(request, agent, redact);
      const owner = more.caller?.id ?? "";
      const delegation = await boundDelegation(asked.delegation, { keeper, owner });
      return gateway.send(agent, { ...asked, delegation }, more);
    },
    await: (agent, taskId, more) => gateway.await(agent, taskId, more),
    cancel: (agent, taskId, more) => gateway.cancel(agent, taskId, more),
  };
}

interface Keeping {
  readonly keeper: Keeper | undefined;
  readonly owner: string;
}

async function boundDelegation(delegation: Delegation, keeping: Keeping): Promise<Delegation> {
  const { results, leftOut } = boundResults(allResults(delegation));
  if (leftOut.size === 0) return withResults(delegation, results);
  const kept = new Map(
    await Promise.all(
      Object.entries(results).map(async ([name, result]) => {
        const left = leftOut.get(name);
        return [name, left === undefined ? result : await withFiles(result, left, keeping)] as const;
      }),
    ),
  );
  return withResults(delegation, Object.fromEntries(kept));
}

function withResults(delegation: Delegation, named: Delegation["results"]): Delegation {
  const those = (of: Delegation["results"]): Delegation["results"] =>
    Object.fromEntries(Object.entries(of).map(([name, result]) => [name, named[name] ?? result]));
  const { earlier } = delegation;
  return {
    ...delegation,
    results: those(delegation.results),
    ...(earlier === undefined ? {} : { earlier: { ...earlier, results: those(earlier.results) } }),
  };
}

async function withFiles(
  result: StepResult,
  { answer, rest }: LeftOut,
  keeping: Keeping,
): Promise<StepResult> {
  const { keeper, owner } = keeping;
  const keep = (text: string | undefined, name: string, mediaType: string) =>
    text === undefined
      ? undefined
      : keeper?.put(text, { name: `${result.stepId}-${name}`, mediaType, owner });
  const [whole, more] = await Promise.all([
    keep(answer, "answer.md", "text/markdown"),
    keep(rest === undefined ? undefined : JSON.stringify(rest), "rest.json", "application/json"),
  ]);
  const abridged: Abridged = {
    ...result.abridged,
    ...(whole === undefined ? {} : { answer: whole }),
    ...(more === undefined ? {} : { rest: more }),
  };
  return { ...result, abridged };
}

/** Files that are remembered; one that is forgotten is put once more. */
const MAX_KEPT = 1_000;

/** Puts a text once for each owner, however often it is handed over, as long as its file is there. */
class Keeper {
  readonly #files: ArtifactStore;
  readonly #log: Log;
  /** By owner, name and content. */
  readonly #kept = new Map<string, ArtifactRef>();

  constructor(files: ArtifactStore, log: Log) {
    this.#files = files;
    this.#log = log;
  }

  /** A full disk is no reason not to ask an agent: the beginning is there, and that it is one is said. */
  async put(text: string, meta: ArtifactMeta): Promise<ArtifactRef | undefined> {
    const bytes = new TextEncoder().encode(text);
    const key = JSON.stringify([meta.owner, meta.name, createHash("sha256").update(bytes).digest("hex")]);
    const known = this.#kept.get(key);
    try {
      if (known !== undefined && (await this.#files.get(known.id, meta.owner)) !== undefined) return known;
      const ref = await this.#files.put(bytes, meta);
      this.#kept.set(key, ref);
      for (const oldest of this.#kept.keys()) {
        if (this.#kept.size <= MAX_KEPT) break;
        this.#kept.delete(oldest);
      }
      return ref;
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      this.#log.warn("the whole of a result was not kept; its beginning is handed over", {
        name: meta.name,
        error,
      });
      return undefined;
    }
  }
}
