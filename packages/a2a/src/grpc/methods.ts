import { Extensions, type SendMessageResponse, type StreamResponse } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { ServerCallContext, STATE_HEADERS_KEY, validateVersion } from "@a2a-js/sdk/server";
import { A2AService } from "@a2a-js/sdk/server/grpc";
import {
  Metadata,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { isTooDeep, MAX_JSON_DEPTH } from "@troupe/stream";

import type { ServeGrpcOptions } from "../server/grpc-port.ts";
import { setTraceOf } from "../server/http/call-trace.ts";
import { CallerUser } from "../server/http/gate.ts";
import { readVersion } from "../server/http/version.ts";
import { sendResponse } from "../server/json-operations.ts";
import { LARGE_ANSWER } from "../server/limits/large-answer.ts";
import { tooMany, withAdmitted } from "../server/limits/limit-gate.ts";
import { MAX_JSON_KEYS, MAX_JSON_VALUES } from "../server/limits/weigh-json.ts";
import { asProtocolError } from "../server/protocol-error.ts";
import { goneOf, setPresence } from "../server/presence.ts";
import { UnavailableError } from "../server/status-error.ts";
import { admittedCall, textOf, type AdmittedCall } from "./admission.ts";
import { toStatus } from "./status.ts";

/** A reader that takes nothing for this long is disconnected. */
const STALLED_MS = 5 * 60_000;

const EXTENSIONS = "a2a-extensions";

interface Method<P, R> {
  readonly requestDeserialize: (bytes: Buffer) => P;
  readonly responseSerialize: (message: R) => Buffer;
}

const asIs = (bytes: Buffer): Buffer => bytes;

/**
 * The protocol's service with messages as bytes, so that methods that know the caller can check sizes before
 * they decode and after they encode.
 */
export const BYTES_SERVICE: ServiceDefinition = Object.fromEntries(
  Object.entries(A2AService).map(([name, { path, requestStream, responseStream }]) => [
    name,
    {
      path,
      requestStream,
      responseStream,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  ]),
);

/** The methods of the protocol's service over the request handler. */
export function grpcMethods(options: ServeGrpcOptions): UntypedServiceImplementation {
  const { handler } = options;
  const unary = <P extends object, R>(
    method: Method<P, R>,
    run: (params: P, context: ServerCallContext) => Promise<R>,
  ): handleUnaryCall<Buffer, Buffer> =>
    async function answer(call, callback) {
      try {
        const admitted = admittedCall(call.metadata);
        const params = read(method, call.request, admitted);
        const context = contextOf(call.metadata, admitted, params, options);
        const answer = method.responseSerialize(await run(params, context));
        const { account, response } = admitted.admitted;
        if (answer.length >= LARGE_ANSWER) response.once("close", account.going(answer.length));
        call.sendMetadata(answerMetadata(context));
        callback(null, answer);
      } catch (error) {
        callback(toStatus(asProtocolError(error, options.log)));
      }
    };
  const streaming = <P extends object>(
    method: Method<P, StreamResponse>,
    run: (params: P, context: ServerCallContext) => AsyncGenerator<StreamResponse, void, undefined>,
  ): handleServerStreamingCall<Buffer, Buffer> =>
    async function answer(call) {
      let frames: AsyncGenerator<StreamResponse, void, undefined> | undefined;
      try {
        const admitted = admittedCall(call.metadata);
        const params = read(method, call.request, admitted);
        const context = contextOf(call.metadata, admitted, params, options);
        const gone = goneOf(context);
        frames = run(params, context);
        // What the handler refuses it refuses before the first update.
        let next = await frames.next();
        call.sendMetadata(answerMetadata(context));
        for (; next.done !== true && !gone.aborted; next = await frames.next())
          if (!call.write(method.responseSerialize(next.value))) await drained(call, gone, options.clock);
        call.end();
      } catch (error) {
        call.emit("error", toStatus(asProtocolError(error, options.log)));
      } finally {
        await frames?.return(undefined);
      }
    };
  return {
    sendMessage: unary(A2AService.sendMessage, async (params, context): Promise<SendMessageResponse> =>
      sendResponse(await handler.sendMessage(params, context)),
    ),
    sendStreamingMessage: streaming(A2AService.sendStreamingMessage, (params, context) =>
      handler.sendMessageStream(params, context),
    ),
    subscribeToTask: streaming(A2AService.subscribeToTask, (params, context) =>
      handler.resubscribe(params, context),
    ),
    getTask: unary(A2AService.getTask, (params, context) => handler.getTask(params, context)),
    listTasks: unary(A2AService.listTasks, (params, context) => handler.listTasks(params, context)),
    cancelTask: unary(A2AService.cancelTask, (params, context) => handler.cancelTask(params, context)),
    createTaskPushNotificationConfig: unary(A2AService.createTaskPushNotificationConfig, (params, context) =>
      handler.createTaskPushNotificationConfig(params, context),
    ),
    getTaskPushNotificationConfig: unary(A2AService.getTaskPushNotificationConfig, (params, context) =>
      handler.getTaskPushNotificationConfig(params, context),
    ),
    listTaskPushNotificationConfigs: unary(A2AService.listTaskPushNotificationConfigs, (params, context) =>
      handler.listTaskPushNotificationConfigs(params, context),
    ),
    deleteTaskPushNotificationConfig: unary(
      A2AService.deleteTaskPushNotificationConfig,
      async (params, context) => {
        await handler.deleteTaskPushNotificationConfig(params, context);
        return {};
      },
    ),
    getExtendedAgentCard: unary(A2AService.getExtendedAgentCard, (params, context) =>
      handler.getAuthenticatedExtendedAgentCard(params, context),
    ),
  };
}

/** Throws a `RequestMalformedError` for bytes that are no such message, and a `LimitError`. */
function read<P extends object>(method: Method<P, never>, bytes: Buffer, { admitted }: AdmittedCall): P {
  const { account } = admitted;
  account.body({ bytes: bytes.length, values: 0 });
  let params: P;
  try {
    params = method.requestDeserialize(bytes);
  } catch (error) {
    throw new RequestMalformedError({ message: "The message of the call cannot be read.", cause: error });
  }
  account.body({ bytes: 0, values: checkValues(params) });
  if (isTooDeep(params))
    throw new RequestMalformedError(
      `The message is nested more than ${MAX_JSON_DEPTH} levels deep; send it flatter.`,
    );
  return params;
}

/** Counts the values of a message. Throws a `LimitError` for more values or different keys than a JSON body may have. */
function checkValues(message: object): number {
  const keys = new Set<string>();
  const open: object[] = [message];
  let values = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (ArrayBuffer.isView(value)) continue;
    if (!Array.isArray(value)) for (const key in value) keys.add(key);
    for (const child of Object.values(value) as unknown[]) {
      values++;
      if (typeof child === "object" && child !== null) open.push(child);
    }
    if (values > MAX_JSON_VALUES) throw tooMany("values", MAX_JSON_VALUES);
    if (keys.size > MAX_JSON_KEYS) throw tooMany("different keys", MAX_JSON_KEYS);
  }
  return values;
}

/** Throws a `VersionNotSupportedError` for a version that is not served over gRPC. */
function contextOf(
  metadata: Metadata,
  { caller, admitted, presence }: AdmittedCall,
  params: object,
  { card }: ServeGrpcOptions,
): ServerCallContext {
  const tenant = "tenant" in params && typeof params.tenant === "string" ? params.tenant : "";
  const context = new ServerCallContext({
    requestedExtensions: Extensions.parseServiceParameter(metadata.get(EXTENSIONS).join(",")),
    user: withAdmitted(admitted, new CallerUser(caller)),
    requestedVersion: readVersion(textOf(metadata, "a2a-version") ?? ""),
    state: new Map<string, unknown>([[STATE_HEADERS_KEY, metadata.getMap()]]),
    ...(tenant === "" ? {} : { tenant }),
  });
  setPresence(context, presence);
  setTraceOf(context, textOf(metadata, "traceparent"), textOf(metadata, "tracestate"));
  validateVersion(context.requestedVersion, card, "GRPC");
  return context;
}

/** Names the extensions that are in force. */
function answerMetadata({ activatedExtensions }: ServerCallContext): Metadata {
  const metadata = new Metadata();
  if (activatedExtensions !== undefined)
    metadata.set(EXTENSIONS, Extensions.toServiceParameter(activatedExtensions));
  return metadata;
}

/** Resolves when the reader took what was written or is gone; throws when it took nothing for too long. */
function drained(
  call: ServerWritableStream<Buffer, Buffer>,
  gone: AbortSignal,
  clock: ServeGrpcOptions["clock"],
): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      stop();
      call.off("drain", done);
      gone.removeEventListener("abort", done);
      then();
    };
    const done = (): void => settle(resolve);
    const stop = clock.schedule(STALLED_MS, () =>
      settle(() => reject(new UnavailableError("The stream was not read for too long; subscribe again."))),
    );
    call.once("drain", done);
    gone.addEventListener("abort", done, { once: true });
  });
}
