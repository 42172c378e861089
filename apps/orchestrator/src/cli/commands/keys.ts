import { InputError } from "@troupe/core";
import { addKey, listKeys, revokeKey, type KeyEntry } from "@troupe/service";

import { authIsOn } from "../auth-is-on.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { requireHome } from "../home.ts";
import { harmless } from "../render/harmless.ts";
import { typed } from "../typed.ts";

/** Makes an API key. It alone goes to stdout, so that it can be put where it belongs without being seen. */
export function addApiKey(
  context: CliContext,
  asked: { readonly name: string; readonly user: string; readonly scopes: string },
): number {
  requireHome(context.home);
  const scopes = asked.scopes.split(",").map((scope) => scope.trim());
  const { key } = addKey({ ...asked, scopes, home: context.home, clock: context.clock });
  context.out(`${key}\n`);
  context.err("This is the key; it is shown once and kept nowhere. Hand it on in TROUPE_TOKEN or a file.\n");
  if (!authIsOn(context)) context.err("Nobody is asked for it yet: start the servers with TROUPE_AUTH=on.\n");
  return EXIT.completed;
}

/** Whose keys there are. Nothing of the keys themselves. */
export function listApiKeys(context: CliContext, { json }: { readonly json: boolean }): number {
  const keys = listKeys(context.home);
  if (json) context.out(`${JSON.stringify(keys)}\n`);
  else if (keys.length === 0)
    context.out(`There are no keys. Make one with: ${typed(context, "keys add NAME --user ID")}\n`);
  else for (const key of keys) context.out(harmless(lineOf(key)));
  return EXIT.completed;
}

/** Ends a key; servers that are up notice within a second. */
export function revokeApiKey(context: CliContext, nameOrId: string): number {
  if (nameOrId.trim() === "") throw new InputError("input.invalid", "Say which key: its name or its id.");
  const { id, name, user } = revokeKey(context.home, nameOrId, context.clock);
  context.out(harmless(`Key ${name} (${id}) of ${user} is revoked.\n`));
  return EXIT.completed;
}

function lineOf({ id, name, user, scopes, createdAt, revokedAt }: KeyEntry): string {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const state = revokedAt === undefined ? `since ${day(createdAt)}` : `revoked ${day(revokedAt)}`;
  return `${name.padEnd(16)} ${id}  ${user.padEnd(16)} ${scopes.join(",") || "nothing"}  ${state}\n`;
}
