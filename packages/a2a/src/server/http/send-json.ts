import type { ServerResponse } from "node:http";

export interface JsonAnswer {
  /** The media type, `application/json` by default. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers with JSON in one write. Express would make a tag of the whole body and look its type up first,
 * which costs as much as the rest of a short call.
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  { type = "application/json", headers = {} }: JsonAnswer = {},
): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    ...headers,
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(text),
  });
  res.end(text);
}
