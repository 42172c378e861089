import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { A2A_ERROR_CODE, A2AError, RequestMalformedError, toJsonRpcError } from "@a2a-js/sdk/errors";

import { StatusError } from "../status-error.ts";
import { isObject, type JsonRecord } from "../../wire/json.ts";

/** One call, as JSON-RPC 2.0 wraps it. */
export interface Envelope {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: JsonRecord;
}

/** What is wrong with the call rather than with what it asks for; it has a code of JSON-RPC itself. */
class EnvelopeError extends A2AError {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws A2AError what `jsonRpcError` gives its code */
export function envelopeOf(body: unknown, knows: (method: string) => boolean): Envelope {
  const { jsonrpc, id = null, method, params = {} } = checkEnvelope(body);
  if (jsonrpc !== "2.0") throw invalidVersion();
  if (!knows(method))
    throw new EnvelopeError(
      A2A_ERROR_CODE.METHOD_NOT_FOUND,
      `There is no method "${method.slice(0, 100)}"; A2A 1.0 has SendMessage, GetTask and others. ` +
        `Calls of 0.3, such as message/send, are sent without an A2A-Version.`,
    );
  if (!isObject(params)) throw new RequestMalformedError("params must be an object.");
  return { id: id as Envelope["id"], method, params };
}

/**
 * A call of 0.3. One without `jsonrpc` is completed, as servers in Python do. Params are not checked.
 *
 * @throws A2AError what `jsonRpcError` gives its code
 */
export function legacyEnvelope(body: unknown): JsonRecord & { readonly method: string } {
  const call = checkEnvelope(body);
  if (call["jsonrpc"] !== undefined && call["jsonrpc"] !== "2.0") throw invalidVersion();
  return { ...call, jsonrpc: "2.0" };
}

function checkEnvelope(body: unknown): JsonRecord & { readonly method: string } {
  if (!isObject(body))
    throw invalid("The call must be one object with jsonrpc, id, method and params; batches are not taken.");
  const { id = null, method } = body;
  if (id !== null && typeof id !== "string" && !Number.isInteger(id))
    throw invalid("id must be a string, a whole number or null.");
  if (typeof method !== "string" || method === "") throw invalid("method must be the name of an operation.");
  return { ...body, method };
}

/** The call does not say that it is one of JSON-RPC 2.0. */
export function invalidVersion(): A2AError {
  return invalid(`jsonrpc must be "2.0".`);
}

/** What a call of 1.0 is told that does not say so, which makes it one of 0.3. */
export function methodOfCurrent(method: string): A2AError {
  return new EnvelopeError(
    A2A_ERROR_CODE.METHOD_NOT_FOUND,
    `A2A 0.3 has no method "${method}", and a call that names no version is one of 0.3. ` +
      `Send the header A2A-Version: 1.0.`,
  );
}

/** In the form of 1.0 or of 0.3. */
export function jsonRpcError(error: A2AError, legacy = false): object {
  const told = legacy ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error) : toJsonRpcError(error);
  if (error instanceof StatusError) return { ...told, code: error.code };
  return error instanceof EnvelopeError ? { code: error.code, message: error.message } : told;
}

function invalid(message: string): EnvelopeError {
  return new EnvelopeError(A2A_ERROR_CODE.INVALID_REQUEST, message);
}
