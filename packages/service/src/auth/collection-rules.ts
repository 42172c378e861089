import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { InputError, StoreError } from "@troupe/core";
import { z } from "zod";

import { readPrivate, replacePrivate } from "../home/private-file.ts";
import { authFolder } from "./auth-folder.ts";
import { isCallerId } from "./caller-id.ts";
import { withFileLock } from "./file-lock.ts";

/** Who a collection belongs to and who may read it. The owner always may, and alone may change it. */
export interface CollectionRule {
  readonly owner: string;
  readonly readers: "everyone" | readonly string[];
}

/** Rules by the name of the collection. With authentication on, one without a rule is open to no user. */
export type CollectionRules = ReadonlyMap<string, CollectionRule>;

const ruleSchema = z.object({
  name: z.string().min(1),
  owner: z.string().min(1),
  readers: z.union([z.literal("everyone"), z.array(z.string().min(1))]),
});
const fileSchema = z.object({ v: z.literal(1), collections: z.array(ruleSchema) });

export function collectionRulesFile(home: string): string {
  return join(authFolder(home), "collections.json");
}

/** The rules of a home; none where it has no such file. Throws a `StoreError` where it cannot be trusted or read. */
export function readCollectionRules(home: string): CollectionRules {
  const path = collectionRulesFile(home);
  const text = readPrivate(path, { secret: false });
  if (text === undefined) return new Map();
  const parsed = fileSchema.safeParse(parseJson(text));
  if (parsed.success)
    return new Map(parsed.data.collections.map(({ name, owner, readers }) => [name, { owner, readers }]));
  throw new StoreError(
    "store.corrupt",
    `"${path}" does not list collections in version 1 of the format. Restore it, or use the newer program that wrote it.`,
  );
}

/** What to change of a rule; what is absent stays. */
export interface ShareCollection {
  readonly home: string;
  readonly collection: string;
  readonly owner?: string;
  readonly readers?: "everyone" | readonly string[];
}

/**
 * Sets owner or readers of a collection. A new rule has no readers beside its owner unless they are given.
 * Throws an `InputError` for an id that no user can have, and for readers of a collection without an owner.
 */
export function shareCollection({ home, collection, owner, readers }: ShareCollection): CollectionRule {
  for (const user of [
    ...(owner === undefined ? [] : [owner]),
    ...(readers === "everyone" ? [] : (readers ?? [])),
  ])
    if (!isCallerId(user))
      throw new InputError(
        "input.invalid",
        `"${user}" is not a user id: it has 1 to 200 characters, no control characters and no space at its ends.`,
      );
  const folder = authFolder(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withFileLock({ folder, name: "collections" }, () => {
    const rules = new Map(readCollectionRules(home));
    const before = rules.get(collection);
    const by = owner ?? before?.owner;
    if (by === undefined)
      throw new InputError(
        "input.invalid",
        `Collection "${collection}" has no owner. Name one too, with --owner USER.`,
      );
    const rule = { owner: by, readers: readers ?? before?.readers ?? [] };
    rules.set(collection, rule);
    const collections = [...rules].map(([name, { owner, readers }]) => ({ name, owner, readers }));
    replacePrivate(collectionRulesFile(home), `${JSON.stringify({ v: 1, collections }, null, 2)}\n`);
    return rule;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
