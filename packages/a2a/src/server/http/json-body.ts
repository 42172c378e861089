import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

import express from "express";

import { parseJson } from "../../wire/json.ts";
import type { Step } from "./step.ts";

const decoder = new TextDecoder();

export interface BodyOptions {
  /** In bytes, when it is not compressed any more. */
  readonly limit: number;
  /** Throws where it is not to be taken, before it is parsed. */
  readonly weigh: (req: IncomingMessage, body: Uint8Array) => void;
}

/**
 * Reads a JSON body of at most `limit` bytes, and refuses it as express does. Almost all are plain: of
 * a length that is said, as UTF-8, not compressed. Those are read here, in a fraction of the time that
 * the general parser takes for looking; everything else is left to it.
 */
export function jsonBody({ limit, weigh }: BodyOptions): Step {
  const general = generalJsonBody({ limit, weigh, types: ["application/json"] });
  return (req, res, next) => {
    if (!isPlain(req.headers, limit)) {
      general(req, res, next);
      return;
    }
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => void chunks.push(chunk));
    req.on("end", () => {
      const whole = Buffer.concat(chunks);
      try {
        weigh(req, whole);
      } catch (error) {
        next(error);
        return;
      }
      const body = parseJson(decoder.decode(whole));
      if (typeof body === "object" && body !== null) {
        req.body = body;
        next();
      } else next(Object.assign(new SyntaxError("not JSON"), { status: 400, type: "entity.parse.failed" }));
    });
  };
}

/** The same of other media types, however it comes. */
export function generalJsonBody({
  limit,
  weigh,
  types,
}: BodyOptions & { readonly types: readonly string[] }): Step {
  return express.json({
    limit,
    type: [...types],
    verify: (req, _res, body, encoding) => {
      // What is counted in it is counted in the bytes of UTF-8.
      if (encoding !== "utf-8")
        throw Object.assign(new Error("not UTF-8"), { status: 415, type: "charset.unsupported" });
      weigh(req, body);
    },
  });
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
