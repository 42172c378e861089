import type { ServerResponse } from "node:http";

type Headers = { readonly [name: string]: string };

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Headers = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A refusal in the shape MCP clients read: a JSON-RPC error without an id. */
export function sendRpcError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Headers = {},
): void {
  sendJson(response, status, { jsonrpc: "2.0", id: null, error: { code, message } }, headers);
}
