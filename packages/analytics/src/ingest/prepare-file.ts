import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { InputError } from "@troupe/core";

import { columnNames } from "../names/clean-names.ts";
import { detectDelimiter, hasHeader, readRecords } from "./dialect.ts";
import { detectEncoding, type TextEncoding } from "./encoding.ts";

const HEAD_BYTES = 256 * 1024;
const MAX_COLUMNS = 1_000;

/** A CSV file made ready for the engine: UTF-8, its delimiter known, its columns named. */
export interface PreparedFile {
  readonly path: string;
  readonly encoding: TextEncoding;
  readonly delimiter: string;
  readonly header: boolean;
  readonly columns: readonly string[];
}

/**
 * Looks at the first bytes and rewrites the file as UTF-8 at `scratch` when it is in another
 * encoding. Throws an `InputError` that quotes the file name.
 */
export async function prepareFile(
  path: string,
  scratch: string,
  wish: { readonly delimiter?: string; readonly encoding?: TextEncoding } = {},
): Promise<PreparedFile> {
  const name = basename(path);
  const { head, complete } = await readHead(path, name);
  if (head.length === 0) throw new InputError("input.invalid", `"${name}" is empty.`);
  const encoding = wish.encoding ?? detectEncoding(head, complete);
  if (encoding === undefined) {
    throw new InputError("input.unsupported", `"${name}" is not text; a CSV file was expected.`);
  }
  const sample = new TextDecoder(encoding).decode(head, { stream: !complete });
  const delimiter = wish.delimiter ?? detectDelimiter(wholeLines(sample, complete));
  const first = readRecords(sample, delimiter, 1)[0];
  if (first === undefined) throw new InputError("input.invalid", `"${name}" has no row with text in it.`);
  if (first.length > MAX_COLUMNS) {
    throw new InputError(
      "input.too-large",
      `"${name}" has ${first.length} columns; at most ${MAX_COLUMNS} are read.`,
    );
  }
  const header = hasHeader(first);
  const columns = columnNames(header ? first : first.map(() => ""));
  if (encoding === "utf-8") return { path, encoding, delimiter, header, columns };
  await pipeline(createReadStream(path), recode(encoding), createWriteStream(scratch));
  return { path: scratch, encoding, delimiter, header, columns };
}

async function readHead(path: string, name: string): Promise<{ head: Uint8Array; complete: boolean }> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new InputError("input.not-found", `There is no file "${path}".`, { cause });
  });
  if (!info.isFile()) throw new InputError("input.invalid", `"${name}" is not a file.`);
  const file = await open(path).catch((cause: unknown) => {
    throw new InputError("input.invalid", `"${name}" cannot be opened.`, { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), complete: bytesRead >= info.size };
  } finally {
    await file.close();
  }
}

/** Without the last line when the sample ends in the middle of one. */
function wholeLines(sample: string, complete: boolean): string {
  const end = sample.lastIndexOf("\n");
  return complete || end === -1 ? sample : sample.slice(0, end + 1);
}

function recode(encoding: TextEncoding): Transform {
  const decoder = new TextDecoder(encoding);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, decoder.decode(chunk, { stream: true }));
    },
    flush(done) {
      done(null, decoder.decode());
    },
  });
}
