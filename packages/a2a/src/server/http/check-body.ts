import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isTooDeep, MAX_JSON_DEPTH } from "@troupe/stream";

/**
 * Refuses a parsed body that is nested too deep: what is kept of it is written out again by recursion, which
 * must not overflow.
 *
 * @throws RequestMalformedError
 */
export function checkBody(body: unknown): void {
  if (isTooDeep(body))
    throw new RequestMalformedError(
      `The body is nested more than ${MAX_JSON_DEPTH} levels deep; send it flatter.`,
    );
}
