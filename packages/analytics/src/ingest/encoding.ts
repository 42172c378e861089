/**
 * The encoding of a file from its first bytes: UTF-16 by its byte order mark, or by NUL bytes on one side of
 * most characters; else `utf-8`, which may turn out to be an 8-bit encoding. Undefined when it is not text.
 */
export function detectEncoding(head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  let even = 0;
  let odd = 0;
  head.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even++;
    else odd++;
  });
  if (even + odd > 0) {
    const half = head.length / 2;
    if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
    if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
    return undefined;
  }
  return "utf-8";
}
