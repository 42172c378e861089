import { randomUUID } from "node:crypto";
import { closeSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { StoreError } from "../../../errors/store-error.ts";
import { makeFolder } from "../make-folder.ts";
import { requireSqlite } from "./require-sqlite.ts";

/**
 * Creates a database file with its folder where there is none, readable by its owner only (mode 600). The file
 * gets its name only once it is a database. A file of 0 bytes is therefore never an interrupted first start
 * but has lost its content, and is refused with a `StoreError` (`store.corrupt`).
 *
 * @param pragmas that have an effect in a new file only
 */
export function createDatabaseFile(path: string, pragmas = ""): void {
  makeFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === 0)
    throw new StoreError(
      "store.corrupt",
      `"${path}" is empty (0 bytes): what it held is gone. Restore it from a backup, or delete it to start anew.`,
    );
  if (size !== undefined) return;
  const part = `${path}.${randomUUID()}.part`;
  try {
    closeSync(openSync(part, "wx", 0o600));
    const db = new (requireSqlite().DatabaseSync)(part);
    try {
      // Writes the first page.
      db.exec(`${pragmas}; PRAGMA user_version=0`);
    } finally {
      db.close();
    }
    linkSync(part, path);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(part, { force: true });
  }
}
