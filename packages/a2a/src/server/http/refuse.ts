import type { ServerResponse } from "node:http";

import { toRestErrorBody } from "@a2a-js/sdk/errors";

import { JSONRPC_PATH, REST_PATH } from "../../wire/card.ts";
import type { StatusError } from "../status-error.ts";
import { jsonRpcError } from "./json-rpc-envelope.ts";
import { sendJson } from "./send-json.ts";
import { pathOf, type Incoming } from "./step.ts";
import { isLegacy } from "./version.ts";

/** What a request is refused with before anybody looks into its body. */
export interface Refusal {
  /** Name of a `google.rpc.Code`, such as `UNAUTHENTICATED`. */
  readonly rpcStatus: string;
  readonly error: StatusError;
  /** Beside those of the error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refuses a request in the form of the binding it came to; as `{ error }` everywhere else. */
export function refuse(req: Incoming, res: ServerResponse, refusal: Refusal): void {
  const { error, headers } = refusal;
  const told = inTheWordsOf(req, refusal);
  sendJson(res, error.statusCode, told, { headers: { ...error.headers, ...headers } });
}

function inTheWordsOf(req: Incoming, { rpcStatus, error }: Refusal): object {
  const path = pathOf(req);
  if (path === JSONRPC_PATH) return { jsonrpc: "2.0", id: null, error: jsonRpcError(error, isLegacy(req)) };
  if (!path.startsWith(`${REST_PATH}/`)) return { error: error.message };
  if (isLegacy(req)) return jsonRpcError(error, true);
  const body = toRestErrorBody(error, error.statusCode);
  return { ...body, error: { ...body.error, status: rpcStatus } };
}
