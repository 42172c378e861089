import type { IncomingMessage, ServerResponse } from "node:http";

import { isTroupeError, toErrorInfo } from "@troupe/core";
import type { ChosenModel } from "@troupe/models";

import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { findRun } from "./find-run.ts";

/**
 * What the command line asks a running orchestrator, beside A2A: `GET /api/agents`, `GET /api/model`
 * (`{ kind, describe }`), `GET /api/runs` (the latest 100) and `GET /api/runs/ID`, where the id may be
 * cut short. An error is `{ error }`.
 */
export function apiHandler(
  orchestrator: Orchestrator,
  { kind, describe }: Pick<ChosenModel, "kind" | "describe">,
) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const [, id] = /^\/api\/runs\/([^/]+)$/.exec(path) ?? [];
    if (request.method !== "GET") next();
    else if (path === "/api/agents") answer(response, orchestrator.agents());
    else if (path === "/api/model") answer(response, Promise.resolve({ kind, describe }));
    else if (path === "/api/runs") answer(response, orchestrator.runs({ limit: 100 }));
    else if (id !== undefined) answer(response, findRun(orchestrator, decoded(id)));
    else next();
  };
}

/** What is no percent-encoding is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function answer(response: ServerResponse, value: Promise<unknown>): void {
  const send = (status: number, body: unknown): void =>
    void response
      .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
      .end(JSON.stringify(body));
  value.then(
    (found) => send(200, found),
    (error: unknown) =>
      send(isTroupeError(error) && error.code === "input.not-found" ? 404 : 500, {
        error: toErrorInfo(error),
      }),
  );
}
