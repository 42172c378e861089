import { bytesAtMost } from "@troupe/core";

import { isObject, listOf, parseJson, recordOf, stringOf } from "../../wire/json.ts";
import type { Binding } from "../requirement.ts";
import { Violation } from "../verdict.ts";

/** An error as it was told. */
export interface Fault {
  /** Of JSON-RPC, of HTTP or of gRPC. */
  readonly code: unknown;
  readonly message: unknown;
  /** The name of the status, over HTTP. */
  readonly status: unknown;
  readonly details: readonly unknown[];
  /** Of an ErrorInfo among the details; empty without one. */
  readonly reason: string;
  readonly domain: string;
}

/** An answer that is no stream, as it arrived. */
export interface Answer {
  readonly binding: Binding;
  /** Of HTTP, or of gRPC. */
  readonly status: number;
  /** Over gRPC the metadata whose values are text. */
  readonly headers: Headers;
  /** Over gRPC the message in JSON. */
  readonly text: string;
  /** It was no UTF-8. */
  readonly garbled: boolean;
  /** Undefined when the text is no JSON. */
  readonly body: unknown;
  readonly result: unknown;
  readonly fault: Fault | undefined;
}

/** More than this is not read, of an answer as of a stream. */
export const MAX_BYTES = 16 * 1024 * 1024;

export async function readAnswer(binding: Binding, response: Response): Promise<Answer> {
  const bytes = await bytesAtMost(response, MAX_BYTES);
  if (bytes === undefined)
    throw new Violation(`It was answered with more than ${MAX_BYTES.toLocaleString("en-US")} bytes.`);
  const text = new TextDecoder().decode(bytes);
  const body = parseJson(text);
  const told = binding === "JSONRPC" ? rpcOutcome(body) : restOutcome(body, response);
  const { status, headers } = response;
  return { binding, status, headers, text, garbled: isGarbled(bytes), body, ...told };
}

function isGarbled(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}

type Outcome = Pick<Answer, "result" | "fault">;

export function rpcOutcome(body: unknown): Outcome {
  const record = recordOf(body) ?? {};
  const error = recordOf(record["error"]);
  if (error === undefined) return { result: record["result"], fault: undefined };
  return { result: undefined, fault: faultOf(error, listOf(error["data"])) };
}

function restOutcome(body: unknown, response: Response): Outcome {
  if (response.ok) return { result: body, fault: undefined };
  const error = recordOf(recordOf(body)?.["error"]) ?? {};
  return { result: undefined, fault: faultOf({ code: response.status, ...error }, listOf(error["details"])) };
}

function faultOf(error: { readonly [key: string]: unknown }, details: readonly unknown[]): Fault {
  const info = details
    .filter(isObject)
    .find((detail) => stringOf(detail["@type"]).endsWith("google.rpc.ErrorInfo"));
  return {
    code: error["code"],
    message: error["message"],
    status: error["status"],
    details,
    reason: stringOf(info?.["reason"]),
    domain: stringOf(info?.["domain"]),
  };
}
