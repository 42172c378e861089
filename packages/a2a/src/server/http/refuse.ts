import { toRestErrorBody, type A2AError } from "@a2a-js/sdk/errors";
import type { Request, Response } from "express";

import { JSONRPC_PATH, REST_PATH } from "../../wire/card.ts";
import { jsonRpcError } from "./json-rpc-envelope.ts";
import { isLegacy } from "./version.ts";

/** What a request is refused with before anybody looks into its body. */
export interface Refusal {
  readonly status: number;
  /** Name of a `google.rpc.Code`, such as `UNAUTHENTICATED`. */
  readonly rpcStatus: string;
  readonly error: A2AError;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refuses a request in the form of the binding it came to; as `{ error }` everywhere else. */
export function refuse(req: Request, res: Response, { status, rpcStatus, error, headers }: Refusal): void {
  res.status(status).set({ ...headers });
  const path = req.originalUrl.split("?", 1)[0] ?? "";
  if (path === JSONRPC_PATH) {
    res.json({ jsonrpc: "2.0", id: null, error: jsonRpcError(error, isLegacy(req)) });
  } else if (path.startsWith(`${REST_PATH}/`)) {
    if (isLegacy(req)) {
      res.json(jsonRpcError(error, true));
      return;
    }
    const body = toRestErrorBody(error, status);
    res.json({ ...body, error: { ...body.error, status: rpcStatus } });
  } else res.json({ error: error.message });
}
