import type { IncomingMessage } from "node:http";

import { isLoopback } from "@troupe/core";

/** Why a request is refused before anybody reads its body. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

export interface GuardOptions {
  /** What the server is bound to. */
  readonly host: string;
  /** Origins of web pages that may call, such as `https://tools.example.org`. */
  readonly allowedOrigins: readonly string[];
  /** True when the bearer token is good. Absent: no token is asked for. */
  readonly auth?: (token: string) => boolean | Promise<boolean>;
}

/**
 * Keeps web pages off a local server. A page that rebinds its own name to 127.0.0.1 still sends
 * that name as Host, and every page sends its Origin; programs send a loopback Host and no Origin.
 */
export function refuseWebPage(request: IncomingMessage, options: GuardOptions): Refusal | undefined {
  const { host, origin } = request.headers;
  if (isLoopback(options.host) && !isLoopback(hostnameOf(`http://${host ?? ""}`) ?? "")) {
    return { status: 403, message: `Host "${host ?? ""}" is not this machine; call it as 127.0.0.1.` };
  }
  if (origin !== undefined && !originAllowed(origin, options)) {
    return { status: 403, message: `Origin "${origin}" may not call this server.` };
  }
  return undefined;
}

/** Refuses a request without a good token, where one is needed. */
export async function refuseStranger(
  request: IncomingMessage,
  { auth }: GuardOptions,
): Promise<Refusal | undefined> {
  if (!auth) return undefined;
  const token = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token !== undefined && (await auth(token))) return undefined;
  return { status: 401, message: "A valid bearer token is needed in the Authorization header." };
}

function originAllowed(origin: string, options: GuardOptions): boolean {
  if (options.allowedOrigins.includes(origin)) return true;
  const hostname = hostnameOf(origin);
  return isLoopback(options.host) && hostname !== undefined && isLoopback(hostname);
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
