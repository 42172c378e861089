/**
 * How much each of several gets of a total: all of it where there is enough, else the small ones all they
 * want and the large ones the same. Never more than it wants or `most`; whole numbers, the same for the same.
 */
export function fairShares(
  wanted: readonly number[],
  { total, most = total }: { readonly total: number; readonly most?: number },
): readonly number[] {
  const shares = wanted.map(() => 0);
  const bySize = wanted
    .map((size, index) => ({ size: Math.min(size, most), index }))
    .toSorted((a, b) => a.size - b.size);
  let left = total;
  for (const [done, { size, index }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
