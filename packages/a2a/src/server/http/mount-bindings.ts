import type { Log } from "@troupe/core";
import type { ErrorRequestHandler, Express } from "express";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { JSONRPC_PATH, REST_PATH } from "../../wire/card.ts";
import { bodyGate, bodyLimitErrors, largeBodyTurns } from "../limits/limit-gate.ts";
import { scopeGate } from "./gate.ts";
import { generalJsonBody, jsonBody, type BodyOptions } from "./json-body.ts";
import { jsonRpcBodyErrors, jsonRpcRoute, type BindingOptions } from "./json-rpc.ts";
import { REST_CONTENT_TYPE, restBodyErrors, restRouter } from "./rest.ts";

export interface MountOptions {
  /** By its name, for the scope that a caller needs. */
  readonly agent: string;
  readonly binding: BindingOptions;
  readonly body: BodyOptions;
  /** Nothing more is taken. */
  readonly closing: () => boolean;
}

/** Mounts both bindings, and behind them what answers to everything that nobody knows; so it comes last. */
export function mountBindings(app: Express, { agent, binding, body, closing }: MountOptions): void {
  const paths = [JSONRPC_PATH, REST_PATH];
  app.use(paths, scopeGate(agent));
  // Not refused for good: whoever calls may come back when it has been started again.
  app.use(paths, (_req, res, next) => {
    if (closing()) res.status(503).set("Retry-After", "1").json({ error: "The agent is shutting down." });
    else next();
  });
  const turns = largeBodyTurns(yieldToLoop);
  app.use(paths, bodyGate(body.limit));
  app.post(JSONRPC_PATH, jsonBody(body), bodyLimitErrors, jsonRpcBodyErrors, turns, jsonRpcRoute(binding));
  app.use(
    REST_PATH,
    generalJsonBody({ ...body, types: ["application/json", REST_CONTENT_TYPE] }),
    bodyLimitErrors,
    restBodyErrors,
    turns,
    restRouter(binding),
  );
  app.use((_req, res) => {
    res.status(404).json({ error: "There is nothing here. The card is at /.well-known/agent-card.json." });
  });
  app.use(lastResort(binding.log));
}

/** Nothing of an error reaches the client, least of all a stack. */
function lastResort(log: Log): ErrorRequestHandler {
  return (error, _req, res, next) => {
    log.error("request failed", { error });
    if (res.headersSent) next(error);
    else res.status(500).json({ error: "The request could not be handled." });
  };
}
