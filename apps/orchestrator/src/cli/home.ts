import { accessSync, constants } from "node:fs";

import { StoreError } from "@troupe/core/errors";
import { makeFolder } from "@troupe/core/node";

/** Makes the home folder where it is missing. Throws a `StoreError` when nothing can be kept there. */
export function requireHome(home: string): void {
  try {
    makeFolder(home);
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new StoreError(
      "store.io",
      `"${home}" cannot be written (${code}). Set TROUPE_HOME to a folder of yours.`,
      { cause: error },
    );
  }
}
