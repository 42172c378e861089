/**
 * What the other side asked us to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds
 * or as an HTTP date. Undefined when it said nothing usable.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const ms = positive(headers?.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const raw = headers?.get("retry-after");
  const seconds = positive(raw);
  if (seconds !== undefined) return seconds * 1000;
  const until = raw ? Date.parse(raw) - now : Number.NaN;
  return until > 0 ? until : undefined;
}

function positive(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
