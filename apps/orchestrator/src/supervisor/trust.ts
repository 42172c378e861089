import { z } from "zod";

import { KEY_SET_PATH } from "../server/key-set-handler.ts";

const issuers = z.record(z.string(), z.unknown());

/**
 * What processes of one machine are told so that the agents take the orchestrator's tokens: under which
 * name it makes them, and where its keys stand. Issuers that are trusted already still are.
 *
 * @param address of the orchestrator on this machine
 */
export function trustEnv(
  env: { readonly [name: string]: string | undefined },
  address: string,
): { readonly [name: string]: string } {
  const issuer = env["TROUPE_ISSUER"] || address;
  const given = env["TROUPE_TRUSTED_ISSUERS"] ?? "";
  const known = given === "" ? {} : parse(given);
  // What cannot be read the processes say themselves, with the setting's name.
  if (known === undefined) return { TROUPE_ISSUER: issuer };
  const trusted = { ...known, [issuer]: `${address}${KEY_SET_PATH}` };
  return { TROUPE_ISSUER: issuer, TROUPE_TRUSTED_ISSUERS: JSON.stringify(trusted) };
}

function parse(text: string): { readonly [issuer: string]: unknown } | undefined {
  try {
    return issuers.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
