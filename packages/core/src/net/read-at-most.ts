/**
 * The body, unpacked; undefined when it is larger than `max` bytes. Then its connection is closed rather
 * than read to an end that may never come.
 */
export async function bytesAtMost(
  response: Response,
  max: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    size += next.value.length;
    if (size > max) {
      await reader?.cancel(new Error(`larger than ${max} bytes`));
      return undefined;
    }
    pieces.push(next.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The body as text; empty when it is larger than `max` bytes. */
export async function readAtMost(response: Response, max: number): Promise<string> {
  return new TextDecoder().decode(await bytesAtMost(response, max));
}
