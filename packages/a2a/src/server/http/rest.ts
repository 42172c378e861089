import type { ServerResponse } from "node:http";

import { type A2AError, RequestMalformedError, restStatusFor, toRestErrorBody } from "@a2a-js/sdk/errors";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";

import { jsonOperations, type OnceName, type StreamName } from "../json-operations.ts";
import { LimitError } from "../limits/limit-error.ts";
import { asProtocolError } from "../protocol-error.ts";
import { goneOf } from "../presence.ts";
import { StatusError } from "../status-error.ts";
import { positionOf } from "../stream-position.ts";
import { bodyErrors } from "./body-problem.ts";
import { answerExtensions, callContext } from "./call-context.ts";
import { checkBody } from "./check-body.ts";
import { jsonRpcError } from "./json-rpc-envelope.ts";
import type { BindingOptions } from "./json-rpc.ts";
import { checkLegacyRest } from "../fields/legacy-fields.ts";
import { legacyRest, unwrapPushConfig } from "./legacy-rest.ts";
import { bodyParams, checkSent, queryParams } from "./rest-params.ts";
import { sendJson } from "./send-json.ts";
import { begin, writeSse } from "./sse.ts";
import { isLegacy } from "./version.ts";

export const REST_CONTENT_TYPE = "application/a2a+json";

const CONFIGS = "/tasks/:taskId/pushNotificationConfigs";

/** What is asked for once: method, path, operation. The parameters in a path are named as its fields are. */
const ONCE: readonly (readonly ["get" | "post" | "delete", string, OnceName])[] = [
  ["post", "/message\\:send", "SendMessage"],
  ["post", "/tasks/:id\\:cancel", "CancelTask"],
  ["get", "/tasks/:id", "GetTask"],
  ["get", "/tasks", "ListTasks"],
  ["post", CONFIGS, "CreateTaskPushNotificationConfig"],
  ["get", CONFIGS, "ListTaskPushNotificationConfigs"],
  ["get", `${CONFIGS}/:id`, "GetTaskPushNotificationConfig"],
  ["delete", `${CONFIGS}/:id`, "DeleteTaskPushNotificationConfig"],
  ["get", "/extendedAgentCard", "GetExtendedAgentCard"],
];

/** The specification names one method for subscribing in its text, and the other in its service definition. */
const STREAMS: readonly (readonly ["get" | "post", string, StreamName])[] = [
  ["post", "/message\\:stream", "SendStreamingMessage"],
  ["get", "/tasks/:id\\:subscribe", "SubscribeToTask"],
  ["post", "/tasks/:id\\:subscribe", "SubscribeToTask"],
];

/** The HTTP+JSON binding, 1.0; what speaks 0.3 goes to the SDK's own routes. */
export function restRouter(options: BindingOptions): Router {
  const { handler, log } = options;
  const { once, streams } = jsonOperations(handler);
  const router = Router();
  const sendError = (res: Response, error: unknown): void => {
    const known = asProtocolError(error, log);
    sendBody(res, known, restStatusFor(known));
  };
  router.use((req, res, next) => {
    try {
      checkSent(req);
      req.body = checkBody(req.body);
      if (isLegacy(req) && req.body !== undefined) {
        req.body = unwrapPushConfig(req.body);
        checkLegacyRest(req.body);
      }
    } catch (error) {
      sendError(res, error);
      return;
    }
    next();
  });
  const legacy = legacyRest(options);
  router.use((req, res, next) => (isLegacy(req) ? legacy(req, res, next) : next()));

  const open = (req: Request, res: Response): ServerCallContext =>
    callContext(req, res, { ...options, binding: "HTTP+JSON" });
  const plain =
    (name: OnceName): RequestHandler =>
    async (req, res) => {
      try {
        const context = open(req, res);
        const body = await once[name](req.method === "POST" ? bodyParams(req) : queryParams(req), context);
        answerExtensions(res, context);
        sendJson(res, 200, body, { type: REST_CONTENT_TYPE });
      } catch (error) {
        sendError(res, error);
      }
    };
  const streaming =
    (name: StreamName): RequestHandler =>
    async (req, res) => {
      try {
        const context = open(req, res);
        const frames = streams[name](req.method === "POST" ? bodyParams(req) : queryParams(req), context);
        const begun = await begin(frames, options.clock);
        answerExtensions(res, context);
        await writeSse(res, begun, {
          clock: options.clock,
          gone: goneOf(context),
          idOf: () => positionOf(context)?.id,
          errorFrame: (error) => {
            const known = asProtocolError(error, log);
            return toRestErrorBody(known, restStatusFor(known));
          },
        });
      } catch (error) {
        sendError(res, error);
      }
    };

  for (const [method, path, name] of STREAMS) router[method](path, streaming(name));
  for (const [method, path, name] of ONCE) router[method](path, plain(name));
  for (const [path, methods] of methodsByPath()) router.all(path, otherMethod(methods.join(", ")));
  router.use((req, res) => {
    sendBody(
      res,
      new RequestMalformedError(`There is no ${req.method} ${req.path.slice(0, 100)} here.`),
      404,
    );
  });
  const unreadablePath: ErrorRequestHandler = (error, _req, res, next) => {
    if (error instanceof URIError)
      sendBody(res, new RequestMalformedError("The path is not encoded as one of a URL."), 400);
    else next(error);
  };
  router.use(unreadablePath);
  return router;
}

/** Answers a method that a path does not take; what it takes is asked with OPTIONS. */
function otherMethod(allow: string): RequestHandler {
  return (req, res, next) => {
    if (req.method === "OPTIONS") {
      next();
      return;
    }
    res.setHeader("Allow", allow);
    const told = `${req.path.slice(0, 100)} is not asked with ${req.method}: use ${allow}.`;
    sendBody(res, new RequestMalformedError(told), 405);
  };
}

function methodsByPath(): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const [method, path] of [...STREAMS, ...ONCE])
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  return methods;
}

export const restBodyErrors = bodyErrors(({ status, message, limit }, _req, res) => {
  const told =
    limit === undefined
      ? new RequestMalformedError(message)
      : new LimitError("TOO_LARGE", message, { limit });
  sendBody(res, told, status);
});

/** The names that `google.rpc.Code` has for what HTTP says, where the SDK goes by its own errors alone. */
const STATUS_NAMES: { readonly [status: number]: string } = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "RESOURCE_EXHAUSTED",
  415: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function sendBody(res: ServerResponse, error: A2AError, status: number): void {
  if (isLegacy(res.req)) {
    sendJson(res, status, jsonRpcError(error, true));
    return;
  }
  const body = toRestErrorBody(error, status);
  const name = STATUS_NAMES[status] ?? body.error.status;
  const headers = error instanceof StatusError ? error.headers : {};
  sendJson(res, status, { error: { ...body.error, status: name } }, { type: REST_CONTENT_TYPE, headers });
}
