import type { ServerResponse } from "node:http";

import { holdLargeAnswer, LARGE_ANSWER } from "../limits/large-answer.ts";

export interface JsonAnswer {
  /** The media type, `application/json` by default. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers with JSON in one write. Express would make a tag of the whole body and look its type up first,
 * which costs as much as the rest of a short call. Throws a `LimitError`, and has written nothing, where
 * the caller's share of large answers is used up.
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  { type = "application/json", headers = {} }: JsonAnswer = {},
): void {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGE_ANSWER) holdLargeAnswer(res, bytes);
  res.writeHead(status, {
    ...headers,
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": bytes,
  });
  res.end(text);
}
