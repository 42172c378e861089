import { access, rename, rm, rmdir } from "node:fs/promises";

import type { ArtifactFolder } from "./artifact-folder.ts";
import { codeOf } from "./store-error.ts";

/**
 * Removes bytes that no entry has any more. Somebody may put the same bytes meanwhile, in another
 * process too: an empty `refs` folder can be removed only as long as nobody is in it, and a put enters
 * before it brings its bytes. So the bytes are taken aside first, and brought back when somebody is.
 * They are the same bytes, whoever brings them last.
 */
export async function dropBlob(folder: ArtifactFolder, sha256: string): Promise<void> {
  try {
    await rmdir(folder.refs(sha256));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") {
      if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return;
      throw error;
    }
  }
  if (await moved(folder.blob(sha256), folder.aside(sha256))) await settleAside(folder, sha256);
}

/** Brings bytes back that were taken aside, when somebody has them; also after a process was killed here. */
export async function settleAside(folder: ArtifactFolder, sha256: string): Promise<void> {
  const [aside, blob] = [folder.aside(sha256), folder.blob(sha256)];
  if ((await folder.refsOf(sha256)).length > 0 && !(await exists(blob))) await moved(aside, blob);
  await rm(aside, { force: true });
}

/** False when there was nothing to move. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
