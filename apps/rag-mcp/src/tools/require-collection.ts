import { InputError } from "@troupe/core";
import type { Retriever } from "@troupe/retrieval";

/**
 * The collection to look in, all when none is wanted. Throws an `InputError` for one without documents: it
 * may hold tables, of which nothing is known here.
 */
export async function requireCollection(
  index: Retriever,
  wanted: string | undefined,
): Promise<{ readonly collection?: string }> {
  if (wanted === undefined) return {};
  const names = (await index.collections()).map(({ name }) => name);
  if (names.includes(wanted)) return { collection: wanted };
  const there = names.map((name) => `"${name}"`).join(", ");
  throw new InputError(
    "input.not-found",
    `No documents were taken in under "${wanted}"${there === "" ? ", nor under any other name" : `; documents are in ${there}`}.`,
  );
}
