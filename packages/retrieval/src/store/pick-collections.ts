import { InputError } from "@troupe/core/errors";

import type { CollectionInfo } from "../retriever.ts";

/**
 * The collection that is wanted, or all; with `among` only of these. Throws an `InputError` that names
 * those there are.
 */
export function pickCollections(
  existing: readonly CollectionInfo[],
  wanted: string | undefined,
  among?: readonly string[],
): readonly CollectionInfo[] {
  const all = existing.filter(({ name }) => among?.includes(name) ?? true);
  if (wanted === undefined) return all;
  const found = all.filter((collection) => collection.name === wanted);
  if (found.length > 0) return found;
  const names = all.map((collection) => `"${collection.name}"`).join(", ");
  throw new InputError(
    "input.not-found",
    `There is no collection "${wanted}". ${names === "" ? "Nothing has been ingested yet." : `There is ${names}.`}`,
  );
}
