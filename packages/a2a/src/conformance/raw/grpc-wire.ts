import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { decodeErrorInfo, decodeStatus, GRPC_STATUS_DETAILS_BIN } from "@a2a-js/sdk/errors/grpc";
import { A2AService } from "@a2a-js/sdk/server/grpc";
import { Client, credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";

import { readTarget } from "../../grpc/grpc-client.ts";
import { recordOf, type JsonRecord } from "../../wire/json.ts";
import { MAX_BYTES, type Answer, type Fault } from "./answer.ts";
import type { Operation } from "./operations.ts";
import { payloadOf, restOf, type EventStream, type StreamEvent } from "./stream.ts";
import type { How, Wire, WireOptions } from "./wire.ts";

type Messages = {
  readonly path: string;
  readonly write: (params: JsonRecord) => Buffer;
  readonly read: (bytes: Buffer) => JsonRecord;
};

/** Messages of one method, from and to JSON as the other bindings have it. */
function method<P, R>(
  {
    path,
    requestSerialize,
    responseDeserialize,
  }: {
    readonly path: string;
    readonly requestSerialize: (message: P) => Buffer;
    readonly responseDeserialize: (bytes: Buffer) => R;
  },
  request: { readonly fromJSON: (params: JsonRecord) => P },
  response: { readonly toJSON: (message: R) => unknown },
): Messages {
  return {
    path,
    write: (params) => requestSerialize(request.fromJSON(params)),
    read: (bytes) => recordOf(response.toJSON(responseDeserialize(bytes))) ?? {},
  };
}

/** Scalars of the binary form have no absence: what is left out is empty or zero. */
const page = {
  toJSON: (message: ListTasksResponse) => ({
    tasks: [],
    nextPageToken: "",
    pageSize: 0,
    totalSize: 0,
    ...recordOf(ListTasksResponse.toJSON(message)),
  }),
};

const METHODS: { readonly [O in Operation]: Messages } = {
  SendMessage: method(A2AService.sendMessage, SendMessageRequest, SendMessageResponse),
  GetTask: method(A2AService.getTask, GetTaskRequest, Task),
  ListTasks: method(A2AService.listTasks, ListTasksRequest, page),
  CancelTask: method(A2AService.cancelTask, CancelTaskRequest, Task),
  CreateTaskPushNotificationConfig: method(
    A2AService.createTaskPushNotificationConfig,
    TaskPushNotificationConfig,
    TaskPushNotificationConfig,
  ),
  GetTaskPushNotificationConfig: method(
    A2AService.getTaskPushNotificationConfig,
    GetTaskPushNotificationConfigRequest,
    TaskPushNotificationConfig,
  ),
  ListTaskPushNotificationConfigs: method(
    A2AService.listTaskPushNotificationConfigs,
    ListTaskPushNotificationConfigsRequest,
    ListTaskPushNotificationConfigsResponse,
  ),
  DeleteTaskPushNotificationConfig: method(
    A2AService.deleteTaskPushNotificationConfig,
    DeleteTaskPushNotificationConfigRequest,
    { toJSON: () => ({}) },
  ),
  GetExtendedAgentCard: method(A2AService.getExtendedAgentCard, GetExtendedAgentCardRequest, AgentCard),
  SendStreamingMessage: method(A2AService.sendStreamingMessage, SendMessageRequest, StreamResponse),
  SubscribeToTask: method(A2AService.subscribeToTask, SubscribeToTaskRequest, StreamResponse),
};

/** The gRPC interface of an agent; its connection is closed when `signal` aborts. */
export function openGrpcWire(options: WireOptions & { readonly cardUrl: string }): Wire {
  const { url, tenant, signal, cardUrl } = options;
  let opened: Client | undefined;
  const client = (): Client => (opened ??= clientAt(url, cardUrl, signal));
  const request = (operation: Operation, params: JsonRecord, how: How) => {
    const { path, write, read } = METHODS[operation];
    const metadata = metadataOf({ "A2A-Version": "1.0", ...options.headers, ...how.headers });
    return { path, metadata, read, bytes: write(tenant === "" ? params : { tenant, ...params }) };
  };

  return {
    binding: "GRPC",
    url,
    async call(operation, params, how = {}) {
      const { path, metadata, read, bytes } = request(operation, params, how);
      let head = new Metadata();
      const { error, value } = await new Promise<{ error: ServiceError | null; value?: Buffer | undefined }>(
        (resolve) => {
          const call = client().makeUnaryRequest(path, asIs, asIs, bytes, metadata, (error, value) => {
            signal.removeEventListener("abort", cancel);
            resolve({ error, value });
          });
          const cancel = (): void => call.cancel();
          signal.addEventListener("abort", cancel, { once: true });
          call.on("metadata", (arrived) => (head = arrived));
        },
      );
      return error === null ? answerOf(head, read(value ?? Buffer.alloc(0))) : refusalOf(error);
    },
    async stream(operation, params, how = {}) {
      const { path, metadata, read, bytes } = request(operation, params, how);
      const call = client().makeServerStreamRequest(path, asIs, asIs, bytes, metadata);
      const cancel = (): void => call.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      let head = new Metadata();
      call.on("metadata", (arrived) => (head = arrived));
      const frames = eventsOf(call as AsyncIterable<Buffer>, read);
      // Refused is what fails before its first event.
      let first: Awaited<ReturnType<typeof frames.next>> | undefined = await frames.next();
      const refused = first.done === true ? undefined : first.value.error;
      const next = async (): Promise<StreamEvent | undefined> => {
        const { done, value } = first ?? (await frames.next());
        first = undefined;
        return done === true ? undefined : value;
      };
      const close = async (): Promise<void> => {
        signal.removeEventListener("abort", cancel);
        cancel();
        await frames.return(undefined);
      };
      return {
        status: refused?.code ?? status.OK,
        headers: headersOf(head),
        plain: refused === undefined ? undefined : refusalOf(refused),
        next,
        rest: () => restOf(next, close),
        close,
      } satisfies EventStream;
    },
    post: () => Promise.reject(new Error("gRPC has no bodies of text.")),
  };
}

function clientAt(url: string, cardUrl: string, signal: AbortSignal): Client {
  const { target, secure } = readTarget(url, { url: cardUrl, where: "The agent" });
  const client = new Client(target, secure ? credentials.createSsl() : credentials.createInsecure(), {
    "grpc.max_receive_message_length": MAX_BYTES,
  });
  signal.addEventListener("abort", () => client.close(), { once: true });
  return client;
}

async function* eventsOf(
  frames: AsyncIterable<Buffer>,
  read: (bytes: Buffer) => JsonRecord,
): AsyncGenerator<StreamEvent & { readonly error?: ServiceError }, void, undefined> {
  try {
    for await (const frame of frames) {
      const body = read(frame);
      yield { event: "", body, ...payloadOf(body), fault: undefined };
    }
  } catch (error) {
    if (!isServiceError(error)) throw error;
    yield { event: "", body: undefined, ...payloadOf({}), fault: faultOf(error), error };
  }
}

function answerOf(head: Metadata, result: JsonRecord): Answer {
  const text = JSON.stringify(result);
  const headers = headersOf(head);
  return {
    binding: "GRPC",
    status: status.OK,
    headers,
    text,
    garbled: false,
    body: result,
    result,
    fault: undefined,
  };
}

function refusalOf(error: ServiceError): Answer {
  const fault = faultOf(error);
  const headers = headersOf(error.metadata);
  const body = { code: fault.code, message: fault.message, details: fault.details };
  const text = JSON.stringify(body);
  return {
    binding: "GRPC",
    status: error.code,
    headers,
    text,
    garbled: false,
    body,
    result: undefined,
    fault,
  };
}

/** The status of a call, with the details of its `google.rpc.Status`. */
function faultOf({ code, details: message, metadata }: ServiceError): Fault {
  const details = detailsOf(metadata);
  const info = details.find((detail) => typeOf(detail).endsWith("google.rpc.ErrorInfo"));
  const text = (name: string): string => (typeof info?.[name] === "string" ? info[name] : "");
  return {
    code,
    message,
    status: status[code],
    details,
    reason: text("reason"),
    domain: text("domain"),
  };
}

const typeOf = (detail: JsonRecord): string => String(detail["@type"]);

function detailsOf(metadata: Metadata): readonly JsonRecord[] {
  const [bytes] = metadata.get(GRPC_STATUS_DETAILS_BIN);
  if (!Buffer.isBuffer(bytes)) return [];
  try {
    return decodeStatus(bytes).details.map(({ typeUrl, value }) => ({
      "@type": typeUrl,
      ...(typeUrl.endsWith("google.rpc.ErrorInfo") ? decodeErrorInfo(value) : {}),
    }));
  } catch {
    // Bytes that are no Status: there are no details to speak of.
    return [];
  }
}

function metadataOf(headers: NonNullable<How["headers"]>): Metadata {
  const metadata = new Metadata();
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of values) if (value !== null) metadata.set(name, value);
  return metadata;
}

function headersOf(metadata: Metadata): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(metadata.getMap()))
    if (typeof value === "string") headers.set(name, value);
  return headers;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}
