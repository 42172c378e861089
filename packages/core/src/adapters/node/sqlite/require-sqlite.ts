import type * as nodeSqlite from "node:sqlite";

import { StoreError } from "../../../errors/store-error.ts";

export type Sqlite = typeof nodeSqlite;

const builtIn = (): Sqlite | undefined => process.getBuiltinModule?.("node:sqlite");

/** As `engines` of every package has it, which npm only warns of. */
export const NODE_NEEDED = "22.20, 24.7 or later";

/** Before these, numbered parameters of node:sqlite cannot be given by their place; and 22.13 to 22.15 have no FTS5. */
export function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 7) || (major === 22 && minor >= 20);
}

/**
 * Node's own SQLite. It is looked up rather than imported, so that a Node without it, or with one that is too old,
 * gets a sentence in place of a module that cannot be found. Throws a `StoreError` (`store.io`).
 */
export function requireSqlite(
  find: () => Sqlite | undefined = builtIn,
  version: string = process.version,
): Sqlite {
  const sqlite = isNodeNewEnough(version) ? find() : undefined;
  if (sqlite !== undefined) return sqlite;
  throw noSqlite(version);
}

/** Which Node is needed; for who has to say so before anything is loaded. */
export function noSqlite(version: string = process.version): StoreError {
  return new StoreError(
    "store.io",
    `What is to last is kept with node:sqlite, which Node ${version} does not have as it is needed. Use Node ${NODE_NEEDED}.`,
  );
}
