import { InputError } from "../errors/input-error.ts";

/**
 * Throws an `InputError` for a name that no collection of documents or tables can have. It may become the name of a
 * folder: nothing in it separates folders, and it does not begin with a dot.
 */
export function assertCollectionName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name)) return;
  throw new InputError(
    "input.invalid",
    `"${name.slice(0, 80)}" cannot be the name of a collection. Use letters, digits, "-" and "_", at most 64, starting with a letter or digit.`,
  );
}
