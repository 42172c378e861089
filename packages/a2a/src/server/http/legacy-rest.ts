import { legacyRestRouter } from "@a2a-js/sdk/compat/v0_3/server/express";
import {
  defaultServerCallContextBuilder,
  type A2ARequestHandler,
  type ServerCallContext,
} from "@a2a-js/sdk/server";
import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import type { RequestHandler, Response } from "express";

import { keptOn } from "../../adapters/kept-on.ts";
import { isObject, recordOf, stringOf } from "../../wire/json.ts";
import { LimitError } from "../limits/limit-error.ts";
import { withAccount } from "../limits/limit-gate.ts";
import { goneOf, presenceAt, setPresence } from "../presence.ts";
import { SEE_LOG } from "../protocol-error.ts";
import { positionOf, setPosition } from "../stream-position.ts";
import { CallerUser, callerOf } from "./gate.ts";
import { jsonRpcError } from "./json-rpc-envelope.ts";
import { lastEventIdOf } from "./last-event-id.ts";
import { sendJson } from "./send-json.ts";
import { drained, eventIdLine, heartbeat } from "./sse.ts";

const STREAMS = /:(stream|subscribe)$/;
/** Key in `ServerCallContext.state` of the response that a stream goes to. */
const RESPONSE_KEY = "troupe.response";

/**
 * The SDK's own 0.3 routes, with what they leave out of a stream: event ids and what came after one,
 * a heartbeat, and a pace that is the reader's.
 */
export function legacyRest(options: {
  readonly handler: A2ARequestHandler;
  readonly clock: Clock;
  readonly log: Log;
}): RequestHandler {
  const { handler, clock, log } = options;
  /** By the headers of the request, the one thing of it that the SDK hands to the context. */
  const responses = keptOn<object, Response>("response");
  const paced = async function* <T>(
    frames: AsyncGenerator<T, void, undefined>,
    context: ServerCallContext,
  ): AsyncGenerator<T, void, undefined> {
    const res = context.state.get(RESPONSE_KEY) as Response | undefined;
    for await (const frame of frames) {
      yield frame;
      if (res?.writableNeedDrain === true) await drained(res, goneOf(context), clock);
    }
  };
  const routes = legacyRestRouter({
    requestHandler: {
      ...handler,
      sendMessageStream: (params, context) => paced(handler.sendMessageStream(params, context), context),
      resubscribe: (params, context) => paced(handler.resubscribe(params, context), context),
    },
    userBuilder: (req) => Promise.resolve(withAccount(req, new CallerUser(callerOf(req)))),
    contextBuilder: (given) => {
      const context = defaultServerCallContextBuilder(given);
      const res = responses.get(given.headers);
      if (res === undefined) return context;
      context.state.set(RESPONSE_KEY, res);
      setPresence(context, presenceAt(res));
      setPosition(context, { lastEventId: lastEventIdOf(given.headers), id: undefined });
      dress(res, context, clock);
      return context;
    },
  });
  return (req, res, next) => {
    if (STREAMS.test(req.path)) responses.set(req.headers, res);
    res.json = (body: unknown) => {
      const { statusCode } = res;
      try {
        sendJson(res, statusCode, statusCode === 500 ? withoutFault(body, log) : body);
      } catch (error) {
        if (!(error instanceof LimitError)) throw error;
        sendJson(res, error.statusCode, jsonRpcError(error, true), { headers: error.headers });
      }
      return res;
    };
    return routes(req, res, next);
  };
}

/**
 * The body of a call that sets a push notification config. 0.3 sends the config alone; the Python SDK sends the
 * whole request around it, `{ parent, config_id, config }`.
 */
export function unwrapPushConfig(body: unknown): unknown {
  const { parent, config, configId, config_id } = recordOf(body) ?? {};
  const inner = recordOf(config);
  if (inner === undefined || typeof parent !== "string") return body;
  const { pushNotificationConfig, push_notification_config } = inner;
  const given = recordOf(pushNotificationConfig ?? push_notification_config);
  const id = stringOf(given?.["id"]) || stringOf(configId ?? config_id);
  return { name: `${parent}/pushNotificationConfigs/${id}`, pushNotificationConfig: { ...given, id } };
}

/** The SDK answers what it stumbles over with the sentence that was thrown, which is not for clients. */
function withoutFault(body: unknown, log: Log): unknown {
  if (!isObject(body) || body["message"] === SEE_LOG) return body;
  log.error("request failed", { error: new Error(String(body["message"])) });
  return { ...body, message: SEE_LOG };
}

/** Each frame is one write; its id goes before it, and the heartbeat begins with the first. */
function dress(res: Response, context: ServerCallContext, clock: Clock): void {
  const write = res.write.bind(res) as (chunk: unknown) => boolean;
  let started = false;
  res.write = (chunk: unknown): boolean => {
    if (!started) {
      started = true;
      // Behind another answer on its connection it has ended long before it closes.
      const stop = heartbeat(clock, () => res.writableEnded || write(": alive\n\n"));
      res.once("close", stop);
    }
    return write(typeof chunk === "string" ? `${eventIdLine(positionOf(context)?.id)}${chunk}` : chunk);
  };
}
