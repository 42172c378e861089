import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { InputError } from "@troupe/core";

/**
 * Files as they are, folders as the CSV files in them and below, in the order of their names. Throws
 * an `InputError` for a folder without any; a path that is not there is left for the report of its file.
 */
export async function listCsvFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => undefined);
    if (info?.isDirectory() !== true) {
      files.push(path);
      continue;
    }
    const names = (await readdir(path, { recursive: true })).filter((name) => /\.csv$/i.test(name)).sort();
    if (names.length === 0) throw new InputError("input.not-found", `There is no .csv file in "${path}".`);
    files.push(...names.map((name) => join(path, name)));
  }
  return [...new Set(files)];
}
