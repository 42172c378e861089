import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/**
 * Replaces a file in one step, for nobody else to read (mode 600): whoever reads it, after a crash and a
 * power cut too, finds the old text or the new one, whole. It is written first to `part`, by default the
 * path with an ending of its own and `.part`, which is all that a crash leaves. Throws what the file
 * system says; the old file is there then.
 */
export async function replaceFile(
  path: string,
  text: string,
  { part = `${path}.${randomUUID()}.part` }: { readonly part?: string } = {},
): Promise<void> {
  try {
    // New: nobody can have laid a link there, and two at once do not write into each other's.
    await writeFile(part, text, { flag: "wx", mode: 0o600, flush: true });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}
