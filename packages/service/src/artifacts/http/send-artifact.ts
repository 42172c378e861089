import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

import { isUnchanged, rangeHolds, type StoredFile } from "@troupe/core";

import { contentDisposition, contentType } from "./content-headers.ts";
import { parseRange } from "./parse-range.ts";

/** A reader that takes nothing for so long is let go. */
const STALLED_MS = 60_000;

/**
 * Answers GET or HEAD of a file, or of a part of it, at the reader's pace. It is never shown in a
 * browser under our name: what a model made does not run there. Throws where it is damaged; once its
 * head is out, the connection has to be cut.
 */
export async function sendArtifact(
  file: StoredFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { ref, storedAt } = file;
  const validators = { etag: `"${ref.sha256}"`, modifiedAt: storedAt };
  const headers = {
    "content-type": contentType(ref.mediaType),
    "content-disposition": contentDisposition(ref.name),
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    etag: validators.etag,
    "last-modified": new Date(storedAt).toUTCString(),
  };
  if (isUnchanged(request.headers, validators)) {
    response.writeHead(304, headers).end();
    return;
  }
  const asked = request.method === "GET" && rangeHolds(request.headers, validators);
  const range = asked ? parseRange(request.headers.range, ref.bytes) : "whole";
  if (range === "unsatisfiable") {
    response.writeHead(416, { "content-range": `bytes */${ref.bytes}`, "content-length": 0 }).end();
    return;
  }
  const bytes = range === "whole" ? file.read() : file.read(range);
  const length = range === "whole" ? ref.bytes : range.end - range.start;
  response.writeHead(range === "whole" ? 200 : 206, {
    ...headers,
    "content-length": length,
    ...(range === "whole" ? {} : { "content-range": `bytes ${range.start}-${range.end - 1}/${ref.bytes}` }),
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  response.setTimeout(STALLED_MS, () => response.destroy());
  await pipeline(bytes, response);
}
