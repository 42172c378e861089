import type { AnswerEvidence } from "@troupe/core";
import type { Citation } from "@troupe/stream";

/** A passage as it stands in a file of vectors. */
export interface VectorCitation {
  readonly id: string;
  readonly document?: string;
  readonly section?: string;
  readonly text: string;
}

export interface VectorResult {
  readonly id: string;
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly sql?: string;
}

/** A citation whose passage is `text`. */
export function citation({ id, document = "Report", section, text }: VectorCitation): Citation {
  return {
    id,
    document,
    ...(section === undefined ? {} : { section }),
    source: document,
    collection: "test",
    chunkId: id,
    quote: text,
    passage: text,
    start: 0,
    end: text.length,
  };
}

/** Evidence of vectors, or of a test that writes its own. */
export function evidenceOf(evidence: {
  readonly citations?: readonly VectorCitation[];
  readonly results?: readonly VectorResult[];
  readonly given?: readonly string[];
}): AnswerEvidence {
  return {
    citations: (evidence.citations ?? []).map(citation),
    tables: (evidence.results ?? []).map(({ sql, ...table }) => ({
      ...table,
      ...(sql === undefined ? {} : { query: sql }),
    })),
    given: evidence.given ?? [],
  };
}

/** Evidence of passages numbered from 1. */
export function passages(...texts: readonly string[]): AnswerEvidence {
  return evidenceOf({ citations: texts.map((text, index) => ({ id: `${index + 1}`, text })) });
}
