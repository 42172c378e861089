import { silentLog, silentMetrics, type Log, type Metrics } from "@troupe/core";
import type { Part, Task } from "@a2a-js/sdk";

import { ARTIFACT_NAMES, PLAN_NAMES } from "./extension.ts";
import { artifactOf, textPart, type Metadata, type WireEvent } from "./parts.ts";

/** More artifacts than this in one task make its snapshot slow for every reader. */
const MANY_ARTIFACTS = 100;

const PROTOCOL_NAMES: ReadonlySet<string> = new Set(Object.values(ARTIFACT_NAMES));

/** What an artifact holds from the start. */
export interface ArtifactContent {
  readonly name: string;
  readonly description?: string;
  readonly parts: readonly [Part, ...Part[]];
  readonly metadata?: Metadata;
}

export interface LedgerOptions {
  readonly task: Pick<Task, "id" | "contextId">;
  readonly emit: (event: WireEvent) => void;
  /** Ids the task already holds from earlier turns; they stay closed. */
  readonly known?: Iterable<string>;
  readonly log?: Log;
  /** Counts `troupe_artifacts_total` by `agent` and `name`; files, whose names are anybody's, as `file`. */
  readonly metrics?: Metrics;
  readonly agent?: string;
}

/**
 * The only way to emit artifacts of a task. It holds the rules that no store and no SDK enforces:
 * create, then append, nothing after close, every update carries a part, everything closed at the
 * end. A broken rule is a programming error and throws a `TypeError`.
 */
export interface Ledger {
  /** A free id: `wanted`, or `wanted~2` and so on where it is taken. */
  freeId(wanted: string): string;
  /** append=false, once per id. */
  create(artifactId: string, content: ArtifactContent, options?: { readonly close?: boolean }): void;
  /** append=true. Metadata is merged into the artifact key by key. */
  append(
    artifactId: string,
    update: { readonly parts?: readonly Part[]; readonly metadata?: Metadata; readonly close?: boolean },
  ): void;
  /**
   * append=false on an open plan: parts and metadata are exchanged as a whole, because it stands for
   * a state. No other content is ever replaced; what a new attempt supersedes stays, under its own id.
   */
  replace(artifactId: string, content: ArtifactContent): void;
  /** append=false on an open text that is superseded, with an empty text in its place. */
  clear(artifactId: string, content: Omit<ArtifactContent, "name" | "parts">): void;
  close(artifactId: string): void;
  closeAll(): void;
  isOpen(artifactId: string): boolean;
  size(): number;
}

/** A ledger for one turn of a task, empty but for the ids in `known`; what it lets through goes to `emit` at once. */
export function createLedger(options: LedgerOptions): Ledger {
  const { task, emit, log = silentLog, metrics = silentMetrics, agent = "" } = options;
  /** Name by id of what is open; a closed id stays in `closed` for good. */
  const open = new Map<string, string>();
  const closed = new Set<string>(options.known);
  let created = 0;

  const send = (
    artifactId: string,
    {
      name,
      parts,
      metadata,
      description,
    }: Omit<ArtifactContent, "parts"> & { readonly parts: readonly Part[] },
    flags: { append: boolean; lastChunk: boolean },
  ): void =>
    emit({
      $case: "artifactUpdate",
      value: {
        taskId: task.id,
        contextId: task.contextId,
        artifact: artifactOf(artifactId, name, parts, metadata, description),
        append: flags.append,
        lastChunk: flags.lastChunk,
        metadata: undefined,
      },
    });

  const nameOfOpen = (artifactId: string, verb: string): string => {
    const name = open.get(artifactId);
    if (name === undefined) {
      const why = closed.has(artifactId) ? "it is closed" : "it was never created";
      throw new TypeError(`cannot ${verb} artifact "${artifactId}": ${why}`);
    }
    return name;
  };
  const settle = (artifactId: string): void => {
    open.delete(artifactId);
    closed.add(artifactId);
  };
  const taken = (artifactId: string): boolean => open.has(artifactId) || closed.has(artifactId);

  const ledger: Ledger = {
    freeId(wanted) {
      if (!taken(wanted)) return wanted;
      let n = 2;
      while (taken(`${wanted}~${n}`)) n++;
      return `${wanted}~${n}`;
    },
    create(artifactId, content, { close = false } = {}) {
      const { name, metadata } = content;
      if (taken(artifactId)) throw new TypeError(`artifact "${artifactId}" exists already`);
      open.set(artifactId, name);
      created++;
      const step = metadata?.["plan_step_id"];
      log.info("artifact created", {
        taskId: task.id,
        artifactId,
        name,
        step,
        append: false,
        total: created,
      });
      metrics.count("troupe_artifacts_total", 1, { agent, name: PROTOCOL_NAMES.has(name) ? name : "file" });
      if (created === MANY_ARTIFACTS + 1)
        log.warn("many artifacts in one task", { taskId: task.id, limit: MANY_ARTIFACTS });
      if (close) settle(artifactId);
      send(artifactId, content, { append: false, lastChunk: close });
    },
    append(artifactId, { parts = [], metadata, close = false }) {
      const name = nameOfOpen(artifactId, "append to");
      if (close) settle(artifactId);
      const body = parts.length === 0 ? [textPart("")] : parts;
      send(
        artifactId,
        { name, parts: body, ...(metadata === undefined ? {} : { metadata }) },
        { append: true, lastChunk: close },
      );
    },
    replace(artifactId, content) {
      const { name } = content;
      const before = nameOfOpen(artifactId, "replace");
      if (!PLAN_NAMES.has(before) || !PLAN_NAMES.has(name))
        throw new TypeError(`cannot replace artifact "${artifactId}": "${before}" is no plan`);
      open.set(artifactId, name);
      send(artifactId, content, { append: false, lastChunk: false });
    },
    clear(artifactId, content) {
      const name = nameOfOpen(artifactId, "clear");
      if (name !== ARTIFACT_NAMES.text)
        throw new TypeError(`cannot clear artifact "${artifactId}": "${name}" is no text`);
      send(artifactId, { ...content, name, parts: [textPart("")] }, { append: false, lastChunk: false });
    },
    close: (artifactId) => ledger.append(artifactId, { close: true }),
    closeAll() {
      for (const artifactId of open.keys()) ledger.close(artifactId);
    },
    isOpen: (artifactId) => open.has(artifactId),
    size() {
      return created;
    },
  };
  return ledger;
}
