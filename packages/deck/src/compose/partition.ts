/**
 * Cuts a list into the fewest runs of at most `maxItems` items and `maxWeight` weight, and evens them
 * out so that the last is not left with a crumb. An item heavier than `maxWeight` stands alone.
 */
export function partition<T>(
  items: readonly T[],
  weight: (item: T) => number,
  maxWeight: number,
  maxItems: number,
): readonly (readonly T[])[] {
  const weighed = items.map((item) => ({ item, weight: weight(item) }));
  const greedy = cut(weighed, maxWeight, maxItems);
  if (greedy.length < 2) return greedy;
  // The smallest bound that still needs no more runs gives the most even ones.
  const even = Math.min(maxItems, Math.ceil(items.length / greedy.length));
  for (let bound = 1; bound <= maxWeight; bound++) {
    const tried = cut(weighed, bound, even);
    if (tried.length === greedy.length) return tried;
  }
  return greedy;
}

function cut<T>(
  items: readonly { readonly item: T; readonly weight: number }[],
  maxWeight: number,
  maxItems: number,
): T[][] {
  const runs: T[][] = [];
  let current: T[] = [];
  let total = 0;
  for (const { item, weight } of items) {
    if (current.length > 0 && (total + weight > maxWeight || current.length >= maxItems)) {
      runs.push(current);
      current = [];
      total = 0;
    }
    current.push(item);
    total += weight;
  }
  if (current.length > 0) runs.push(current);
  return runs;
}
