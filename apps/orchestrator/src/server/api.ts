import type { IncomingMessage, ServerResponse } from "node:http";

import { callerOf } from "@troupe/a2a/server";
import { agentScope, hasScope, isTroupeError, toErrorInfo } from "@troupe/core";
import type { ChosenModel } from "@troupe/models";

import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { findRun } from "./find-run.ts";

/** The right to use the orchestrator, whichever way. */
const SCOPE = agentScope("orchestrator");

/**
 * What the command line asks a running orchestrator, beside A2A: `GET /api/agents`, `GET /api/model`
 * (`{ kind, describe }`), `GET /api/runs` (the latest 100) and `GET /api/runs/ID`, where the id may be
 * cut short. An error is `{ error }`. Where callers are asked who they are each sees their own runs, and
 * the agents they may use.
 */
export function apiHandler(
  orchestrator: Orchestrator,
  { kind, describe }: Pick<ChosenModel, "kind" | "describe">,
) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const [, id] = /^\/api\/runs\/([^/]+)$/.exec(path) ?? [];
    const caller = callerOf(request);
    const own = caller === undefined ? {} : { userId: caller.id };
    if (request.method !== "GET" || !path.startsWith("/api/")) next();
    else if (caller !== undefined && !hasScope(caller.scopes, SCOPE))
      send(response, 403, {
        error: { code: "agent.forbidden", message: `This caller lacks the scope "${SCOPE}".` },
      });
    else if (path === "/api/agents") answer(response, orchestrator.agents(caller));
    else if (path === "/api/model") answer(response, Promise.resolve({ kind, describe }));
    else if (path === "/api/runs") answer(response, orchestrator.runs({ limit: 100, ...own }));
    else if (id !== undefined) answer(response, findRun(orchestrator, decoded(id), caller));
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
  value.then(
    (found) => send(response, 200, found),
    (error: unknown) =>
      send(response, isTroupeError(error) && error.code === "input.not-found" ? 404 : 500, {
        error: toErrorInfo(error),
      }),
  );
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}
