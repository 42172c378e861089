import { InputError, suggestNames } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { hashOf, newKey, type NewKey } from "./api-key.ts";
import { isCallerId, isScope } from "./caller-id.ts";
import { changeKeys, readKeys, type StoredKey } from "./key-file.ts";

/** A key as it is listed; nothing of its secret. */
export type KeyEntry = Omit<StoredKey, "sha256">;

export interface AddKey {
  readonly home: string;
  readonly name: string;
  readonly user: string;
  readonly scopes: readonly string[];
  readonly clock: Pick<Clock, "now">;
}

/** Makes a key. What it returns is not kept anywhere: nobody can be shown it again. Throws an `InputError`. */
export function addKey({ home, name, user, scopes, clock }: AddKey): NewKey {
  check(name, user, scopes);
  let made = newKey();
  changeKeys(home, (keys) => {
    if (keys.some((key) => key.name === name && key.revokedAt === undefined))
      throw new InputError(
        "input.invalid",
        `There is a key "${name}" already. Revoke it, or name this one otherwise.`,
      );
    while (keys.some(({ id }) => id === made.id)) made = newKey();
    const sha256 = hashOf(made.key);
    return [...keys, { id: made.id, name, user, scopes: [...scopes], sha256, createdAt: clock.now() }];
  });
  return made;
}

/** Oldest first, those that were revoked too. */
export function listKeys(home: string): readonly KeyEntry[] {
  return readKeys(home).map(({ sha256: _, ...entry }) => entry);
}

/** Ends a key, by its name or its id. Throws an `InputError` where none of them is in force. */
export function revokeKey(home: string, nameOrId: string, clock: Pick<Clock, "now">): KeyEntry {
  let revoked: StoredKey | undefined;
  changeKeys(home, (keys) => {
    const inForce = keys.filter((key) => key.revokedAt === undefined);
    const found = inForce.find(({ name }) => name === nameOrId) ?? inForce.find(({ id }) => id === nameOrId);
    if (found === undefined) {
      const hint = suggestNames(
        nameOrId,
        inForce.map(({ name }) => name),
      );
      throw new InputError("input.not-found", `There is no key "${nameOrId}" in force.${hint}`);
    }
    revoked = { ...found, revokedAt: clock.now() };
    const { id } = found;
    return keys.map((key) => (key.id === id && revoked !== undefined ? revoked : key));
  });
  if (revoked === undefined) throw new InputError("input.not-found", `There is no key "${nameOrId}".`);
  const { sha256: _, ...entry } = revoked;
  return entry;
}

function check(name: string, user: string, scopes: readonly string[]): void {
  if (!/^[\w.@-]{1,64}$/.test(name))
    throw new InputError(
      "input.invalid",
      `"${name}" is no name for a key: use up to 64 letters, digits and . @ _ -`,
    );
  if (!isCallerId(user))
    throw new InputError(
      "input.invalid",
      `"${user}" is no user id: it has 1 to 200 characters, no control characters and no space at its ends.`,
    );
  for (const scope of scopes)
    if (!isScope(scope))
      throw new InputError(
        "input.invalid",
        `"${scope}" is no scope. Write * for everything, agent:NAME for an agent, or metrics for GET /metrics.`,
      );
}
