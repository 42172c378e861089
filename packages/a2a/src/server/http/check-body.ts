import { RequestMalformedError } from "@a2a-js/sdk/errors";

/** Levels a body may be nested. What is kept is written out again by recursion, which must not overflow. */
const MAX_DEPTH = 100;

/**
 * Refuses, before the SDK reads it, a parsed body that it would stumble over: nested too deep.
 * Anything else it reads, or refuses in its own words.
 *
 * @throws RequestMalformedError
 */
export function checkBody(body: unknown): void {
  if (tooDeep(body))
    throw new RequestMalformedError(
      `The body is nested more than ${MAX_DEPTH} levels deep; send it flatter.`,
    );
}

/** Level by level rather than by recursion: it holds for a body of any depth. */
function tooDeep(body: unknown): boolean {
  let level: object[] = isObject(body) ? [body] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: object[] = [];
    for (const value of level)
      for (const inner of Object.values(value)) if (isObject(inner)) next.push(inner);
    level = next;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
