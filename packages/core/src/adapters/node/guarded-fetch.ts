import { NetworkError } from "../../errors/network-error.ts";
import { addressKind } from "../../net/public-address.ts";
import { isSameOrigin } from "../../net/same-origin.ts";
import type { Fetch } from "../../ports/fetch.ts";
import { checkedConnections, notPublic, systemResolve, type Resolve } from "./checked-connections.ts";
import { following } from "./follow.ts";
import { sendOpenly, usesProxy } from "./node-fetch.ts";
import type { Connections } from "./connections.ts";
import { send } from "./send.ts";

export interface GuardOptions {
  /**
   * What may be called wherever it leads, as origins such as `http://127.0.0.1:8101`, or by a rule.
   * Anything else is called at public addresses only. None by default.
   */
  readonly allow?: readonly string[] | ((url: URL) => boolean);
  /** Whatever is not allowed by `allow` must be https; false by default. */
  readonly httpsOnly?: boolean;
  /** How often one request may be led on; 5 by default. */
  readonly maxRedirects?: number;
  /** What names stand for; as this machine resolves them by default. */
  readonly resolve?: Resolve;
}

const MAX_REDIRECTS = 5;
const publicConnections = checkedConnections(systemResolve);

/**
 * fetch for addresses that somebody else has chosen: a card, a document, a client. It connects to
 * public addresses only, whatever their spelling, and to what `allow` names. The address is checked as
 * the connection is made, and each redirect is a request of its own, checked as the first one and
 * without headers that may be secret on another origin. Throws a `NetworkError` where a request may not
 * go, and is as `nodeFetch` otherwise. How much is read, and for how long, is the caller's to bound.
 */
export function guardedFetch(options: GuardOptions = {}): Fetch {
  const { allow = [], httpsOnly = false, maxRedirects = MAX_REDIRECTS, resolve } = options;
  const connections: Connections = resolve === undefined ? publicConnections : checkedConnections(resolve);
  const allowed =
    typeof allow === "function" ? allow : (url: URL) => allow.some((origin) => isSameOrigin(url, origin));
  return following((request) => {
    if (allowed(request.url)) return sendOpenly(request);
    refuse(request.url, httpsOnly);
    return send(request, connections);
  }, maxRedirects);
}

/** Literal addresses are never looked up, so they are checked here. */
function refuse({ protocol, host, hostname }: URL, httpsOnly: boolean): void {
  if (httpsOnly && protocol !== "https:")
    throw new NetworkError(
      "network.refused",
      `"${host}" was not called, as its address is not https. If it may be called, add its origin to the allowed ones (TROUPE_ALLOWED_ORIGINS).`,
    );
  const kind = addressKind(hostname);
  if (kind !== undefined && kind !== "public") throw notPublic(hostname);
  if (usesProxy())
    throw new NetworkError(
      "network.refused",
      `"${host}" was not called: this process uses a proxy (NODE_USE_ENV_PROXY), behind which nobody can check where a name leads. If it may be called, add its origin to the allowed ones (TROUPE_ALLOWED_ORIGINS).`,
    );
}
