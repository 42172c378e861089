import type { IncomingMessage, ServerResponse } from "node:http";

import type { Orchestrator } from "../orchestrator/orchestrator.ts";

/** What the command line asks a running orchestrator, beside A2A: `GET /api/agents`, `GET /api/runs`. */
export function apiHandler(orchestrator: Orchestrator) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (request.method !== "GET") next();
    else if (path === "/api/agents") answer(response, orchestrator.agents());
    else if (path === "/api/runs") answer(response, orchestrator.runs({ limit: 100 }));
    else next();
  };
}

function answer(response: ServerResponse, value: Promise<unknown>): void {
  value.then(
    (found) =>
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "no-store" })
        .end(JSON.stringify(found)),
    () => response.writeHead(500).end(),
  );
}
