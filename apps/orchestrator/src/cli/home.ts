import { accessSync, constants, mkdirSync } from "node:fs";

import { StoreError } from "@troupe/core/errors";

/** Makes the home folder where it is missing. Throws a `StoreError` when nothing can be kept there. */
export function requireHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
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
