import type { IncomingHttpHeaders } from "node:http";

import express, { type RequestHandler } from "express";

import { parseJson } from "../../wire/json.ts";

const decoder = new TextDecoder();

/**
 * Reads a JSON body of at most `limit` bytes, and refuses it as express does. Almost all are plain: of
 * a length that is said, as UTF-8, not compressed. Those are read here, in a fraction of the time that
 * the general parser takes for looking; everything else is left to it.
 */
export function jsonBody(limit: number): RequestHandler {
  const general = express.json({ limit });
  return (req, res, next) => {
    if (!isPlain(req.headers, limit)) {
      general(req, res, next);
      return;
    }
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => void chunks.push(chunk));
    req.on("end", () => {
      const body = parseJson(decoder.decode(Buffer.concat(chunks)));
      if (typeof body === "object" && body !== null) {
        req.body = body;
        next();
      } else next(Object.assign(new SyntaxError("not JSON"), { status: 400, type: "entity.parse.failed" }));
    });
  };
}

function isPlain(headers: IncomingHttpHeaders, limit: number): boolean {
  const length = Number(headers["content-length"]);
  return (
    headers["content-type"] === "application/json" &&
    headers["content-encoding"] === undefined &&
    length > 0 &&
    length <= limit
  );
}
