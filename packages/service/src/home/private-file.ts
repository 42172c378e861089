import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

import { StoreError } from "@troupe/core";

const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;

/**
 * Reads a file that others must not have written, or with `secret` must not have read either; undefined
 * when there is none. Throws a `StoreError` that says what to do. Systems without such modes are believed.
 */
export function readPrivate(path: string, { secret }: { readonly secret: boolean }): string | undefined {
  try {
    const { mode } = statSync(path);
    const open = mode & (secret ? OTHERS_WRITE | OTHERS_READ : OTHERS_WRITE);
    if (open !== 0 && process.platform !== "win32")
      throw new StoreError(
        "store.io",
        `"${path}" can be ${(mode & OTHERS_WRITE) === 0 ? "read" : "written"} by others (mode ${(mode & 0o777).toString(8)}), so it is not used. Look who did, then set it to 600.`,
      );
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (codeOf(error) === "ENOENT") return undefined;
    throw cannot("read", path, error);
  }
}

/** Replaces a file in one step, so that its readers see the old one or the new one. Mode 600. */
export function replacePrivate(path: string, text: string): void {
  const part = writePart(path, text);
  try {
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw cannot("written", path, error);
  }
}

/** Makes a file where there is none. False when there is one: of several at once, one makes it. */
export function createPrivate(path: string, text: string): boolean {
  const part = writePart(path, text);
  try {
    linkSync(part, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw cannot("written", path, error);
  } finally {
    rmSync(part, { force: true });
  }
}

function writePart(path: string, text: string): string {
  const part = `${path}.${randomUUID()}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(part, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return part;
  } catch (error) {
    rmSync(part, { force: true });
    throw cannot("written", path, error);
  }
}

function cannot(what: "read" | "written", path: string, error: unknown): StoreError {
  const code = codeOf(error) ?? "unknown reason";
  const full = code === "ENOSPC" || code === "EDQUOT";
  const other = code === "EISDIR" || code === "ENOTDIR";
  const advice = other ? "Move away what stands there" : "Check its permissions and those of its folder";
  return new StoreError(
    full ? "store.full" : "store.io",
    `"${path}" cannot be ${what} (${code}). ${full ? "Free some space" : advice}.`,
    { cause: error },
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
