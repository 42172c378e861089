import { InputError } from "@troupe/core/errors";
import { strFromU8, unzipSync } from "fflate";

import type { ParseLimits } from "./parsed-document.ts";

/**
 * Named entries of a zip as text. Only the entries asked for are unpacked, each into a buffer of the
 * size the directory declares, so an archive cannot grow past the limit by lying about it. `unpacked` bytes
 * of it were unpacked before.
 */
export function readZipTexts(
  bytes: Uint8Array,
  wanted: readonly string[],
  name: string,
  limits: Pick<ParseLimits, "maxUnpackedBytes">,
  unpacked = 0,
): ReadonlyMap<string, string> {
  let total = unpacked;
  const names = new Set(wanted);
  try {
    const entries = unzipSync(bytes, {
      filter(file) {
        if (!names.has(file.name)) return false;
        total += file.originalSize;
        if (total > limits.maxUnpackedBytes) throw tooLarge(name, total, limits.maxUnpackedBytes);
        return true;
      },
    });
    return new Map(Object.entries(entries).map(([entry, content]) => [entry, strFromU8(content)]));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      "input.invalid",
      `"${name}" is not a whole zip archive, which a ${/\.\w+$/.exec(name)?.[0] ?? ".docx"} file is. Save it again in the program that made it.`,
      { cause: error },
    );
  }
}

function tooLarge(name: string, total: number, limit: number): InputError {
  return new InputError(
    "input.too-large",
    `"${name}" unpacks to ${megabytes(total)} MB or more; at most ${megabytes(limit)} MB are read. It may be a zip bomb; split it if it is not.`,
  );
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
