import type { IncomingMessage } from "node:http";

import type { Clock } from "@troupe/stream";

import { keptOn } from "../../adapters/kept-on.ts";
import type { StatusError } from "../status-error.ts";
import type { Account } from "./accounts.ts";

/** The response of a call, as far as limits look at it. */
export interface LimitedResponse {
  once(event: "close", release: () => void): unknown;
  readonly headersSent: boolean;
  setHeaders(headers: Map<string, string>): unknown;
}

/** A call that was let in, from its head until its answer is over. */
export interface Admitted {
  readonly account: Account;
  readonly response: LimitedResponse;
  readonly clock: Clock;
  /** Its body counts as more than one call. */
  large?: boolean;
  refusal?: StatusError;
}

export const byRequest = keptOn<IncomingMessage, Admitted>("admitted");
