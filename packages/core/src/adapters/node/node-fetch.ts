import type { Fetch } from "../../ports/fetch.ts";
import { keptConnections } from "./connections.ts";
import { following } from "./follow.ts";
import type { Outgoing } from "./outgoing.ts";
import { send } from "./send.ts";

/** As many as fetch follows. */
const MAX_REDIRECTS = 20;

const open = keptConnections();

/**
 * fetch over Node's own HTTP client, for addresses that whoever runs the process has chosen: it keeps
 * its connections and takes about a third of the platform's time to the first byte of an event stream.
 * Fails and aborts as fetch does; a redirect to another origin carries no header that may be a secret.
 * Of an event stream `body` is read by its reader, or piped. Where the environment names a proxy, the
 * platform's fetch sends.
 */
export const nodeFetch: Fetch = following(sendOpenly, MAX_REDIRECTS);

/** One request to wherever it leads. */
export function sendOpenly(request: Outgoing): Promise<Response> {
  return usesProxy() ? sendByPlatform(request) : send(request, open);
}

/** Told so, Node's own fetch goes through the proxies of the environment. */
export function usesProxy(): boolean {
  return process.env["NODE_USE_ENV_PROXY"] !== undefined;
}

function sendByPlatform({ url, method, headers, body, signal }: Outgoing): Promise<Response> {
  return globalThis.fetch(url, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
}
