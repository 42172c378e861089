import type { IncomingMessage } from "node:http";

import type { User } from "@a2a-js/sdk/server";
import { agentScope, hasScope, isTroupeError, type Caller, type Log } from "@troupe/core";

import { OWN_CODE, StatusError, UnavailableError } from "../status-error.ts";
import { keptOn } from "../../adapters/kept-on.ts";
import { refuse } from "./refuse.ts";
import { countOf, type Step } from "./step.ts";

/**
 * Who calls, by the headers of the request. Undefined, or a throw, refuses it; a `TroupeError` that can be
 * tried again asks the caller to come back.
 */
export type Authenticate = (headers: {
  readonly [name: string]: string | readonly string[] | undefined;
}) => Promise<Caller | undefined>;

/** Why a caller is refused stays here; it is told only that it is. */
export class UnauthenticatedError extends StatusError {
  override readonly reason = "UNAUTHENTICATED";
  readonly statusCode = 401;
  readonly code = OWN_CODE;
  readonly headers = { "WWW-Authenticate": "Bearer" };
}

export class ForbiddenError extends StatusError {
  override readonly reason = "PERMISSION_DENIED";
  readonly statusCode = 403;
  readonly code = OWN_CODE;
  readonly headers: Readonly<Record<string, string>>;

  constructor(agent: string, scope: string) {
    super(`This caller may not use "${agent}": it lacks the scope "${scope}".`);
    this.headers = {
      "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${quotable(scope)}"`,
    };
  }
}

const callers = keptOn<IncomingMessage, Caller>("caller");

/** Who makes this request; undefined where nobody was asked. */
export function callerOf(req: IncomingMessage): Caller | undefined {
  return callers.get(req);
}

/** A caller in the shape that the SDK hands through to the operations. */
export class CallerUser implements User {
  readonly isAuthenticated: boolean;
  readonly userName: string;
  readonly caller: Caller | undefined;

  constructor(caller: Caller | undefined) {
    this.isAuthenticated = caller !== undefined;
    this.userName = caller?.id ?? "";
    this.caller = caller;
  }
}

/** Who makes a request, without a throw; undefined for whoever cannot be named, "later" where that cannot be told. */
export async function identify(
  req: IncomingMessage,
  authenticate: Authenticate,
  log: Log,
): Promise<Caller | "later" | undefined> {
  // Node keeps the first of several; somebody before us may have looked at another.
  if (countOf(req, "authorization") > 1) return undefined;
  return identifyBy(req.headers, authenticate, log);
}

/** The same for bindings whose headers are not those of a Node request. */
export async function identifyBy(
  headers: Parameters<Authenticate>[0],
  authenticate: Authenticate,
  log: Log,
): Promise<Caller | "later" | undefined> {
  try {
    const caller = await authenticate(headers);
    // An empty name is nobody's: it is what tasks without an owner have.
    return caller?.id === "" ? undefined : caller;
  } catch (error) {
    const later = isTroupeError(error) && error.retryable;
    if (later) log.warn("who calls cannot be found out", { error });
    else log.debug("a caller was not authenticated", { error });
    return later ? "later" : undefined;
  }
}

/**
 * Lets nobody by who cannot be named: everything that is mounted behind it is closed, also what is not
 * there. Before the body is read, so that a stranger makes us parse nothing.
 */
export function authenticationGate(authenticate: Authenticate, log: Log): Step {
  return async (req, res, next) => {
    const caller = await identify(req, authenticate, log);
    if (caller === "later")
      refuse(req, res, {
        rpcStatus: "UNAVAILABLE",
        error: new UnavailableError("Who calls cannot be found out just now; try again."),
      });
    else if (caller === undefined)
      refuse(req, res, {
        rpcStatus: "UNAUTHENTICATED",
        error: new UnauthenticatedError("The caller could not be authenticated."),
      });
    else {
      callers.set(req, caller);
      next();
    }
  };
}

/** Lets by whoever may use the agent; everybody, where nobody is asked who they are. */
export function scopeGate(agent: string): Step {
  const scope = agentScope(agent);
  return (req, res, next) => {
    const caller = callerOf(req);
    if (caller === undefined || hasScope(caller.scopes, scope)) next();
    else refuse(req, res, { rpcStatus: "PERMISSION_DENIED", error: new ForbiddenError(agent, scope) });
  };
}

/** A name of an agent is its author's; nothing of it ends a quoted string, or a header. */
function quotable(text: string): string {
  return text.replace(/[^\w:.*-]/g, "_");
}
