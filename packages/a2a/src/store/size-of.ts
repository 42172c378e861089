/** Bytes of a value beside its own content: generous, so that many small ones count for what they take. */
const VALUE_BYTES = 16;
const OBJECT_BYTES = 64;
const CHAR_BYTES = 2;

/** About how many bytes a plain value takes in memory, never much less. It holds for any depth. */
export function sizeOf(value: unknown): number {
  let bytes = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    bytes += VALUE_BYTES;
    if (typeof next === "string") bytes += next.length * CHAR_BYTES;
    else if (next instanceof Uint8Array) bytes += next.byteLength;
    else if (typeof next === "object" && next !== null) {
      bytes += OBJECT_BYTES;
      if (Array.isArray(next)) for (const inner of next) rest.push(inner);
      else for (const [key, inner] of Object.entries(next)) rest.push(key, inner);
    }
  }
  return bytes;
}
