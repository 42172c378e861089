/** Bytes of a value beside its own content: generous, so that many small ones count for what they take. */
const VALUE_BYTES = 16;
const OBJECT_BYTES = 64;
const CHAR_BYTES = 2;

/** About how many bytes a plain value takes in memory, never much less. It holds for any depth. */
export function sizeOf(value: unknown): number {
  let bytes = 0;
  const rest: object[] = [];
  // It is asked of every update: no list of a value's fields is made, and only objects wait their turn.
  const add = (next: unknown): void => {
    bytes += VALUE_BYTES;
    if (typeof next === "string") bytes += next.length * CHAR_BYTES;
    else if (typeof next === "object" && next !== null) rest.push(next);
  };
  add(value);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next instanceof Uint8Array) {
      bytes += next.byteLength;
      continue;
    }
    bytes += OBJECT_BYTES;
    if (Array.isArray(next)) for (const inner of next) add(inner);
    else
      for (const key in next) {
        add(key);
        add((next as { readonly [key: string]: unknown })[key]);
      }
  }
  return bytes;
}
