import { A2AError } from "@a2a-js/sdk/errors";

/** For a server's own errors JSON-RPC leaves -32000 to -32099, of which A2A takes all but the first. */
export const OWN_CODE = -32000;

/** An error that HTTP has a word for, over either binding; the SDK knows errors of A2A alone. */
export abstract class StatusError extends A2AError {
  /** By these two the SDK's own routes know the HTTP status. */
  readonly transport = "rest";
  abstract readonly statusCode: number;
  /** Of JSON-RPC. */
  abstract readonly code: number;
  /** `Retry-After`, where the same may go through then. */
  abstract readonly headers: Readonly<Record<string, string>>;
}

/** What was asked for is under way, or was not begun, and its end cannot be told just now. */
export class UnavailableError extends StatusError {
  override readonly reason = "UNAVAILABLE";
  readonly statusCode = 503;
  readonly code = OWN_CODE;
  readonly headers = { "Retry-After": "1" };
}
