import { InputError } from "@troupe/core";
import { MAX_EXPORT_BYTES, parseRunExport, type RunExport } from "@troupe/workflow";

import { readPlainFile } from "./read-plain-file.ts";

/** Reads a file that somebody sent. Throws an `InputError` that says what is wrong with it. */
export function readRunExport(path: string): RunExport {
  const text = readPlainFile(path, { maxBytes: MAX_EXPORT_BYTES, what: "the export of a run" });
  try {
    return parseRunExport(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, `"${path}": ${error.message}`, { cause: error });
  }
}
