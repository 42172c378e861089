import type { ServerResponse } from "node:http";

import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { A2A_ERROR_CODE, ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { AgentCard } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { mapFrames } from "../map-frames.ts";
import { jsonOperations } from "../json-operations.ts";
import { LimitError } from "../limits/limit-error.ts";
import { refusalOf } from "../limits/limit-gate.ts";
import { goneOf } from "../presence.ts";
import { asProtocolError, SEE_LOG } from "../protocol-error.ts";
import { StatusError } from "../status-error.ts";
import { positionOf } from "../stream-position.ts";
import { isObject } from "../../wire/json.ts";
import { bodyErrors } from "./body-problem.ts";
import { answerExtensions, callContext } from "./call-context.ts";
import { checkBody } from "./check-body.ts";
import {
  envelopeOf,
  invalidVersion,
  jsonRpcError,
  legacyEnvelope,
  methodOfCurrent,
  type Envelope,
} from "./json-rpc-envelope.ts";
import { checkLegacyParams } from "../fields/legacy-fields.ts";
import { sendJson } from "./send-json.ts";
import { begin, writeSse } from "./sse.ts";
import type { Incoming, Step } from "./step.ts";
import { isLegacy } from "./version.ts";

export interface BindingOptions {
  readonly card: AgentCard;
  readonly handler: A2ARequestHandler;
  readonly clock: Clock;
  readonly log: Log;
}

type Handle = (body: unknown, context: ServerCallContext) => Promise<object>;

/** The JSON-RPC binding, 1.0 and 0.3 by the version header. The body is parsed already. */
export function jsonRpcRoute(options: BindingOptions): Step {
  const current = currentHandle(options.handler);
  const legacy = legacyHandle(options.handler);
  return async (req, res) => {
    const old = isLegacy(req);
    const failure = (error: unknown): object => {
      const known = asProtocolError(error, options.log);
      return { jsonrpc: "2.0", id: idOf(req), error: jsonRpcError(known, old) };
    };
    try {
      if (req.body === undefined)
        throw new ContentTypeNotSupportedError("Send the call as application/json, and not empty.");
      const context = callContext(req, res, { ...options, binding: "JSONRPC" });
      req.body = checkBody(req.body);
      const answer = await (old ? legacy : current)(req.body, context);
      if (Symbol.asyncIterator in answer)
        await stream(res, answer as AsyncGenerator, context, { ...options, failure });
      else {
        answerExtensions(res, context);
        sendJson(res, 200, answer);
      }
    } catch (error) {
      const told = error instanceof StatusError ? error : { statusCode: 200, headers: {} };
      sendJson(res, told.statusCode, failure(error), { headers: told.headers });
    }
  };
}

function currentHandle(handler: A2ARequestHandler): Handle {
  const { once, streams } = jsonOperations(handler);
  const plain = new Map(Object.entries(once));
  const streaming = new Map(Object.entries(streams));
  return async (body, context) => {
    const call = envelopeOf(body, (method) => plain.has(method) || streaming.has(method));
    const wrap = (result: unknown): object => ({ jsonrpc: "2.0", id: call.id, result });
    const frames = streaming.get(call.method)?.(call.params, context);
    if (frames !== undefined) return mapFrames(frames, wrap);
    return wrap(await plain.get(call.method)?.(call.params, context));
  };
}

/** The SDK's own; it answers what it stumbles over with the sentence that was thrown, which is not for clients. */
function legacyHandle(handler: A2ARequestHandler): Handle {
  const transport = new LegacyJsonRpcTransportHandler(handler);
  const { once, streams } = jsonOperations(handler);
  const current = new Set([...Object.keys(once), ...Object.keys(streams)]);
  return async (body, context) => {
    const call = legacyEnvelope(body);
    if (current.has(call.method)) throw methodOfCurrent(call.method);
    try {
      checkLegacyParams(call.method, call["params"]);
    } catch (error) {
      // A call without `jsonrpc` is accepted only where everything else is right.
      throw isObject(body) && body["jsonrpc"] === undefined ? invalidVersion() : error;
    }
    const answer: object = await transport.handle(call, context);
    const refused = refusalOf(context.user);
    if (refused !== undefined) throw refused;
    const { error } = answer as { readonly error?: { readonly code: number; readonly message: string } };
    if (error?.code === A2A_ERROR_CODE.INTERNAL_ERROR && error.message !== SEE_LOG)
      throw new Error(error.message);
    return answer;
  };
}

/** A failure before the first frame is an ordinary answer. */
async function stream(
  res: ServerResponse,
  frames: AsyncGenerator,
  context: ServerCallContext,
  options: { readonly clock: Clock; readonly failure: (error: unknown) => object },
): Promise<void> {
  const begun = await begin(frames, options.clock);
  answerExtensions(res, context);
  await writeSse(res, begun, {
    clock: options.clock,
    gone: goneOf(context),
    idOf: () => positionOf(context)?.id,
    errorFrame: options.failure,
  });
}

/** A body that cannot be read is answered in the protocol's own form. */
export const jsonRpcBodyErrors = bodyErrors((problem, req, res) => {
  const { status, message, limit } = problem;
  const code = status === 400 ? A2A_ERROR_CODE.PARSE_ERROR : A2A_ERROR_CODE.INVALID_REQUEST;
  // A call that is no JSON is answered as any other; one that did not arrive is none.
  const told =
    limit === undefined
      ? { code, message }
      : jsonRpcError(new LimitError("TOO_LARGE", message, { limit }), isLegacy(req));
  sendJson(res, problem.arrived ? 200 : status, { jsonrpc: "2.0", id: null, error: told });
});

function idOf(req: Incoming): Envelope["id"] {
  const id = (req.body as { id?: unknown } | undefined)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
