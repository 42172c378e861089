import type { ServerResponse } from "node:http";

import type { ErrorStep, Incoming } from "./step.ts";

/** What is wrong with a request's body, in words for its sender. */
export interface BodyProblem {
  readonly status: number;
  readonly message: string;
  /** It arrived whole, and is no JSON. */
  readonly arrived: boolean;
  /** Bytes that a body may have, where it has more. */
  readonly limit?: number;
}

/**
 * Reads the errors of the body parser; undefined for one that is not the sender's. Not all have a type:
 * what its decompression throws comes with no more than a status.
 */
export function bodyProblem(error: unknown): BodyProblem | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  const { status } = error;
  if (typeof status !== "number" || status < 400 || status > 499) return undefined;
  const type = "type" in error ? error.type : undefined;
  const limit = "limit" in error && typeof error.limit === "number" ? error.limit : 0;
  switch (type) {
    case "entity.too.large":
      return {
        status: 413,
        message: `The body is larger than ${limit} bytes; send less at a time.`,
        arrived: false,
        limit,
      };
    case "entity.parse.failed":
      return { status: 400, message: "The body is no valid JSON.", arrived: true };
    case "encoding.unsupported":
    case "charset.unsupported":
      return {
        status: 415,
        message: "The body's encoding is not supported; send UTF-8 JSON.",
        arrived: false,
      };
    default:
      return { status, message: "The body could not be read: it is cut off or damaged.", arrived: false };
  }
}

/** Tells a sender what is wrong with a body, in the form of the binding; what is not the sender's goes on. */
export function bodyErrors(
  answer: (problem: BodyProblem, req: Incoming, res: ServerResponse) => void,
): ErrorStep {
  return (error, req, res, next) => {
    const problem = bodyProblem(error);
    // One that was answered already, because it did not come whole in time, has nothing more to hear.
    if (problem === undefined || res.headersSent) next(error);
    else answer(problem, req, res);
  };
}
