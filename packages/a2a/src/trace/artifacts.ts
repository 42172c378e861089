import type { PartCounts, SeenArtifact } from "../capture/read-event.ts";
import { kindOf, stepOf, type ArtifactKind, type TextRole } from "./role.ts";

export interface TraceArtifact {
  readonly id: string;
  readonly name: string;
  /** Of a text what it is for the run, one after another where it changed; else what the artifact is for. */
  readonly role: string;
  /** Empty where it belongs to no step. */
  readonly step: string;
  readonly chunks: number;
  /** In all chunks. */
  readonly parts: PartCounts;
  /** A chunk had `is_final_answer`. */
  readonly finalAnswer: boolean;
  /** A chunk had `is_narration`. */
  readonly narration: boolean;
  /** UTF-16 units of text in all chunks. */
  readonly characters: number;
  /** Milliseconds, as everywhere. */
  readonly first: number;
  readonly last: number;
  readonly closed: boolean;
}

interface Known {
  name: string;
  kind: ArtifactKind;
  step: string;
  chunks: number;
  parts: PartCounts;
  finalAnswer: boolean;
  narration: boolean;
  characters: number;
  readonly first: number;
  last: number;
  closed: boolean;
}

/** What each artifact amounted to. */
export class ArtifactTable {
  readonly #known = new Map<string, Known>();

  /** @returns what the artifact is for */
  take(t: number, artifact: SeenArtifact, flags: { append: boolean; lastChunk: boolean }): ArtifactKind {
    const { artifactId, name, text, metadata } = artifact;
    const before = this.#known.get(artifactId);
    const kind = kindOf(artifact, before?.kind);
    const known: Known = before ?? {
      name,
      kind,
      step: "",
      chunks: 0,
      parts: { text: 0, data: 0, file: 0 },
      finalAnswer: false,
      narration: false,
      characters: 0,
      first: t,
      last: t,
      closed: false,
    };
    this.#known.set(artifactId, known);
    known.kind = kind;
    if (name !== "") known.name = name;
    known.step ||= stepOf(metadata);
    known.chunks++;
    known.parts = addParts(known.parts, artifact.partKinds);
    known.finalAnswer ||= metadata["is_final_answer"] === true;
    known.narration ||= metadata["is_narration"] === true;
    known.characters += text.length;
    known.last = t;
    known.closed ||= flags.lastChunk;
    return kind;
  }

  /** An artifact as it stands in a task: whole, so it counts only where it was not streamed. Nothing is open once the task is `over`. */
  takeWhole(t: number, artifact: SeenArtifact, over: boolean): ArtifactKind {
    const before = this.#known.get(artifact.artifactId);
    if (before === undefined) return this.take(t, artifact, { append: false, lastChunk: over });
    if (artifact.text.length > before.characters) {
      before.characters = artifact.text.length;
      before.chunks++;
      before.last = t;
    }
    return before.kind;
  }

  get size(): number {
    return this.#known.size;
  }

  rows(rolesOf: (artifactId: string) => readonly TextRole[]): readonly TraceArtifact[] {
    return [...this.#known].map(([id, { kind, ...known }]) => ({
      id,
      ...known,
      role: kind === "text" ? [...new Set(rolesOf(id))].join(", ") || kind : kind,
    }));
  }
}

function addParts(a: PartCounts, b: PartCounts): PartCounts {
  return { text: a.text + b.text, data: a.data + b.data, file: a.file + b.file };
}
