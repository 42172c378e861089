import type { IncomingMessage } from "node:http";

import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import type { Request } from "express";

import { keptOn } from "../../adapters/kept-on.ts";
import { isObject, type JsonRecord } from "../../wire/json.ts";
import type { Step } from "./step.ts";

/** Something came of a body that nobody read. */
const unread = keptOn<IncomingMessage, true>("unread body");

/**
 * Waits, where nobody read a body of a length that is not said, until something of it comes or its end:
 * some proxies send an empty one where there was none. What comes is thrown away.
 */
export const lookForBody: Step = (req, _res, next) => {
  if (req.headers["transfer-encoding"] === undefined || req.body !== undefined || req.readableEnded) {
    next();
    return;
  }
  const known = (chunk?: unknown): void => {
    req.off("data", known).off("end", known);
    if (chunk !== undefined) unread.set(req, true);
    next();
  };
  req.on("data", known).on("end", known);
};

/** Refuses a body that nobody read, as its type is none that is: what stands in it must not be passed over. */
export function checkSent(req: Request): void {
  const { "content-length": length, "content-type": type } = req.headers;
  const sent = Number(length) > 0 || unread.get(req) === true;
  if (sent && req.body === undefined && req.method === "POST")
    throw new ContentTypeNotSupportedError(
      `The body is ${type === undefined ? "of no type" : `"${type.slice(0, 100)}"`}. Send it as application/json.`,
    );
}

/** Parameters of an operation that has a body; what stands in the path holds. */
export function bodyParams(req: Request): JsonRecord {
  const body: unknown = req.body;
  // Canceling and subscribing say all there is in the path.
  if (body === undefined && Object.keys(req.params).length > 0) return { ...req.params };
  if (!isObject(body)) throw new RequestMalformedError("The body is missing. Send it as application/json.");
  return { ...body, ...req.params };
}

const COUNTS = new Set(["pageSize", "historyLength"]);

/** Parameters of an operation without a body: those of the path, and of the query as ProtoJSON has them. */
export function queryParams(req: Request): JsonRecord {
  const params: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(req.query)) {
    if (typeof value !== "string" || value === "") continue;
    if (COUNTS.has(name)) params[name] = count(name, value);
    else params[name] = name === "includeArtifacts" ? value === "true" : value;
  }
  return { ...params, ...req.params };
}

function count(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value))
    throw new RequestMalformedError(`${name} must be a whole number, not "${value.slice(0, 100)}".`);
  return Number(value);
}
