import type { IncomingMessage, ServerResponse } from "node:http";

import { callerOf } from "@troupe/a2a/server";
import { hasScope } from "@troupe/core";

import type { ProcessMetrics } from "./create-metrics.ts";

/** The right to read what a process counts. */
const SCOPE = "metrics";

/**
 * Serves `GET /metrics` in the Prometheus text format, where callers are asked who they are only to those with
 * the scope `metrics`. It calls `next` for every other path.
 */
export function metricsHandler(metrics: Pick<ProcessMetrics, "text">) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      next();
      return;
    }
    const caller = callerOf(request);
    if (caller !== undefined && !hasScope(caller.scopes, SCOPE)) {
      response
        .writeHead(403, { "content-type": "text/plain" })
        .end(`This caller lacks the scope "${SCOPE}".\n`);
      return;
    }
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(request.method === "HEAD" ? undefined : metrics.text());
  };
}
