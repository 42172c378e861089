import { readFileSync, statSync } from "node:fs";

import { InputError } from "@troupe/core";
import { MAX_EXPORT_BYTES, parseRunExport, type RunExport } from "@troupe/workflow";

/** Whether a plain file has that name. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Reads a file that somebody sent. Throws an `InputError` that says what is wrong with it. */
export function readRunExport(path: string): RunExport {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new InputError("input.not-found", `There is no file "${path}".`);
  // Reading a pipe would never end.
  if (!found.isFile()) throw new InputError("input.invalid", `"${path}" is no file.`);
  if (found.size > MAX_EXPORT_BYTES)
    throw new InputError(
      "input.too-large",
      `"${path}" has ${found.size} bytes; the export of a run has ${MAX_EXPORT_BYTES} at most.`,
    );
  try {
    return parseRunExport(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof InputError)
      throw new InputError(error.code, `"${path}": ${error.message}`, { cause: error });
    throw new InputError("input.invalid", `"${path}" cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown reason";
}
