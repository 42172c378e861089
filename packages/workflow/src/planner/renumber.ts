import { tableKey, withPassageOf, type StepResult } from "@troupe/core";
import {
  referencedIds,
  rewriteReferences,
  type ChartSpec,
  type Citation,
  type ResultTable,
  type SentenceCheck,
} from "@troupe/stream";

import { endedWell, wordsOf } from "./findings.ts";

export interface Renumbered {
  /** The answers in the order of the results, with their references rewritten. */
  readonly answers: readonly string[];
  readonly citations: readonly Citation[];
  readonly charts: readonly ChartSpec[];
  /** Tables of all steps, each once. Those that an answer cites have a number, counted together with citations. */
  readonly tables: readonly ResultTable[];
  /** What was checked of the answers, in their order; absent where nothing was. */
  readonly checks?: readonly SentenceCheck[];
}

/**
 * Joins the sources of several steps under one set of numbers: `[1]` of one step and `[1]` of
 * another become different ones, the same passage or table becomes the same one. Charts likewise, as
 * `chart-1`, `chart-2` ...
 */
export function renumber(results: readonly StepResult[]): Renumbered {
  const citations = new Map<string, Citation>();
  const charts: ChartSpec[] = [];
  const checks: SentenceCheck[] = [];
  const tables = new Map<string, ResultTable>();
  let last = 0;
  const answers = results.map((result) => {
    const ids = new Map<string, string>();
    for (const citation of result.citations) {
      const place = placeOf(citation);
      const known = citations.get(place);
      const id = known?.id ?? String(++last);
      citations.set(place, known === undefined ? { ...citation, id } : withPassageOf(known, citation));
      ids.set(citation.id, id);
    }
    for (const chart of result.data?.charts ?? []) {
      const id = `chart-${charts.length + 1}`;
      charts.push({ ...chart, id });
      ids.set(chart.id, id);
    }
    const named = new Set(referencedIds(wordsOf(result)));
    for (const { number, ...table } of result.data?.tables ?? []) {
      const key = tableKey(table);
      const marks = [number, table.id, `${result.stepId}/${table.id}`].filter(
        (mark) => mark !== undefined && named.has(mark) && !ids.has(mark),
      );
      const known = tables.get(key)?.number;
      const given = known ?? (marks.length === 0 ? undefined : String(++last));
      tables.set(key, given === undefined ? table : { ...table, number: given });
      for (const mark of marks) ids.set(mark ?? "", given ?? "");
    }
    const rewrite = (text: string): string => rewriteReferences(text, (id) => ids.get(id));
    for (const check of endedWell(result) ? (result.checks ?? []) : [])
      checks.push({ ...check, sentence: rewrite(check.sentence) });
    return rewrite(wordsOf(result));
  });
  const checked = results.some((result) => result.checks !== undefined);
  return {
    answers,
    citations: [...citations.values()],
    charts,
    tables: [...tables.values()],
    ...(checked && { checks }),
  };
}

export interface Cited {
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly tables: readonly ResultTable[];
  /** Of `content`; absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
}

/**
 * A whole answer with its sources as 1, 2, 3 ... in the order in which its text names them; the ones it
 * does not name follow. A number in brackets that is no source stays what it is and is given to none.
 */
export function inOrderOfAppearance({ content, citations, tables, checks }: Cited): Cited {
  const known = new Set([...citations.map(({ id }) => id), ...tables.flatMap(({ number }) => number ?? [])]);
  const named = referencedIds(content);
  const taken = new Set(named.filter((id) => !known.has(id)));
  const ids = new Map<string, string>();
  let number = 0;
  for (const id of new Set([...named.filter((one) => known.has(one)), ...known])) {
    do number++;
    while (taken.has(String(number)));
    ids.set(id, String(number));
  }
  const rewrite = (text: string): string => rewriteReferences(text, (id) => ids.get(id));
  return {
    content: rewrite(content),
    citations: citations
      .map((citation) => ({ ...citation, id: ids.get(citation.id) ?? citation.id }))
      .toSorted((a, b) => Number(a.id) - Number(b.id)),
    tables: tables.map((table) =>
      table.number === undefined ? table : { ...table, number: ids.get(table.number) ?? table.number },
    ),
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
