import type { IncomingMessage, ServerResponse } from "node:http";

import type { Clock } from "@troupe/stream";

import { keptOn } from "../../adapters/kept-on.ts";
import type { StatusError } from "../status-error.ts";
import type { Account } from "./accounts.ts";

/** A call that was let in, from its head until its answer is over. */
export interface Admitted {
  readonly account: Account;
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** Its body counts as more than one call. */
  large?: boolean;
  refusal?: StatusError;
}

export const byRequest = keptOn<IncomingMessage, Admitted>("admitted");
