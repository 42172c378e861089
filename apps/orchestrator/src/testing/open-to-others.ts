import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;

/**
 * What stands in a folder, and which files and folders below it anybody else on the machine could open:
 * those whose mode lets them, with no folder above that does not. Whatever the mode of the folder itself.
 */
export function openToOthers(folder: string): {
  readonly kept: readonly string[];
  readonly open: readonly string[];
} {
  const kept = readdirSync(folder);
  const open = kept.flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path);
    if ((found.mode & OTHERS) === 0) return [];
    return found.isDirectory() ? [path, ...openToOthers(path).open] : [path];
  });
  return { kept, open };
}
