import type { IncomingMessage, ServerResponse } from "node:http";

import type { DelegationIssuer } from "@troupe/service";

/** Where the keys stand that tokens of the orchestrator are checked with. */
export const KEY_SET_PATH = "/.well-known/jwks.json";

/** Serves the key set, which holds nothing secret, to anybody. It calls `next` for every other path. */
export function keySetHandler({ jwks }: Pick<DelegationIssuer, "jwks">) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (path !== KEY_SET_PATH || (request.method !== "GET" && request.method !== "HEAD")) {
      next();
      return;
    }
    response.writeHead(200, { "content-type": "application/jwk-set+json", "cache-control": "max-age=300" });
    response.end(request.method === "HEAD" ? undefined : JSON.stringify(jwks));
  };
}
