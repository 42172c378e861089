import { stat } from "node:fs/promises";

import { StoreError, type Log } from "@troupe/core";

import { collectionRulesFile, readCollectionRules, type CollectionRules } from "./collection-rules.ts";

/** What one caller may do with collections. */
export interface CollectionRights {
  readonly mayRead: (collection: string) => boolean;
  /** Whether they may delete from it or add to it. */
  readonly mayChange: (collection: string) => boolean;
}

/** Looks up what callers may do with collections. */
export interface CollectionAccess {
  /** `user` is undefined for a caller that names nobody. */
  rightsOf(user: string | undefined): Promise<CollectionRights>;
  /** False where callers are not authenticated, so that nothing can be kept from any user. */
  readonly knowsUsers: boolean;
}

/** For callers that are not authenticated: everybody may do everything. */
export const OPEN_ACCESS: CollectionAccess = {
  rightsOf: () => Promise.resolve({ mayRead: () => true, mayChange: () => true }),
  knowsUsers: false,
};

/**
 * Access by the rules of a home. A collection without a rule is for the administrator of the home alone, who
 * uses the command line, so a lost file of rules opens nothing. The rules are read again when another process changed them. While they cannot
 * be read, nobody may do anything: `rightsOf` throws a `StoreError`.
 */
export function homeCollectionAccess({
  home,
  log,
}: {
  readonly home: string;
  readonly log: Log;
}): CollectionAccess {
  let rules: CollectionRules = new Map();
  let version: string | undefined;
  const warned = new Set<string>();
  const warnOnce = (collection: string): void => {
    if (warned.has(collection)) return;
    warned.add(collection);
    log.warn("a collection has no owner, so no user may read it; set one with: troupe collections share", {
      collection,
    });
  };
  const current = async (): Promise<CollectionRules> => {
    try {
      const now = await versionOf(collectionRulesFile(home));
      if (now === version) return rules;
      rules = readCollectionRules(home);
      version = now;
      return rules;
    } catch (error) {
      log.error("the rules of collections cannot be read, so nobody may read any", { error });
      throw new StoreError(
        "store.io",
        "Who may read which collection cannot be read now. The log of this server says why.",
      );
    }
  };
  return {
    async rightsOf(user) {
      const known = await current();
      return {
        mayRead(collection) {
          const rule = known.get(collection);
          if (rule === undefined) {
            warnOnce(collection);
            return false;
          }
          if (rule.readers === "everyone") return true;
          return user !== undefined && (rule.owner === user || rule.readers.includes(user));
        },
        mayChange(collection) {
          return user !== undefined && known.get(collection)?.owner === user;
        },
      };
    },
    knowsUsers: true,
  };
}

/** Differs after every change, because each one replaces the file. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, ctimeNs, size } = await stat(path, { bigint: true });
    return `${ino} ${mtimeNs} ${ctimeNs} ${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "none";
    throw error;
  }
}
