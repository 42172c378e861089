import type { StreamResponse } from "@a2a-js/sdk";
import type { RequestOptions, Transport } from "@a2a-js/sdk/client";
import { fromGrpcError } from "@a2a-js/sdk/errors/grpc";
import { A2AService } from "@a2a-js/sdk/server/grpc";
import { Client, credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { AgentError, isLoopback } from "@troupe/core";

import { CallFailure } from "../client/call-failure.ts";
import { CallTimeout } from "../client/call-timeout.ts";
import type { GrpcClient, GrpcTransportOptions } from "../client/grpc-client.ts";
import { textOf } from "./admission.ts";

export interface GrpcClientOptions {
  /** Calls gRPC wherever a card says. By default only at the host that the card was read from. */
  readonly anyHost?: boolean;
}

/** Pings distinguish a dead connection from a quiet agent. */
const PING_MS = 30_000;
const PONG_MS = 10_000;

interface Method<P, R> {
  readonly path: string;
  readonly requestSerialize: (message: P) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => R;
}

/** Calls over gRPC for `connectAgent`, the registry and `createOrchestrator`, where a card offers nothing else. */
export function grpcClient({ anyHost = false }: GrpcClientOptions = {}): GrpcClient {
  return {
    transport: (options) =>
      Promise.resolve({
        protocolName: "GRPC",
        create: (address) => Promise.resolve(transportTo(address, options, anyHost)),
      }),
  };
}

function transportTo(address: string, options: GrpcTransportOptions, anyHost: boolean): Transport {
  const { where, answerBytes } = options;
  const { target, hostname, secure } = readTarget(address, options);
  if (!anyHost && hostname !== new URL(options.url).hostname)
    throw new AgentError(
      "agent.config",
      `${where} offers gRPC at ${address}, which is another host than that of its card. Allow it with grpcClient({ anyHost: true }).`,
    );
  const client = new Client(target, secure ? credentials.createSsl() : credentials.createInsecure(), {
    "grpc.max_receive_message_length": answerBytes,
    "grpc.keepalive_time_ms": PING_MS,
    "grpc.keepalive_timeout_ms": PONG_MS,
  });

  /** Reports to the breaker how a call went. Throws errors that the policy about calls understands. */
  const enter = (signal: AbortSignal | undefined) => {
    const pass = options.breaker.enter();
    if (pass === undefined)
      throw new CallFailure("resting", "It failed too often just now.", options.breaker.retryInMs());
    return {
      succeeded: () => pass.succeeded(),
      failed(error: unknown): unknown {
        const known = asCallError(error, where);
        const left = signal?.aborted === true && !(signal.reason instanceof CallTimeout);
        if (left) pass.released();
        else if (known instanceof CallFailure && known.kind === "gateway") pass.failed();
        else pass.succeeded();
        return left ? signal.reason : known;
      },
    };
  };
  const once = async <P, R>(method: Method<P, R>, params: P, how: RequestOptions = {}): Promise<R> => {
    const call = enter(how.signal);
    try {
      const answer = await new Promise<R>((resolve, reject) => {
        const { path, requestSerialize, responseDeserialize } = method;
        const sent = client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          params,
          metadataOf(how),
          (error, value) => {
            how.signal?.removeEventListener("abort", cancel);
            if (error === null && value !== undefined) resolve(value);
            else reject(error ?? new Error("The call brought no answer."));
          },
        );
        const cancel = (): void => sent.cancel();
        how.signal?.addEventListener("abort", cancel, { once: true });
        if (how.signal?.aborted === true) cancel();
      });
      call.succeeded();
      return answer;
    } catch (error) {
      throw call.failed(error);
    }
  };
  async function* stream<P>(
    method: Method<P, StreamResponse>,
    params: P,
    how: RequestOptions = {},
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const call = enter(how.signal);
    const { path, requestSerialize, responseDeserialize } = method;
    const frames = client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      params,
      metadataOf(how),
    );
    const cancel = (): void => frames.cancel();
    how.signal?.addEventListener("abort", cancel, { once: true });
    if (how.signal?.aborted === true) cancel();
    let begun = false;
    try {
      for await (const frame of frames as AsyncIterable<StreamResponse>) {
        if (!begun) call.succeeded();
        begun = true;
        yield frame;
      }
      if (!begun) call.succeeded();
    } catch (error) {
      throw begun ? asCallError(error, where) : call.failed(error);
    } finally {
      how.signal?.removeEventListener("abort", cancel);
      cancel();
    }
  }

  return {
    protocolName: "GRPC",
    protocolVersion: "1.0",
    sendMessage: async (params, how) => {
      const { payload } = await once(A2AService.sendMessage, params, how);
      if (payload === undefined)
        throw new AgentError("agent.protocol", `${where} answered with neither a task nor a message.`);
      return payload.value;
    },
    sendMessageStream: (params, how) => stream(A2AService.sendStreamingMessage, params, how),
    resubscribeTask: (params, how) => stream(A2AService.subscribeToTask, params, how),
    getTask: (params, how) => once(A2AService.getTask, params, how),
    listTasks: (params, how) => once(A2AService.listTasks, params, how),
    cancelTask: (params, how) => once(A2AService.cancelTask, params, how),
    getExtendedAgentCard: (params, how) => once(A2AService.getExtendedAgentCard, params, how),
    createTaskPushNotificationConfig: (params, how) =>
      once(A2AService.createTaskPushNotificationConfig, params, how),
    getTaskPushNotificationConfig: (params, how) =>
      once(A2AService.getTaskPushNotificationConfig, params, how),
    listTaskPushNotificationConfig: (params, how) =>
      once(A2AService.listTaskPushNotificationConfigs, params, how),
    async deleteTaskPushNotificationConfig(params, how) {
      await once(A2AService.deleteTaskPushNotificationConfig, params, how);
    },
  };
}

