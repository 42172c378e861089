import type { Citation, ResultTable } from "@troupe/stream";

import type { SharedContext, StepResult } from "../ports/delegation.ts";

/**
 * What earlier steps found, by `step/id`, and by the plain id; undefined if several steps have that id. A map, because
 * an answer may have many brackets to look up. `idOf` gives the id of an entry, or undefined to leave it out.
 */
export function inSteps<T extends { readonly id: string }>(
  shared: SharedContext,
  list: (result: StepResult) => readonly T[],
  idOf: (entry: T) => string | undefined = ({ id }) => id,
): ReadonlyMap<string, T | undefined> {
  const found = new Map<string, T | undefined>();
  for (const [stepId, result] of Object.entries(shared.results)) {
    for (const entry of list(result)) {
      const own = idOf(entry);
      if (own === undefined) continue;
      for (const id of [own, `${stepId}/${own}`]) found.set(id, found.has(id) ? undefined : entry);
    }
  }
  return found;
}

export function withId<T extends { readonly id: string }>(entry: T | undefined, id: string): T | undefined {
  return entry === undefined ? undefined : { ...entry, id };
}

/** Two citations with a key in common are one source: they have the same quote, or were shown with the same passage. */
export function passageKeys({
  collection,
  source,
  chunkId,
  start,
  end,
  passage,
}: Citation): readonly string[] {
  const quote = JSON.stringify([collection, source, chunkId, start, end]);
  return passage === undefined ? [quote] : [quote, JSON.stringify([collection, source, chunkId, passage])];
}

/** The citation with all that was shown of its place, as `other` may have been shown with more text. */
export function withPassageOf<T extends Omit<Citation, "id">>(citation: T, other: Omit<Citation, "id">): T {
  const shown = citation.passage ?? citation.quote;
  const more = other.passage ?? other.quote;
  if (shown.includes(more)) return citation;
  return { ...citation, passage: more.includes(shown) ? more : `${shown}\n${more}` };
}

/** Equal for a table and the copies of it that later steps pass on. */
export const tableKey = ({ id, query, columns }: ResultTable): string => JSON.stringify([id, query, columns]);

/** The first number after those of the sources of earlier steps, so that `[1]` has one meaning. */
export function firstFreeNumber(shared: SharedContext): number {
  let last = 0;
  for (const result of Object.values(shared.results)) {
    const numbers = [
      ...result.citations.map(({ id }) => id),
      ...(result.data?.tables ?? []).flatMap(({ number }) => number ?? []),
    ];
    for (const id of numbers) if (/^\d{1,6}$/.test(id)) last = Math.max(last, Number(id));
  }
  return last + 1;
}

/** By number where there is one, then as they came. */
export function inOrder<T>(entries: ReadonlyMap<string, T>): readonly T[] {
  const number = (id: string): number => Number(/\d+$/.exec(id)?.[0] ?? Number.MAX_SAFE_INTEGER);
  return [...entries].sort(([a], [b]) => number(a) - number(b)).map(([, value]) => value);
}
