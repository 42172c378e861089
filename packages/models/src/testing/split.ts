/** Cuts `text` into pieces of the given sizes, used in turn. Sizes below 1 count as 1. */
export function splitBy(text: string, sizes: number | readonly number[] = 4): string[] {
  const list = typeof sizes === "number" ? [sizes] : sizes.length === 0 ? [4] : sizes;
  const pieces: string[] = [];
  let at = 0;
  for (let turn = 0; at < text.length; turn++) {
    const size = Math.max(1, list[turn % list.length] ?? 1);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** The same for bytes, with one size. */
export function* chopBytes(bytes: Uint8Array, size: number | undefined): Generator<Uint8Array> {
  const step = size === undefined ? Math.max(1, bytes.length) : Math.max(1, size);
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}