export interface GrpcTarget {
  /** `host:port`, as gRPC takes it. */
  readonly target: string;
  readonly hostname: string;
  readonly secure: boolean;
}

/** Reads `host:port` or an http(s) address. Without a scheme it is secure where the card came securely, but on loopback. */
export function readTarget(
  address: string,
  { url, where }: Pick<GrpcTransportOptions, "url" | "where">,
): GrpcTarget {
  const plain = address.includes("://") ? address : `grpc://${address}`;
  const parsed = URL.parse(plain.replace(/^grpc(s?):/, "http$1:"));
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new AgentError(
      "agent.protocol",
      `${where} offers gRPC at "${address}", which is neither host:port nor an http address.`,
    );
  const { hostname, protocol } = parsed;
  const named = address.includes("://");
  const bare = hostname.replace(/^\[|\]$/g, "");
  const secure = named ? protocol === "https:" : new URL(url).protocol === "https:" && !isLoopback(bare);
  return { target: `${hostname}:${parsed.port || (secure ? "443" : "80")}`, hostname, secure };
}

function metadataOf({ serviceParameters = {} }: RequestOptions): Metadata {
  const metadata = new Metadata();
  metadata.set("a2a-version", "1.0");
  for (const [name, value] of Object.entries(serviceParameters)) metadata.set(name.toLowerCase(), value);
  return metadata;
}

/** Converts an error of gRPC to one that the policy about calls understands, or to one of A2A. */
function asCallError(error: unknown, where: string): unknown {
  if (!isServiceError(error)) return error;
  const { code, details, metadata } = error;
  const waitMs = Number(textOf(metadata, "retry-after") ?? NaN) * 1_000;
  const wait = waitMs > 0 ? waitMs : undefined;
  switch (code) {
    case status.UNAUTHENTICATED:
      return new AgentError(
        "agent.unauthenticated",
        `${where} asks who calls, and does not know this caller.`,
      );
    case status.PERMISSION_DENIED:
      return new AgentError("agent.forbidden", `${where} refuses this caller: ${details.slice(0, 300)}`);
    case status.RESOURCE_EXHAUSTED:
      if (/^Received message (that decompresses to a size )?larger/.test(details))
        return new AgentError("agent.protocol", `${where} answered with more bytes than are read.`);
      return new CallFailure("busy", details, wait);
    case status.UNAVAILABLE:
      return wait === undefined
        ? new CallFailure("gateway", details)
        : new CallFailure("busy", details, wait);
    case status.DEADLINE_EXCEEDED:
      return new CallFailure("gateway", details);
    default:
      return fromGrpcError(error);
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}
