import type { IncomingMessage, ServerResponse } from "node:http";

import { isTroupeError, systemClock, type ArtifactStore, type Log, type StoredFile } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { ArtifactLinks } from "../artifact-links.ts";
import { OWNER_BYTES } from "../owner-quota.ts";
import { artifactPath, type ArtifactPath } from "./artifact-path.ts";
import { receiveArtifact } from "./receive-artifact.ts";
import { sendArtifact } from "./send-artifact.ts";

const GIB = 1024 ** 3;

export interface ArtifactHandlerOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /**
   * Whose request it is. Absent, where nobody is authenticated: then every file is everybody's of this
   * machine.
   */
  readonly identify?: (request: IncomingMessage) => string | undefined;
  /** Of one file that is put, in bytes; 1 GiB by default. */
  readonly maxBytes?: number;
  /** Of all files of an owner, in bytes, as far as `usage` tells; 10 GiB by default. */
  readonly ownerBytes?: number;
  readonly usage?: (owner: string) => Promise<number>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Serves the files of a store to their owners; mount it behind authentication, where there is any:
 *
 * - `GET`, `HEAD /artifacts/<id>/<name>`: a file, or a part of it
 * - `GET /artifacts?limit=&after=`: the caller's own, newest first
 * - `PUT /artifacts/<name>`: takes one in. Not POST, which a page of anybody could send to this machine
 * - `DELETE /artifacts/<id>`
 *
 * Calls `next` for every other path.
 */
export function artifactHandler(store: ArtifactStore, options: ArtifactHandlerOptions): Handler {
  const { identify } = options;
  const fileFor = (id: string, owner: string): Promise<StoredFile | undefined> =>
    identify === undefined ? store.find(id) : store.get(id, owner);
  return handler(options.log, async (path, request, response) => {
    const owner = identify === undefined ? "" : identify(request);
    if (owner === undefined) return answer(response, 401, "Say who you are, or ask for a link to the file.");
    const { id, name } = path;
    const { method } = request;
    if (id !== undefined && (method === "GET" || method === "HEAD")) {
      const file = await fileFor(id, owner);
      return file ? sendArtifact(file, request, response) : answer(response, 404, "There is no such file.");
    }
    if (id !== undefined && method === "DELETE") {
      const whose = identify === undefined ? (await store.find(id))?.owner : owner;
      const gone = whose !== undefined && (await store.delete(id, whose));
      return gone ? response.writeHead(204).end() : answer(response, 404, "There is no such file.");
    }
    if (id === undefined && name === undefined && method === "GET")
      return list(store, owner, path.query, response);
    if (id === undefined && name !== undefined && method === "PUT")
      return take(store, { ...options, owner, name }, request, response);
    const allow = id !== undefined ? "GET, HEAD, DELETE" : name === undefined ? "GET" : "PUT";
    return answer(response, 405, `Files know ${allow} here.`, { allow });
  });
}

/** Serves a file to whoever has a signed link, and passes every other request on. Open to anybody. */
export function linkedArtifacts(
  store: ArtifactStore,
  { links, log }: { readonly links: ArtifactLinks; readonly log: Log },
): Handler {
  const serve = handler(log, async ({ id = "", name = "", query }, request, response) => {
    // Before it is looked for, so that a link that does not hold tells nothing of the file.
    if (!(await links.verify({ id, name }, query)))
      return answer(response, 403, "This link does not hold, or no more. Ask for a new one.");
    const file = await store.find(id);
    return file ? sendArtifact(file, request, response) : answer(response, 404, "There is no such file.");
  });
  return (request, response, next) => {
    const path = artifactPath(request.url);
    const reads = request.method === "GET" || request.method === "HEAD";
    if (reads && path?.id !== undefined && path.query.has("sig")) serve(request, response, next);
    else next();
  };
}

function handler(
  log: Log,
  serve: (path: ArtifactPath, request: IncomingMessage, response: ServerResponse) => unknown,
): Handler {
  return (request, response, next) => {
    const path = artifactPath(request.url);
    if (path === undefined) {
      next();
      return;
    }
    Promise.resolve(serve(path, request, response)).catch((error: unknown) => {
      log.warn("a request for a file was not answered", { id: path.id, method: request.method, error });
      if (response.headersSent) response.destroy();
      else fail(response, error);
    });
  };
}

async function list(
  store: ArtifactStore,
  owner: string,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const limit = Number(query.get("limit") ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    answer(response, 400, "limit is a whole number from 1 to 100.");
    return;
  }
  const after = query.get("after");
  const page = await store.list(owner, { limit, ...(after === null || after === "" ? {} : { after }) });
  const files = page.files.map(({ ref, storedAt }) => ({
    ...ref,
    storedAt: new Date(storedAt).toISOString(),
  }));
  send(response, 200, { files, next: page.next });
}

async function take(
  store: ArtifactStore,
  options: ArtifactHandlerOptions & { readonly owner: string; readonly name: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { owner, name, maxBytes = GIB, ownerBytes = OWNER_BYTES, usage, clock = systemClock } = options;
  const left = usage === undefined ? maxBytes : Math.max(0, ownerBytes - (await usage(owner)));
  if (left === 0) {
    answer(response, 413, `Your files fill the ${ownerBytes} bytes they may have. Delete some first.`);
    return;
  }
  const ref = await receiveArtifact(store, request, {
    owner,
    name,
    clock,
    maxBytes: Math.min(maxBytes, left),
  });
  send(response, 201, ref, { location: ref.url });
}

const STATUS: { readonly [code: string]: number } = {
  "input.too-large": 413,
  "input.invalid": 400,
  "store.full": 507,
};

function fail(response: ServerResponse, error: unknown): void {
  const known = isTroupeError(error) ? error : undefined;
  const status = STATUS[known?.code ?? ""] ?? 500;
  answer(response, status, known?.message ?? "The file could not be handled.");
}

/** What was not read of the request is not waited for. */
function answer(
  response: ServerResponse,
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, status, { error }, response.req.complete ? headers : { ...headers, connection: "close" });
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers })
    .end(JSON.stringify(body));
}
