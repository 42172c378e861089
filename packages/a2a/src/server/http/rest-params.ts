import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import type { Request } from "express";

import { isObject, type JsonRecord } from "../../wire/json.ts";

/** Refuses a body that nobody read, as its type is none that is: what stands in it must not be passed over. */
export function checkSent(req: Request): void {
  const { "content-length": length, "content-type": type, "transfer-encoding": coding } = req.headers;
  const sent = Number(length) > 0 || (coding !== undefined && type !== undefined);
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
