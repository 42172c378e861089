import type { ServerResponse } from "node:http";

/**
 * Answers with JSON in one write. Express would make a tag of the whole body and look its type up first,
 * which costs as much as the rest of a short call.
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  type = "application/json",
): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(text),
  });
  res.end(text);
}
