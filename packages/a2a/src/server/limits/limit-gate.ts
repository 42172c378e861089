import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

import type { User } from "@a2a-js/sdk/server";
import type { Clock } from "@troupe/stream";

import { callerOf } from "../http/gate.ts";
import { keptOn } from "../../adapters/kept-on.ts";
import { refuse } from "../http/refuse.ts";
import type { ErrorStep, Incoming, Step } from "../http/step.ts";
import { StatusError } from "../status-error.ts";
import type { Account, Accounts } from "./accounts.ts";
import { byRequest, type Admitted } from "./admitted.ts";
import { LimitError } from "./limit-error.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { MAX_JSON_KEYS, MAX_JSON_VALUES, weighJson } from "./weigh-json.ts";

const byUser = keptOn<User, Admitted>("admitted");

/** Takes a call from its caller's share, before a byte of its body is read. */
export function limitGate(accounts: Accounts, clock: Clock): Step {
  return (req, res, next) => {
    // Whoever left while it was asked who they are gives no share back any more.
    if (res.closed) return;
    try {
      const account = accounts.of(callerOf(req)?.id, req.socket.remoteAddress);
      res.once("close", account.call());
      byRequest.set(req, { account, response: res, clock });
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      // What was not read of the body is not waited for.
      refuseFor(error, req, res, { Connection: "close" });
      return;
    }
    next();
  };
}

/**
 * Takes a body from its caller's share, and refuses one of too many values or keys: when it has come, and before
 * anything is made of it. Throws a `LimitError`.
 */
export function weighBody(req: IncomingMessage, body: Uint8Array): void {
  const { values, keys } = weighJson(body);
  const admitted = byRequest.get(req);
  if (admitted?.account.body({ bytes: body.length, values }) === true) admitted.large = true;
  if (values > MAX_JSON_VALUES) throw tooMany("values", MAX_JSON_VALUES);
  if (keys > MAX_JSON_KEYS) throw tooMany("different keys", MAX_JSON_KEYS);
}

export function tooMany(what: string, limit: number): LimitError {
  return new LimitError("TOO_LARGE", `The request holds more than ${limit} ${what}; send less at a time.`, {
    limit,
  });
}

/** Takes the room for a body, of at most `limit` bytes, from its caller's share for as long as it comes. */
export function bodyGate(limit: number): Step {
  return (req, res, next) => {
    const bytes = mostOf(req.headers, limit);
    try {
      const release = bytes > 0 ? byRequest.get(req)?.account.coming(bytes) : undefined;
      if (release !== undefined) req.once("close", release);
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      refuseFor(error, req, res, { Connection: "close" });
      return;
    }
    next();
  };
}

/** What will be held of a body at most: of one that is compressed, or of no length, nobody knows. */
function mostOf(headers: IncomingHttpHeaders, limit: number): number {
  const unknown = headers["content-encoding"] ?? headers["transfer-encoding"];
  return unknown === undefined ? Math.min(Number(headers["content-length"] ?? 0), limit) : limit;
}

/** Calls with large bodies go on one at a time, in the order they came whole. */
export function largeBodyTurns(yieldToLoop: () => Promise<void>): Step {
  const through = oneAtATime(yieldToLoop);
  return (req, res, next) => {
    // Whoever left while the body was unpacked: what begins for them would never hear that they did.
    if (res.closed) return;
    if (byRequest.get(req)?.large !== true) next();
    else
      through(() => {
        if (!res.closed) next();
      });
  };
}

/** Answers what `weighBody` throws. */
export const bodyLimitErrors: ErrorStep = (error, req, res, next) => {
  if (error instanceof LimitError) refuseFor(error, req, res);
  else next(error);
};

function refuseFor(
  error: LimitError,
  req: Incoming,
  res: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  refuse(req, res, { rpcStatus: "RESOURCE_EXHAUSTED", error, headers });
}

/** Ties the user, which the SDK hands from the binding to the operation, to the call. */
export function withAccount<T extends User>(req: IncomingMessage, user: T): T {
  const admitted = byRequest.get(req);
  return admitted === undefined ? user : withAdmitted(admitted, user);
}

/** The same for a binding that keeps its admitted calls itself. */
export function withAdmitted<T extends User>(admitted: Admitted, user: T): T {
  byUser.set(user, admitted);
  return user;
}

/** Whose share a call is taken from; undefined for one that came past the gate. */
export function accountOf(user: User | undefined): Account | undefined {
  return user === undefined ? undefined : byUser.get(user)?.account;
}

/** Takes a stream from the caller's share, until the response is over. Throws a `LimitError`. */
export function openStream(user: User | undefined): void {
  const admitted = user === undefined ? undefined : byUser.get(user);
  if (admitted !== undefined) admitted.response.once("close", admitted.account.stream());
}

/**
 * Takes a stream that is no operation of the protocol from its caller's share, until the response is over. Where
 * that is used up it is refused, and false.
 */
export function openStreamAt(res: ServerResponse): boolean {
  const admitted = byRequest.get(res.req);
  // Whoever has left gives no share back any more.
  if (admitted === undefined || res.closed) return true;
  try {
    res.once("close", admitted.account.stream());
    return true;
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    refuseFor(error, res.req, res);
    return false;
  }
}

/** Keeps what an operation was refused for: the SDK hands no more than a code and a sentence on. */
export function noteRefusal(user: User | undefined, error: unknown): void {
  const admitted = user === undefined ? undefined : byUser.get(user);
  if (admitted === undefined || !(error instanceof StatusError)) return;
  admitted.refusal = error;
  if (!admitted.response.headersSent) admitted.response.setHeaders(new Map(Object.entries(error.headers)));
}

export function refusalOf(user: User | undefined): StatusError | undefined {
  return user === undefined ? undefined : byUser.get(user)?.refusal;
}
