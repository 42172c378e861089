import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isTooDeep, MAX_JSON_DEPTH } from "@troupe/stream";

/**
 * Refuses, before the SDK reads it, a parsed body that it would stumble over: nested too deep, or a
 * part that is no object. Anything else it reads, or refuses in its own words.
 *
 * @throws RequestMalformedError
 */
export function checkBody(body: unknown): void {
  // What is kept is written out again by recursion, which must not overflow.
  if (isTooDeep(body))
    throw new RequestMalformedError(
      `The body is nested more than ${MAX_JSON_DEPTH} levels deep; send it flatter.`,
    );
  const message = field(field(body, "params"), "message") ?? field(body, "message");
  // 0.3 has them as content over REST.
  for (const name of ["parts", "content"]) {
    const parts = field(message, name);
    if (!Array.isArray(parts)) continue;
    parts.forEach((part: unknown, at) => checkPart(part, `message.${name}[${at}]`));
  }
}

function checkPart(part: unknown, at: string): void {
  if (typeof part !== "object" || part === null || Array.isArray(part))
    throw new RequestMalformedError(`${at} must be an object with one of text, data, url or raw.`);
  for (const name of ["text", "url", "raw"]) {
    const value = field(part, name);
    if (value !== undefined && value !== null && typeof value === "object")
      throw new RequestMalformedError(`${at}.${name} must be a string.`);
  }
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name)
    ? (value as { [key: string]: unknown })[name]
    : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
