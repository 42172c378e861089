import { readFileSync, statSync, type Stats } from "node:fs";

import { InputError } from "@troupe/core";

export interface PlainFileLimit {
  readonly maxBytes: number;
  /** What has so many bytes at most, such as `a workflow`. */
  readonly what: string;
  /** The file as it was named; its path when not given. */
  readonly shown?: string;
}

/** Whether a plain file has that name. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * The text of a file that somebody named. A pipe or a device, which may never end, and a file that is too
 * large are not read. Throws an `InputError` that says what is wrong.
 */
export function readPlainFile(path: string, limit: PlainFileLimit): string {
  return readPlainBytes(path, limit).toString("utf8");
}

/** The bytes of such a file; throws in the same way. */
export function readPlainBytes(path: string, { maxBytes, what, shown = path }: PlainFileLimit): Buffer {
  const found = orRefuse(shown, (): Stats | undefined => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined)
    throw new InputError(
      "input.not-found",
      `"${shown}" cannot be read: there is no such file. Check the path.`,
    );
  if (!found.isFile())
    throw new InputError(
      "input.invalid",
      `"${shown}" is no file. Name a plain one: no folder, pipe or device.`,
    );
  if (found.size > maxBytes)
    throw new InputError(
      "input.too-large",
      `"${shown}" has ${found.size} bytes; ${what} has ${maxBytes} at most.`,
    );
  return orRefuse(shown, () => readFileSync(path));
}

function orRefuse<T>(shown: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new InputError("input.invalid", `"${shown}" cannot be read (${code}).`, { cause });
  }
}
