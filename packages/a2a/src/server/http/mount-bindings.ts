import type { RequestListener } from "node:http";

import type { Log } from "@troupe/core";
import type { Express } from "express";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { JSONRPC_PATH, REST_PATH } from "../../wire/card.ts";
import { bodyGate, bodyLimitErrors, largeBodyTurns } from "../limits/limit-gate.ts";
import { bodyProblem } from "./body-problem.ts";
import { scopeGate } from "./gate.ts";
import { generalJsonBody, jsonBody, type BodyOptions } from "./json-body.ts";
import { jsonRpcBodyErrors, jsonRpcRoute, type BindingOptions } from "./json-rpc.ts";
import { lookForBody } from "./rest-params.ts";
import { REST_CONTENT_TYPE, restBodyErrors, restRouter } from "./rest.ts";
import { sendJson } from "./send-json.ts";
import { inTurn, pathOf, type ErrorStep, type Step } from "./step.ts";

export interface MountOptions {
  /** By its name, for the scope that a caller needs. */
  readonly agent: string;
  readonly binding: BindingOptions;
  readonly body: BodyOptions;
  /** Nothing more is taken. */
  readonly closing: () => boolean;
  /** What is done to every request before, and is mounted already. */
  readonly doors: readonly Step[];
  /** Under which path the app is reached too, where a proxy passes that on; no trailing slash. */
  readonly prefix: string;
}

/**
 * Mounts both bindings, and behind them what answers to everything that nobody knows; so it comes last.
 * What it gives takes requests in place of the app: JSON-RPC calls go by the same steps, past express.
 */
export function mountBindings(app: Express, options: MountOptions): RequestListener {
  const { agent, binding, body, closing, doors, prefix } = options;
  const gates: readonly Step[] = [scopeGate(agent), openGate(closing), bodyGate(body.limit)];
  const turns = largeBodyTurns(yieldToLoop);
  const call: readonly Step[] = [jsonBody(body), turns, jsonRpcRoute(binding)];
  const callErrors = [bodyLimitErrors, jsonRpcBodyErrors];
  app.use([JSONRPC_PATH, REST_PATH], ...gates);
  app.post(JSONRPC_PATH, ...call, ...callErrors);
  app.get(JSONRPC_PATH, (_req, res) => {
    sendJson(res, 405, { error: "Calls of JSON-RPC are sent with POST." }, { headers: { Allow: "POST" } });
  });
  app.use(
    REST_PATH,
    generalJsonBody({ ...body, types: ["application/json", REST_CONTENT_TYPE] }),
    bodyLimitErrors,
    restBodyErrors,
    turns,
    lookForBody,
    restRouter(binding),
  );
  app.use((_req, res) => {
    res.status(404).json({ error: "There is nothing here. The card is at /.well-known/agent-card.json." });
  });
  const last = lastResort(binding.log);
  app.use(last);

  const calls = inTurn([...doors, ...gates, ...call], [...callErrors, last]);
  // Clients that are given an agent's plain address post to that.
  const paths = new Set([JSONRPC_PATH, `${prefix}${JSONRPC_PATH}`, "/", prefix, `${prefix}/`]);
  return (req, res) => {
    if (req.method === "POST" && paths.has(pathOf(req))) calls(req, res);
    else app(req, res);
  };
}

/** Not refused for good: whoever calls may come back when it has been started again. */
function openGate(closing: () => boolean): Step {
  return (_req, res, next) => {
    if (!closing()) next();
    else sendJson(res, 503, { error: "The agent is shutting down." }, { headers: { "Retry-After": "1" } });
  };
}

/** Nothing of an error reaches the client, least of all a stack. */
function lastResort(log: Log): ErrorStep {
  return (error, _req, res, _next) => {
    // What was answered, such as 408, and then breaks off, is no failure of ours.
    if (!res.headersSent || bodyProblem(error) === undefined) log.error("request failed", { error });
    if (res.headersSent) res.destroy();
    else sendJson(res, 500, { error: "The request could not be handled." });
  };
}
