import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { A2A_ERROR_CODE, ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, type A2ARequestHandler, type ServerCallContext } from "@a2a-js/sdk/server";
import type { AgentCard } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";

import { SIGNAL_KEY } from "../request-handler.ts";
import { asProtocolError, SEE_LOG } from "../protocol-error.ts";
import { bodyProblem } from "./body-problem.ts";
import { answerExtensions, callContext } from "./call-context.ts";
import { checkBody } from "./check-body.ts";
import { writeSse } from "./sse.ts";
import { isLegacy } from "./version.ts";

export interface BindingOptions {
  readonly card: AgentCard;
  readonly handler: A2ARequestHandler;
  readonly clock: Clock;
  readonly log: Log;
}

/** The JSON-RPC binding, 1.0 and 0.3 by the version header. The body is parsed already. */
export function jsonRpcRoute(options: BindingOptions): RequestHandler {
  const current = new JsonRpcTransportHandler(options.handler);
  const legacy = new LegacyJsonRpcTransportHandler(options.handler);
  return async (req, res) => {
    const old = isLegacy(req);
    const toError = (error: unknown): object =>
      old
        ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
        : JsonRpcTransportHandler.mapToJSONRPCError(error);
    const failure = (error: unknown): object => ({
      jsonrpc: "2.0",
      id: idOf(req),
      error: toError(asProtocolError(error, options.log)),
    });
    try {
      if (req.body === undefined)
        throw new ContentTypeNotSupportedError("Send the call as application/json, and not empty.");
      const context = callContext(req, res, { ...options, binding: "JSONRPC" });
      checkBody(req.body);
      const body = req.body as { [key: string]: unknown };
      const answer = await (old ? legacy : current).handle(body, context);
      if (Symbol.asyncIterator in answer) await stream(res, answer, context, { ...options, failure });
      else {
        rethrowInternal(answer);
        answerExtensions(res, context);
        res.status(200).json(answer);
      }
    } catch (error) {
      res.status(200).json(failure(error));
    }
  };
}

/** The SDK answers what it stumbles over with the sentence that was thrown, which is not for clients. */
function rethrowInternal(answer: object): void {
  const { error } = answer as { readonly error?: { readonly code: number; readonly message: string } };
  if (error?.code === A2A_ERROR_CODE.INTERNAL_ERROR && error.message !== SEE_LOG)
    throw new Error(error.message);
}

/** A failure before the first frame is an ordinary answer. */
async function stream(
  res: Response,
  frames: AsyncGenerator,
  context: ServerCallContext,
  options: { readonly clock: Clock; readonly failure: (error: unknown) => object },
): Promise<void> {
  const first = await frames.next();
  answerExtensions(res, context);
  await writeSse(
    res,
    { first, rest: frames },
    {
      clock: options.clock,
      gone: context.state.get(SIGNAL_KEY) as AbortSignal,
      errorFrame: options.failure,
    },
  );
}

/** A body that cannot be read is answered in the protocol's own form. */
export const jsonRpcBodyErrors: ErrorRequestHandler = (error, _req, res, next) => {
  const problem = bodyProblem(error);
  if (problem === undefined) {
    next(error);
    return;
  }
  const code = problem.status === 400 ? A2A_ERROR_CODE.PARSE_ERROR : A2A_ERROR_CODE.INVALID_REQUEST;
  // A call that is no JSON is answered as any other; one that did not arrive is none.
  res
    .status(problem.arrived ? 200 : problem.status)
    .json({ jsonrpc: "2.0", id: null, error: { code, message: problem.message } });
};

function idOf(req: Request): string | number | null {
  const id = (req.body as { id?: unknown } | undefined)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
