import { NetworkError } from "../../errors/network-error.ts";
import type { Fetch } from "../../ports/fetch.ts";
import { toOutgoing, type Outgoing } from "./outgoing.ts";
import { isRedirect, redirected } from "./redirects.ts";

/** Sends one request and does not follow. Throws where the request may not go. */
export type SendHop = (request: Outgoing) => Promise<Response>;

/** fetch out of single requests: each redirect is a request of its own, and looked at as the first was. */
export function following(sendHop: SendHop, maxRedirects: number): Fetch {
  return async (input, init = {}) => {
    const { redirect, ...first } = await toOutgoing(input, init);
    let request: Outgoing = first;
    for (let hops = 0; ; hops++) {
      const response = await sendHop(request);
      const location = isRedirect(response.status) ? response.headers.get("Location") : null;
      if (location === null || redirect === "manual") {
        if (hops > 0) Object.defineProperty(response, "redirected", { value: true });
        return response;
      }
      await response.body?.cancel();
      if (redirect === "error") throw new TypeError("fetch failed: redirected, which the caller refused");
      if (hops === maxRedirects)
        throw new NetworkError(
          "network.redirects",
          `${first.url.host} leads from one address to another more than ${maxRedirects} times.`,
        );
      request = redirected(request, response.status, location);
    }
  };
}
