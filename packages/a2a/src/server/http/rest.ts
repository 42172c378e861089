import {
  AgentCard,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskState,
  taskStateFromJSON,
  type ListTasksRequest,
} from "@a2a-js/sdk";
import { legacyRestRouter } from "@a2a-js/sdk/compat/v0_3/server/express";
import {
  type A2AError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
} from "@a2a-js/sdk/errors";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import { Router, type ErrorRequestHandler, type Request, type Response } from "express";

import { asProtocolError } from "../protocol-error.ts";
import { SIGNAL_KEY } from "../request-handler.ts";
import { bodyProblem } from "./body-problem.ts";
import { answerExtensions, callContext } from "./call-context.ts";
import { checkBody } from "./check-body.ts";
import { CallerUser, callerOf } from "./gate.ts";
import type { BindingOptions } from "./json-rpc.ts";
import { writeSse } from "./sse.ts";
import { isLegacy } from "./version.ts";

export const REST_CONTENT_TYPE = "application/a2a+json";

type Operation = (req: Request, context: ServerCallContext) => Promise<unknown>;
type Streaming = (req: Request, context: ServerCallContext) => AsyncGenerator<StreamResponse>;

/** The HTTP+JSON binding, 1.0; what speaks 0.3 goes to the SDK's own routes. */
export function restRouter(options: BindingOptions): Router {
  const { handler, log } = options;
  const router = Router();
  const sendError = (res: Response, error: unknown): void => {
    const known = asProtocolError(error, log);
    sendBody(res, known, restStatusFor(known));
  };
  router.use((req, res, next) => {
    try {
      checkBody(req.body);
    } catch (error) {
      sendError(res, error);
      return;
    }
    next();
  });
  const legacy = legacyRestRouter({
    requestHandler: handler,
    userBuilder: (req) => Promise.resolve(new CallerUser(callerOf(req))),
  });
  router.use((req, res, next) => (isLegacy(req) ? legacy(req, res, next) : next()));

  const open = (req: Request, res: Response): ServerCallContext =>
    callContext(req, res, { ...options, binding: "HTTP+JSON" });
  const plain =
    (operation: Operation) =>
    async (req: Request, res: Response): Promise<void> => {
      try {
        const context = open(req, res);
        const body = await operation(req, context);
        answerExtensions(res, context);
        res.status(200).type(REST_CONTENT_TYPE).send(JSON.stringify(body));
      } catch (error) {
        sendError(res, error);
      }
    };
  const streaming =
    (operation: Streaming) =>
    async (req: Request, res: Response): Promise<void> => {
      try {
        const context = open(req, res);
        const frames = encoded(operation(req, context));
        const first = await frames.next();
        answerExtensions(res, context);
        await writeSse(
          res,
          { first, rest: frames },
          {
            clock: options.clock,
            gone: context.state.get(SIGNAL_KEY) as AbortSignal,
            errorFrame: (error) => {
              const known = asProtocolError(error, log);
              return toRestErrorBody(known, restStatusFor(known));
            },
          },
        );
      } catch (error) {
        sendError(res, error);
      }
    };

  router.post(
    "/message\\:send",
    plain(async (req, context) => {
      const result = await handler.sendMessage(sendRequest(req), context);
      const payload =
        "messageId" in result
          ? ({ $case: "message", value: result } as const)
          : ({ $case: "task", value: result } as const);
      return SendMessageResponse.toJSON({ payload });
    }),
  );
  router.post(
    "/message\\:stream",
    streaming((req, context) => handler.sendMessageStream(sendRequest(req), context)),
  );
  const subscribe = streaming((req, context) =>
    handler.resubscribe({ id: taskId(req), tenant: "" }, context),
  );
  router.get("/tasks/:taskId\\:subscribe", subscribe);
  router.post("/tasks/:taskId\\:subscribe", subscribe);
  router.post(
    "/tasks/:taskId\\:cancel",
    plain(async (req, context) =>
      Task.toJSON(await handler.cancelTask({ id: taskId(req), tenant: "", metadata: undefined }, context)),
    ),
  );
  router.get(
    "/tasks/:taskId",
    plain(async (req, context) => {
      const historyLength = count(req.query["historyLength"], "historyLength");
      const wanted = { id: taskId(req), tenant: "" };
      return Task.toJSON(
        await handler.getTask(historyLength === undefined ? wanted : { ...wanted, historyLength }, context),
      );
    }),
  );
  router.get(
    "/tasks",
    plain(async (req, context) => ({
      tasks: [],
      nextPageToken: "",
      totalSize: 0,
      ...(ListTasksResponse.toJSON(await handler.listTasks(listRequest(req), context)) as object),
    })),
  );
  router.get(
    "/extendedAgentCard",
    plain(async (_req, context) =>
      AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: "" }, context)),
    ),
  );
  router.all("/tasks/:taskId/pushNotificationConfigs{/*rest}", (_req, res) =>
    sendError(res, new PushNotificationNotSupportedError()),
  );
  return router;
}

export const restBodyErrors: ErrorRequestHandler = (error, _req, res, next) => {
  const problem = bodyProblem(error);
  if (problem === undefined) next(error);
  else sendBody(res, new RequestMalformedError(problem.message), problem.status);
};

async function* encoded(frames: AsyncGenerator<StreamResponse>): AsyncGenerator {
  for await (const frame of frames) yield StreamResponse.toJSON(frame);
}

function sendBody(res: Response, error: A2AError, status: number): void {
  res
    .status(status)
    .type(REST_CONTENT_TYPE)
    .send(JSON.stringify(toRestErrorBody(error, status)));
}

function sendRequest(req: Request): SendMessageRequest {
  const body: unknown = req.body;
  if (typeof body !== "object" || body === null) throw new RequestMalformedError("The body is missing.");
  return SendMessageRequest.fromJSON(body);
}

function listRequest(req: Request): ListTasksRequest {
  const { query } = req;
  const pageSize = count(query["pageSize"], "pageSize");
  const historyLength = count(query["historyLength"], "historyLength");
  const status = text(query["status"]);
  return {
    tenant: "",
    contextId: text(query["contextId"]),
    status: status === "" ? TaskState.TASK_STATE_UNSPECIFIED : taskStateFromJSON(status),
    pageToken: text(query["pageToken"]),
    statusTimestampAfter: text(query["statusTimestampAfter"]) || undefined,
    includeArtifacts: query["includeArtifacts"] === "true",
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(historyLength === undefined ? {} : { historyLength }),
  };
}

function taskId(req: Request): string {
  return text(req.params["taskId"]);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown, name: string): number | undefined {
  if (value === undefined || value === "") return undefined;
  const n = Number(value);
  if (!Number.isInteger(n) || n < 0)
    throw new RequestMalformedError(`${name} must be a whole number, not "${text(value)}".`);
  return n;
}
