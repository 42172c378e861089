import type { ServerResponse } from "node:http";

import { Extensions, type AgentCard } from "@a2a-js/sdk";
import { ServerCallContext, STATE_HEADERS_KEY, validateVersion } from "@a2a-js/sdk/server";

import { presenceAt, setPresence } from "../presence.ts";
import { setPosition } from "../stream-position.ts";
import { withAccount } from "../limits/limit-gate.ts";
import { setTrace } from "./call-trace.ts";
import { CallerUser, callerOf } from "./gate.ts";
import { lastEventIdOf } from "./last-event-id.ts";
import { headerOf, type Incoming } from "./step.ts";
import { LEGACY_VERSION, versionOf } from "./version.ts";

const EXTENSIONS_HEADER = "A2A-Extensions";
const LEGACY_EXTENSIONS_HEADER = "X-A2A-Extensions";

/** Throws a `VersionNotSupportedError` for a version that the card does not offer on this binding. */
export function callContext(
  req: Incoming,
  res: ServerResponse,
  options: {
    readonly card: AgentCard;
    readonly binding: "JSONRPC" | "HTTP+JSON";
  },
): ServerCallContext {
  const extensions = headerOf(req, "a2a-extensions") ?? headerOf(req, "x-a2a-extensions");
  const context = new ServerCallContext({
    requestedExtensions: Extensions.parseServiceParameter(extensions),
    user: withAccount(req, new CallerUser(callerOf(req))),
    requestedVersion: versionOf(req),
    state: new Map<string, unknown>([[STATE_HEADERS_KEY, req.headers]]),
  });
  setPresence(context, presenceAt(res));
  setPosition(context, { lastEventId: lastEventIdOf(req.headers), id: undefined });
  setTrace(context, req);
  validateVersion(context.requestedVersion, options.card, options.binding);
  return context;
}

/** Names the extensions that are in force, once the operation has started. */
export function answerExtensions(res: ServerResponse, context: ServerCallContext): void {
  if (context.activatedExtensions === undefined) return;
  const name = context.requestedVersion === LEGACY_VERSION ? LEGACY_EXTENSIONS_HEADER : EXTENSIONS_HEADER;
  res.setHeader(name, Extensions.toServiceParameter(context.activatedExtensions));
}
