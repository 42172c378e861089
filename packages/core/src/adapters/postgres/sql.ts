import { StoreError } from "../../errors/store-error.ts";

/** An array goes as one of Postgres, for `unnest`. */
export type Arg = string | number | boolean | null | readonly (string | number | null)[];

/** What is asked of the database: one statement a question, which it does whole or not at all. */
export interface Sql {
  /** Throws a `StoreError`, and a `DuplicateKey` where a key was there already. */
  query<Row>(text: string, args: readonly Arg[]): Promise<readonly Row[]>;
  /** Statements without arguments, in one transaction. */
  script(text: string): Promise<void>;
}

/** A key of ours was there already: somebody else was first. */
export class DuplicateKey extends Error {}

/** Classes of error codes of Postgres that a person can do something about. */
const CLASSES: { readonly [prefix: string]: readonly ["store.io" | "store.full", string] } = {
  "08": ["store.io", "cannot be reached; see whether the database runs"],
  "28": ["store.io", "cannot be opened; check the user and the password"],
  "3D": ["store.io", "are in no database of this name; create it"],
  "42501": ["store.io", "may not be used by this user; grant it the right to create a schema"],
  "53": ["store.full", "cannot be written because the database has run out of space or connections"],
  "57": ["store.io", "are in a database that is being shut down or was too slow"],
};

/** Names the trouble without anything of the address: it may hold a password. */
export function toStoreError(error: unknown, what: string): Error {
  if (error instanceof StoreError) return error;
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "23505") return new DuplicateKey("the key exists", { cause: error });
  const text = typeof code === "string" ? code : "";
  const [kind, said] = CLASSES[text] ??
    CLASSES[text.slice(0, 2)] ?? ["store.io", "could not be used; see whether the database runs"];
  return new StoreError(kind, `${what} ${said}.`, { cause: error });
}
