import type * as nodeSqlite from "node:sqlite";

import { StoreError } from "../../../errors/store-error.ts";

export type Sqlite = typeof nodeSqlite;

const builtIn = (): Sqlite | undefined => process.getBuiltinModule?.("node:sqlite");

/**
 * Node's own SQLite. It is looked up rather than imported, so that a Node without it gets a sentence
 * in place of a module that cannot be found. Throws a `StoreError` (`store.io`).
 */
export function requireSqlite(
  find: () => Sqlite | undefined = builtIn,
  version: string = process.version,
): Sqlite {
  const sqlite = find();
  if (sqlite !== undefined) return sqlite;
  throw noSqlite(version);
}

/** Which Node is needed; for who has to say so before anything is loaded. */
export function noSqlite(version: string = process.version): StoreError {
  return new StoreError(
    "store.io",
    `What is to last is kept with node:sqlite, which Node ${version} does not have. Use Node 22.13 or later.`,
  );
}
