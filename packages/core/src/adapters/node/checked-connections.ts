import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";

import { NetworkError } from "../../errors/network-error.ts";
import { isPublicAddress } from "../../net/public-address.ts";
import { keptConnections, type Connections } from "./connections.ts";

/** The addresses a name stands for, as text. Rejects where it is unknown. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** As this machine resolves names: its hosts file, then DNS. */
export const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Connections that lead to addresses of `accept` only, public ones by default. They are never shared
 * with requests that go anywhere: one of those would be used again without a check.
 */
export function checkedConnections(resolve: Resolve, accept = isPublicAddress): Connections {
  return keptConnections({ lookup: checkedLookup(resolve, accept) });
}

/**
 * For `connect`, which gets the addresses of a name that are accepted, and no others: what is checked is
 * what is connected to, however often it tries and whatever the name stands for a moment later.
 */
function checkedLookup(resolve: Resolve, accept: (address: string) => boolean): LookupFunction {
  const find = callbackify(async (hostname: string, wanted: Family) => {
    const accepted = (await resolve(hostname))
      .filter(accept)
      .map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
      .filter(({ family }) => fits(family, wanted));
    const [first] = accepted;
    if (first === undefined) throw notPublic(hostname);
    return { first, accepted };
  });
  return (hostname, { all, family = 0 }, callback) =>
    find(hostname, family, (error, found) => {
      if (error !== null) callback(error, []);
      else if (all === true) callback(null, found.accepted);
      else callback(null, found.first.address, found.first.family);
    });
}

type Family = number | "IPv4" | "IPv6";

function fits(family: number, wanted: Family): boolean {
  return wanted === 0 || wanted === family || wanted === `IPv${family}`;
}

/** Says nothing of what the name stands for: a client that chose it would learn our network from it. */
export function notPublic(hostname: string): NetworkError {
  return new NetworkError(
    "network.refused",
    `"${hostname}" was not called, as it leads to no public address. If it may be called, add its origin to the allowed ones (TROUPE_ALLOWED_ORIGINS).`,
  );
}
