import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { InputError, type ArtifactExpectation, type ByteRange } from "@troupe/core";

import { damaged } from "./store-error.ts";

/** Bytes that are held at a time on the way to a reader. */
const READ_AHEAD = 256 * 1024;

/** Writes the bytes as they come, at the disk's pace, and says what they were. */
export async function writeHashed(
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  {
    name,
    expect,
    grow,
  }: {
    readonly name: string;
    readonly expect: ArtifactExpectation;
    /** Told of each chunk before it is written; throwing ends it. */
    readonly grow: (bytes: number) => void;
  },
): Promise<{ readonly sha256: string; readonly size: number }> {
  const { maxBytes = Number.POSITIVE_INFINITY } = expect;
  const hash = createHash("sha256");
  let size = 0;
  const source = bytes instanceof Uint8Array ? [bytes] : bytes;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new InputError(
          "input.too-large",
          `"${name}" is larger than the ${maxBytes} bytes a file may have.`,
        );
      grow(chunk.byteLength);
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(path, { flush: true, mode: 0o600 }));
  const sha256 = hash.digest("hex");
  if (expect.sha256 !== undefined && expect.sha256 !== sha256)
    throw new InputError(
      "input.invalid",
      `"${name}" is not the file that was announced: its sha256 is ${sha256}, not ${expect.sha256}.`,
    );
  return { sha256, size };
}

/**
 * The bytes of a file, checked while they pass: the last of them are held back until all are known to
 * be right. Whoever leaves early closes it.
 */
export async function* readChecked(
  path: string,
  file: { readonly name: string; readonly bytes: number; readonly sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let held: Uint8Array | undefined;
  for await (const chunk of open(path)) {
    if (held !== undefined) yield held;
    hash.update(chunk);
    held = chunk;
  }
  if (hash.digest("hex") !== file.sha256) throw damaged(file.name);
  if (held !== undefined) yield held;
}

export async function* readRange(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  if (end > start) yield* open(path, { start, end: end - 1 });
}

function open(path: string, range: { readonly start?: number; readonly end?: number } = {}) {
  return createReadStream(path, { ...range, highWaterMark: READ_AHEAD }) as AsyncIterable<Uint8Array>;
}
