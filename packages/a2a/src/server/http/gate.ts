import type { IncomingMessage } from "node:http";

import type { User } from "@a2a-js/sdk/server";
import { A2AError } from "@a2a-js/sdk/errors";
import { agentScope, hasScope, isTroupeError, type Caller, type Log } from "@troupe/core";

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
class UnauthenticatedError extends A2AError {
  override readonly reason = "UNAUTHENTICATED";

  constructor() {
    super({ message: "The caller could not be authenticated." });
  }
}

class UndecidedError extends A2AError {
  override readonly reason = "UNAVAILABLE";

  constructor() {
    super({ message: "Who calls cannot be found out just now; try again." });
  }
}

class ForbiddenError extends A2AError {
  override readonly reason = "PERMISSION_DENIED";
}

const callers = new WeakMap<IncomingMessage, Caller>();

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
  try {
    const caller = await authenticate(req.headers);
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
        status: 503,
        rpcStatus: "UNAVAILABLE",
        error: new UndecidedError(),
        headers: { "Retry-After": "1" },
      });
    else if (caller === undefined)
      refuse(req, res, {
        status: 401,
        rpcStatus: "UNAUTHENTICATED",
        error: new UnauthenticatedError(),
        headers: { "WWW-Authenticate": "Bearer" },
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
    else
      refuse(req, res, {
        status: 403,
        rpcStatus: "PERMISSION_DENIED",
        error: new ForbiddenError(`This caller may not use "${agent}": it lacks the scope "${scope}".`),
        headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${quotable(scope)}"` },
      });
  };
}

/** A name of an agent is its author's; nothing of it ends a quoted string, or a header. */
function quotable(text: string): string {
  return text.replace(/[^\w:.*-]/g, "_");
}
