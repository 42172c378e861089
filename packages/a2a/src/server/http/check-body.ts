import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isTooDeep, MAX_JSON_DEPTH } from "@troupe/stream";

import { wellFormed } from "../../wire/well-formed.ts";

/**
 * The parsed body without lone surrogates. Refuses one that is nested too deep: what is kept of it is written
 * out again by recursion, which must not overflow.
 *
 * @throws RequestMalformedError
 */
export function checkBody(body: unknown): unknown {
  if (isTooDeep(body))
    throw new RequestMalformedError(
      `The body is nested more than ${MAX_JSON_DEPTH} levels deep; send it flatter.`,
    );
  return wellFormed(body);
}
