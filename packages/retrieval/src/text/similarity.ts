import { words } from "./words.ts";

/** Runs of three words, for telling near-identical texts from texts on one subject. */
export function shingles(text: string): ReadonlySet<string> {
  const all = words(text);
  if (all.length < 3) return new Set(all);
  const set = new Set<string>();
  for (let at = 0; at + 3 <= all.length; at += 1) set.add(all.slice(at, at + 3).join(" "));
  return set;
}

/** Share of both sets that is common, 0 to 1; two empty sets have nothing in common. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const item of a) if (b.has(item)) common += 1;
  const union = a.size + b.size - common;
  return union === 0 ? 0 : common / union;
}
