import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";

import { isTroupeError } from "../../errors/troupe-error.ts";
import type { Connections } from "./connections.ts";
import { webStream } from "../../net/reads.ts";
import { EventBody } from "./event-body.ts";
import type { Outgoing } from "./outgoing.ts";

/** A host that does not answer is no agent that works long: it is told by the time to connect. */
const CONNECT_MS = 10_000;
/** A connection on which nothing comes for so long is given up; streams have a limit of their own below it. */
const SILENCE_MS = 300_000;

/**
 * Sends one request and gives its answer, redirect or not. Fails and aborts as fetch does; what stopped
 * the connection with an error of ours is thrown as it is.
 */
export async function send(request: Outgoing, connections: Connections): Promise<Response> {
  const { signal } = request;
  signal?.throwIfAborted();
  let answer: IncomingMessage | undefined;
  try {
    answer = await answerTo(request, connections);
    return responseOf(answer, request);
  } catch (error) {
    answer?.destroy();
    signal?.throwIfAborted();
    throw isTroupeError(error) ? error : new TypeError("fetch failed", { cause: error });
  }
}

function answerTo(request: Outgoing, connections: Connections): Promise<IncomingMessage> {
  const { url, method, signal } = request;
  const headers = Object.fromEntries(request.headers);
  const options = { method, headers, ...(signal === undefined ? {} : { signal }) };
  const sent: ClientRequest =
    url.protocol === "https:"
      ? httpsRequest(url, { ...options, agent: connections.https })
      : httpRequest(url, { ...options, agent: connections.http });
  sent.setTimeout(SILENCE_MS, () =>
    sent.destroy(new Error(`nothing came for ${SILENCE_MS / 60_000} minutes`)),
  );
  sent.once("socket", (socket) => {
    limitConnecting(socket, sent);
    // Between a request and the next nobody else listens: an abort at that moment would end the process.
    if (!socket.listeners("error").includes(ignore)) socket.on("error", ignore);
  });
  return new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    // For as long as the request lives: an error after the answer is the answer's to tell.
    sent.on("error", reject);
    sent.end(request.body);
  });
}

const ignore = (): void => undefined;

/** Ends a request whose connection does not come about, with the error that the system has for it. */
function limitConnecting(socket: Socket, sent: ClientRequest): void {
  if (!socket.connecting) return;
  const late = setTimeout(() => {
    const error = new Error(`no connection within ${CONNECT_MS / 1_000} s`);
    sent.destroy(Object.assign(error, { code: "ETIMEDOUT", syscall: "connect" }));
  }, CONNECT_MS);
  for (const over of ["connect", "close"]) socket.once(over, () => clearTimeout(late));
}

function responseOf(answer: IncomingMessage, { url, signal }: Outgoing): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  }
  const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
  const init = { status, statusText, headers };
  const streamed = headers.get("Content-Type")?.startsWith("text/event-stream") === true;
  const empty = [204, 205, 304].includes(status);
  const body = streamed || empty ? null : webStream(new EventBody(decoded(answer), signal).getReader());
  const response = new Response(body, init);
  Object.defineProperty(response, "url", { value: url.href });
  // One that says it has no body may send one all the same.
  if (empty) void new EventBody(answer, signal).cancel();
  else if (streamed)
    Object.defineProperty(response, "body", {
      value: new EventBody(decoded(answer), signal),
      configurable: true,
    });
  return response;
}

/** Nothing compressed is asked for, but some send it all the same. */
function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return answer;
  const decoder = encoding === "br" ? createBrotliDecompress() : createUnzip();
  return pipeline(answer, decoder, () => undefined);
}
