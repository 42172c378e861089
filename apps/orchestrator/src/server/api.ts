import type { IncomingMessage, ServerResponse } from "node:http";

import { callerOf } from "@troupe/a2a/server";
import { agentScope, hasScope, isTroupeError, toErrorInfo } from "@troupe/core";
import type { ChosenModel } from "@troupe/models";
import type { Clock } from "@troupe/stream";

import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { runRoute, type RouteRequest } from "./run-routes.ts";
import { runsQuery } from "./runs-query.ts";
import type { OrchestratorSettings } from "./settings.ts";

/** The right to use the orchestrator, whichever way. */
const SCOPE = agentScope("orchestrator");

interface AnswerCheckSetting {
  readonly answerCheck: OrchestratorSettings["answer_check"];
}

/**
 * What the command line asks a running orchestrator, beside A2A: `GET /api/agents`, `GET /api/model`
 * (`{ kind, describe, answer_check }`), `GET /api/runs` (the latest 100; see `runsQuery`) and what `runRoute` has of each
 * run. An error is `{ error }`. Where callers are asked who they are each sees their own runs, and the
 * agents they may use.
 */
export function apiHandler(
  orchestrator: Orchestrator,
  { kind, describe, answerCheck }: Pick<ChosenModel, "kind" | "describe"> & AnswerCheckSetting,
  clock: Clock,
  onTaken: RouteRequest["onTaken"],
) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method } = request;
    const address = URL.parse(request.url ?? "", "http://localhost");
    if (address?.pathname.startsWith("/api/") !== true) {
      next();
      return;
    }
    const { pathname, searchParams } = address;
    const caller = callerOf(request);
    if (caller !== undefined && !hasScope(caller.scopes, SCOPE)) {
      const message = `This caller lacks the scope "${SCOPE}".`;
      send(response, 403, { error: { code: "agent.forbidden", message } });
      return;
    }
    const own = caller === undefined ? {} : { userId: caller.id };
    const route = runRoute(orchestrator, {
      method,
      pathname,
      searchParams,
      caller,
      clock,
      onTaken,
      request,
      response,
    });
    if (route !== undefined) answer(response, route);
    else if (method !== "GET") next();
    else if (pathname === "/api/agents") answer(response, () => orchestrator.agents(caller));
    else if (pathname === "/api/model")
      answer(response, async () => ({ kind, describe, answer_check: answerCheck }));
    else if (pathname === "/api/runs")
      answer(response, async () => orchestrator.runs({ ...runsQuery(searchParams), ...own }));
    else next();
  };
}

const STATUS: { readonly [code: string]: number } = {
  "input.invalid": 400,
  "input.not-found": 404,
  "input.unsupported": 409,
  "input.conflict": 409,
  "input.too-large": 413,
  // It may be back in a moment: whoever asks through a balancer asks again.
  "store.io": 503,
  "store.full": 503,
};

/** Undefined where the work has answered itself. */
function answer(response: ServerResponse, work: () => Promise<unknown>): void {
  work().then(
    (found) => {
      if (found !== undefined) send(response, 200, found);
      return undefined;
    },
    (error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        send(response, (isTroupeError(error) ? STATUS[error.code] : undefined) ?? 500, {
          error: toErrorInfo(error),
        });
    },
  );
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}
