import type { IncomingMessage, ServerResponse } from "node:http";

import type { ProcessMetrics } from "./create-metrics.ts";

/** Serves `GET /metrics` in the Prometheus text format. It calls `next` for every other path. */
export function metricsHandler(metrics: Pick<ProcessMetrics, "text">) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      next();
      return;
    }
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(request.method === "HEAD" ? undefined : metrics.text());
  };
}
