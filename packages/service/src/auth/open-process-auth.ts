import { systemClock, type Log } from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";

import type { AuthSettings } from "./auth-settings.ts";
import { openAuth, type Auth } from "./open-auth.ts";

/** How a process asks who calls; undefined where it does not. Throws an `InputError` for settings that cannot be used. */
export function openProcessAuth(
  settings: AuthSettings & { readonly home: string; readonly public_url?: string | undefined },
  options: { readonly addresses: () => readonly string[]; readonly log: Log },
): Auth | undefined {
  const { home, public_url, jwt_jwks_url, trusted_issuers } = settings;
  // Whoever set this process up chose these; where else they lead is looked at.
  const allow = [...Object.values(trusted_issuers), ...(jwt_jwks_url === undefined ? [] : [jwt_jwks_url])];
  return openAuth({
    settings,
    home,
    addresses: () => [...options.addresses(), ...(public_url === undefined ? [] : [public_url])],
    fetch: guardedFetch({ allow }),
    clock: systemClock,
    log: options.log,
  });
}
