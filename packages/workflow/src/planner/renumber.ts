import { withPassageOf, type StepResult } from "@troupe/core";
import {
  referencedIds,
  rewriteReferences,
  type ChartSpec,
  type Citation,
  type SentenceCheck,
} from "@troupe/stream";

import { endedWell, wordsOf } from "./findings.ts";

export interface Renumbered {
  /** The answers in the order of the results, with their references rewritten. */
  readonly answers: readonly string[];
  readonly citations: readonly Citation[];
  readonly charts: readonly ChartSpec[];
  /** What was checked of the answers, in their order; absent where nothing was. */
  readonly checks?: readonly SentenceCheck[];
}

/**
 * Joins the sources of several steps under one set of numbers: `[1]` of one step and `[1]` of
 * another become different ones, the same passage becomes the same one. Charts likewise, as
 * `chart-1`, `chart-2` ...
 */
export function renumber(results: readonly StepResult[]): Renumbered {
  const citations = new Map<string, Citation>();
  const charts: ChartSpec[] = [];
  const checks: SentenceCheck[] = [];
  const answers = results.map((result) => {
    const ids = new Map<string, string>();
    for (const citation of result.citations) {
      const place = placeOf(citation);
      const known = citations.get(place);
      const id = known?.id ?? String(citations.size + 1);
      citations.set(place, known === undefined ? { ...citation, id } : withPassageOf(known, citation));
      ids.set(citation.id, id);
    }
    for (const chart of result.data?.charts ?? []) {
      const id = `chart-${charts.length + 1}`;
      charts.push({ ...chart, id });
      ids.set(chart.id, id);
    }
    const rewrite = (text: string): string => rewriteReferences(text, (id) => ids.get(id));
    for (const check of endedWell(result) ? (result.checks ?? []) : [])
      checks.push({ ...check, sentence: rewrite(check.sentence) });
    return rewrite(wordsOf(result));
  });
  const checked = results.some((result) => result.checks !== undefined);
  return { answers, citations: [...citations.values()], charts, ...(checked && { checks }) };
}

export interface Cited {
  readonly content: string;
  readonly citations: readonly Citation[];
  /** Of `content`; absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
}

/**
 * A whole answer with its sources as 1, 2, 3 ... in the order in which its text names them; the ones it
 * does not name follow. A number in brackets that is no source stays what it is and is given to none.
 */
export function inOrderOfAppearance({ content, citations, checks }: Cited): Cited {
  const known = new Map(citations.map((citation) => [citation.id, citation]));
  const named = referencedIds(content);
  const taken = new Set(named.filter((id) => !known.has(id)));
  const cited = named.flatMap((id) => known.get(id) ?? []);
  const ids = new Map<string, string>();
  let number = 0;
  const ordered = [...new Set([...cited, ...known.values()])].map((citation) => {
    do number++;
    while (taken.has(String(number)));
    ids.set(citation.id, String(number));
    return { ...citation, id: String(number) };
  });
  const rewrite = (text: string): string => rewriteReferences(text, (id) => ids.get(id));
  return {
    content: rewrite(content),
    citations: ordered,
    ...(checks && { checks: checks.map((one) => ({ ...one, sentence: rewrite(one.sentence) })) }),
  };
}

/** The same passage has the same key, whatever number a step gave it. */
export function placeOf(citation: Omit<Citation, "id">): string {
  return JSON.stringify([
    citation.collection,
    citation.source,
    citation.chunkId,
    citation.start,
    citation.end,
  ]);
}
