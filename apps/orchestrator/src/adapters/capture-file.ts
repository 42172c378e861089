import { closeSync, createReadStream, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { InputError, StoreError } from "@troupe/core/errors";

/** A file that is written as its lines come. */
export interface LineFile {
  readonly path: string;
  /** In the file when it returns, so that a process which is killed loses at most half a line. */
  write(line: string): void;
  close(): void;
}

/** Begins a file anew. Throws an `InputError` where it cannot be written. */
export function createLineFile(path: string): LineFile {
  let file: number;
  try {
    file = openSync(path, "w");
  } catch (error) {
    throw new InputError(
      "input.invalid",
      `"${path}" cannot be written (${codeOf(error)}). Name another file.`,
      {
        cause: error,
      },
    );
  }
  return {
    path,
    write(line) {
      const bytes = Buffer.from(line);
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      } catch (error) {
        const full = codeOf(error) === "ENOSPC";
        throw new StoreError(
          full ? "store.full" : "store.io",
          full
            ? `The disk of "${path}" is full.`
            : `"${path}" cannot be written any more (${codeOf(error)}).`,
          { cause: error },
        );
      }
    },
    close: () => closeSync(file),
  };
}

/** A name that no file of the folder has: `capture.ndjson`, `capture-2.ndjson` and so on. */
export function freeName(folder: string, name: string, ending: string): string {
  for (let n = 1; ; n++) {
    const path = join(folder, `${name}${n === 1 ? "" : `-${n}`}${ending}`);
    if (!existsSync(path)) return path;
  }
}

/** A line longer than this is no line of ours, and not kept whole; in UTF-16 units. */
const MAX_LINE = 100_000_000;

/**
 * The lines of a file, one at a time. Only a line feed ends one: an event may hold the other line ends
 * of Unicode. Throws an `InputError` where the file cannot be read.
 */
export async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  let pieces: string[] = [];
  let length = 0;
  const take = (piece: string): void => {
    if (length < MAX_LINE) pieces.push(piece);
    length += piece.length;
  };
  try {
    for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
      let at = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", at)) {
        take(chunk.slice(at, end));
        yield pieces.join("");
        pieces = [];
        length = 0;
        at = end + 1;
      }
      take(chunk.slice(at));
    }
  } catch (error) {
    const gone = codeOf(error) === "ENOENT";
    throw new InputError(
      gone ? "input.not-found" : "input.invalid",
      gone ? `There is no file "${path}".` : `"${path}" cannot be read (${codeOf(error)}).`,
      { cause: error },
    );
  }
  if (length > 0) yield pieces.join("");
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}
