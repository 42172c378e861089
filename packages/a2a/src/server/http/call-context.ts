import { Extensions, type AgentCard } from "@a2a-js/sdk";
import { A2AError } from "@a2a-js/sdk/errors";
import { ServerCallContext, STATE_HEADERS_KEY, validateVersion } from "@a2a-js/sdk/server";
import type { Request, Response } from "express";

import { SIGNAL_KEY } from "../request-handler.ts";
import { goneSignal } from "./sse.ts";

const VERSION_HEADER = "A2A-Version";
const LEGACY_VERSION = "0.3";
const EXTENSIONS_HEADER = "A2A-Extensions";
const LEGACY_EXTENSIONS_HEADER = "X-A2A-Extensions";

/** Who calls, as authentication found. Undefined for a caller without a name. */
export type Authenticate = (headers: {
  readonly [name: string]: string | readonly string[] | undefined;
}) => Promise<{ readonly id: string } | undefined>;

/** A request without a version speaks 0.3, as the specification has it. */
export function isLegacy(req: Request): boolean {
  return (req.header(VERSION_HEADER) || LEGACY_VERSION) === LEGACY_VERSION;
}

/** Why a caller is refused stays here; it is told only that it is. */
export class UnauthenticatedError extends A2AError {
  override readonly reason = "UNAUTHENTICATED";

  constructor(cause: unknown) {
    super({ message: "The caller could not be authenticated.", cause });
  }
}

export async function identify(
  req: Request,
  authenticate: Authenticate,
): Promise<{ readonly id: string } | undefined> {
  try {
    return await authenticate(req.headers);
  } catch (error) {
    throw new UnauthenticatedError(error);
  }
}

/** Throws `UnauthenticatedError`, and `VersionNotSupportedError` for a version that the card does not offer on this binding. */
export async function callContext(
  req: Request,
  res: Response,
  options: {
    readonly card: AgentCard;
    readonly binding: "JSONRPC" | "HTTP+JSON";
    readonly authenticate: Authenticate;
  },
): Promise<ServerCallContext> {
  const caller = await identify(req, options.authenticate);
  const extensions = req.header(EXTENSIONS_HEADER) ?? req.header(LEGACY_EXTENSIONS_HEADER);
  const context = new ServerCallContext({
    requestedExtensions: Extensions.parseServiceParameter(extensions),
    user: { isAuthenticated: caller !== undefined, userName: caller?.id ?? "" },
    requestedVersion: req.header(VERSION_HEADER) || LEGACY_VERSION,
    state: new Map<string, unknown>([
      [STATE_HEADERS_KEY, req.headers],
      [SIGNAL_KEY, goneSignal(res)],
    ]),
  });
  validateVersion(context.requestedVersion, options.card, options.binding);
  return context;
}

/** Names the extensions that are in force, once the operation has started. */
export function answerExtensions(res: Response, context: ServerCallContext): void {
  if (context.activatedExtensions === undefined) return;
  const name = context.requestedVersion === LEGACY_VERSION ? LEGACY_EXTENSIONS_HEADER : EXTENSIONS_HEADER;
  res.setHeader(name, Extensions.toServiceParameter(context.activatedExtensions));
}
