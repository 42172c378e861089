import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { JsonObject } from "@troupe/stream";

import { isRefusal, type FakeRefusal, type FakeReply, type FakeStream } from "./scenario.ts";
import { chopBytes } from "./split.ts";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: JsonObject;
}

export interface FakeServerOptions {
  /** Answers in the order of the requests. An unscripted request is answered 500 and remembered. */
  readonly replies?: readonly FakeReply[];
  /** The only key that is let in; any is when absent. Others get a 401 that quotes the key. */
  readonly apiKey?: string;
  /** Names of request fields, at any depth, that this endpoint does not know: answered with 400. */
  readonly refuses?: readonly string[];
}

export interface FakeModelServer {
  /** What a client takes as `baseURL`. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Adds answers behind those that wait. */
  script(...replies: readonly FakeReply[]): void;
  /** Answers that no request has used. */
  readonly unused: number;
  /** Resolves when the number of requests in all has reached `count`. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves when the client has closed the connection of a stalled answer. */
  waitForHangUp(): Promise<void>;
  /** Ends every connection. Closing twice does no harm. */
  close(): Promise<void>;
}

/** What differs between the two wire formats. */
export interface FakeWire {
  readonly prefix: string;
  frames(reply: FakeStream, body: JsonObject): string[];
  errorFrame(type: string, message: string): string;
  errorBody(type: string, message: string): JsonObject;
}

/** A model server on loopback that plays a script. Close it; its sockets keep a process alive. */
export async function startFakeServer(wire: FakeWire, options: FakeServerOptions): Promise<FakeModelServer> {
  const replies = [...(options.replies ?? [])];
  const requests: SeenRequest[] = [];
  const waiters: { readonly count: number; readonly wake: () => void }[] = [];
  const hangUp = Promise.withResolvers<void>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readAll(request);
    // A question for its models is no call of one: it is in no script and not remembered.
    const isCall = request.method !== "GET";
    const body = isCall ? (JSON.parse(text) as JsonObject) : {};
    if (isCall) requests.push({ path: request.url ?? "", headers: request.headers, body });
    for (const waiter of waiters) if (requests.length >= waiter.count) waiter.wake();

    const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    if (options.apiKey !== undefined && key !== options.apiKey) {
      refuse(
        { status: 401, errorType: "authentication_error", message: `Incorrect API key: ${key}` },
        response,
      );
      return;
    }
    if (!isCall) {
      const model = { id: "fake", object: "model", type: "model", created: 0, owned_by: "tests" };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...model, object: "list", data: [model] }));
      return;
    }
    const unknown = options.refuses?.find((name) => hasField(body, name));
    if (unknown !== undefined) {
      const message = `${unknown}: Extra inputs are not permitted`;
      refuse({ status: 400, errorType: "invalid_request_error", message }, response);
      return;
    }
    const reply = replies.shift() ?? { status: 500, message: "no answer is scripted for this request" };
    if (isRefusal(reply)) refuse(reply, response);
    else stream(reply, body, response);
  };

  const refuse = (reply: FakeRefusal, response: ServerResponse): void => {
    const headers = { "content-type": "application/json", ...reply.headers };
    response.writeHead(reply.status, headers);
    response.end(
      JSON.stringify(wire.errorBody(reply.errorType ?? "api_error", reply.message ?? `HTTP ${reply.status}`)),
    );
  };

  const stream = (reply: FakeStream, body: JsonObject, response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const limit = reply.stallAfter ?? reply.breakAfter ?? reply.endAfter ?? reply.errorAfter?.events;
    const frames = wire.frames(reply, body).slice(0, limit);
    if (reply.errorAfter) frames.push(wire.errorFrame(reply.errorAfter.type, reply.errorAfter.message));
    response.flushHeaders();
    for (const piece of chopBytes(Buffer.from(frames.join("")), reply.chop)) response.write(piece);
    if (reply.stallAfter !== undefined) {
      response.once("close", () => hangUp.resolve());
      return;
    }
    if (reply.breakAfter === undefined) response.end();
    // Written bytes leave first: an empty write calls back when all before it was handed over.
    else response.write("", () => response.destroy());
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}${wire.prefix}`,
    requests,
    script: (...more) => void replies.push(...more),
    get unused() {
      return replies.length;
    },
    waitForRequests(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise((wake) => {
        waiters.push({ count, wake });
      });
    },
    waitForHangUp: () => hangUp.promise,
    close() {
      if (!server.listening) return Promise.resolve();
      server.closeAllConnections();
      return new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
      });
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function hasField(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key === name || hasField(inner, name));
}
