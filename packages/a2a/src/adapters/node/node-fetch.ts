import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";

import { defaultFetch, type Fetch } from "../default-fetch.ts";
import { EventBody } from "./event-body.ts";

/** A connection on which nothing comes for so long is given up; streams have a limit of their own below it. */
const SILENCE_MS = 300_000;
const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };

/** A request that node:http sends as it is. */
interface PlainRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * fetch over Node's own HTTP client, for what agents ask of one another: it keeps its connections and
 * takes about a third of the platform's time to the first byte of an event stream. Fails and aborts as
 * fetch does. Of an event stream `body` is read by its reader, or piped; whatever is no plain request
 * (a stream to send, a redirect, a proxy of the environment) goes to the platform's fetch.
 */
export const nodeFetch: Fetch = async (input, init = {}) => {
  const plain = plainRequest(input, init);
  if (plain === undefined) return defaultFetch(input, init);
  const answer = await send(plain);
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400 && answer.headers.location !== undefined && init.redirect !== "manual") {
    answer.destroy();
    return defaultFetch(input, init);
  }
  return responseOf(answer, plain.signal);
};

function plainRequest(input: Parameters<Fetch>[0], init: RequestInit): PlainRequest | undefined {
  const { body, signal } = init;
  if (process.env["NODE_USE_ENV_PROXY"] !== undefined || input instanceof Request) return undefined;
  if (body !== undefined && body !== null && typeof body !== "string") return undefined;
  const url = new URL(input);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const headers = Object.fromEntries(new Headers(init.headers));
  headers["accept"] ??= "*/*";
  return { url, method: init.method ?? "GET", headers, body: body ?? undefined, signal: signal ?? undefined };
}

async function send({ url, method, headers, body, signal }: PlainRequest): Promise<IncomingMessage> {
  signal?.throwIfAborted();
  const secure = url.protocol === "https:";
  const options = { method, headers, ...(signal === undefined ? {} : { signal }) };
  const request: ClientRequest = secure
    ? httpsRequest(url, { ...options, agent: agents["https:"] })
    : httpRequest(url, { ...options, agent: agents["http:"] });
  request.setTimeout(SILENCE_MS, () =>
    request.destroy(new Error(`nothing came for ${SILENCE_MS / 60_000} minutes`)),
  );
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve);
      // For as long as the request lives: an error after the answer is the answer's to tell.
      request.on("error", reject);
      request.end(body);
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause: error });
  }
}

function responseOf(answer: IncomingMessage, signal: AbortSignal | undefined): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  }
  const body = decoded(answer);
  const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
  if (headers.get("Content-Type")?.startsWith("text/event-stream") === true) {
    const response = new Response(null, { status, statusText, headers });
    return Object.defineProperty(response, "body", {
      value: new EventBody(body, signal),
      configurable: true,
    });
  }
  const empty = status === 204 || status === 205 || status === 304;
  if (empty) answer.resume();
  return new Response(empty ? null : Readable.toWeb(body), { status, statusText, headers });
}

/** Nothing compressed is asked for, but some send it all the same. */
function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return answer;
  const decoder = encoding === "br" ? createBrotliDecompress() : createUnzip();
  return pipeline(answer, decoder, () => undefined);
}
