import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { InputError } from "@troupe/core";

import { columnNames } from "../names/clean-names.ts";
import { oneLine } from "../names/one-line.ts";
import { detectDelimiter, detectLineEnd, hasHeader, readRecords, type LineEnd } from "./dialect.ts";
import { detectEncoding } from "./encoding.ts";
import { guessEncoding, type EncodingGuess } from "./guess-encoding.ts";
import { hasBothLineEnds, writeWithLineFeeds } from "./row-ends.ts";
import { createEightBitDecoder, firstLineNotUtf8, MIXED } from "./eight-bit-decoder.ts";

const HEAD_BYTES = 256 * 1024;
/** What a file is read as that is not UTF-8 and looks like no other. */
const EIGHT_BIT = "windows-1252";
const MAX_COLUMNS = 1_000;
const RECORDS_BELOW_HEADER = 20;
/** The line by which a file names its delimiter to Excel. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i;

/** A CSV file made ready for the engine: UTF-8, its delimiter known, its columns named. */
export interface PreparedFile {
  readonly path: string;
  /** A name of the Encoding Standard, or both of a file that mixes two. */
  readonly encoding: string;
  readonly delimiter: string;
  /** How its rows end; undefined for a file of one row. */
  readonly lineEnd: LineEnd | undefined;
  /** Lines before the header: Excel's `sep=;`. */
  readonly skip: number;
  readonly header: boolean;
  readonly columns: readonly string[];
  readonly notes: readonly string[];
}

/** A way to read bytes as text, a chunk at a time. */
interface Decoder {
  decode(chunk?: Uint8Array): string;
}

/**
 * Looks at the first bytes and rewrites the file as UTF-8 with rows that end alike when it is in another encoding or
 * mixes LF and CRLF, at `scratch` or a path that begins with it. Throws an `InputError` that quotes the file name.
 */
export async function prepareFile(
  path: string,
  scratch: string,
  wish: { readonly delimiter?: string; readonly encoding?: string } = {},
): Promise<PreparedFile> {
  const prepared = await prepareText(path, scratch, wish);
  if (prepared.lineEnd === "\r" || !(await hasBothLineEnds(prepared.path))) return prepared;
  const target = rowsPath(scratch);
  const { lf, crlf } = await writeWithLineFeeds(prepared.path, target, prepared.delimiter);
  // The others are inside quotes.
  if (lf === 0 || crlf === 0) return prepared;
  const note = `${lf} rows end with LF and ${crlf} with CRLF; both are read as row ends`;
  return { ...prepared, path: target, lineEnd: "\n", notes: [...prepared.notes, note] };
}

/** Where `prepareFile` writes a file whose row ends it changed. */
export const rowsPath = (scratch: string): string => `${scratch}.rows`;

async function prepareText(
  path: string,
  scratch: string,
  wish: { readonly delimiter?: string; readonly encoding?: string },
): Promise<PreparedFile> {
  const name = basename(path);
  const { head, complete } = await readHead(path, name);
  if (head.length === 0) throw new InputError("input.invalid", `"${name}" is empty.`);
  const given = wish.encoding === undefined ? undefined : encodingOf(wish.encoding);
  const detected: string | undefined = given ?? detectEncoding(head);
  if (detected === undefined) {
    throw new InputError("input.unsupported", `"${name}" is not text; a CSV file was expected.`);
  }
  const line = detected === "utf-8" ? await firstLineNotUtf8(createReadStream(path)) : undefined;
  if (line !== undefined && given !== undefined) {
    throw new InputError(
      "input.invalid",
      `"${name}" is not UTF-8: line ${line} has bytes that are no character.`,
    );
  }
  const guess = line === undefined ? undefined : await guessEncoding(path);
  const encoding = guess === undefined || guess.encoding === EIGHT_BIT ? detected : guess.encoding;
  const eightBit = encoding === "utf-8" && line !== undefined;
  const start: Decoder = eightBit ? createEightBitDecoder() : streaming(encoding);
  const text = start.decode(head) + (complete ? start.decode() : "");
  const separator = SEPARATOR_LINE.exec(text);
  const sample = text.slice(separator?.[0].length ?? 0);
  const delimiter = wish.delimiter ?? separator?.[1] ?? detectDelimiter(wholeLines(sample, complete));
  const [first, ...next] = readRecords(sample, delimiter, RECORDS_BELOW_HEADER + 1);
  if (first === undefined) throw new InputError("input.invalid", `"${name}" has no row with text in it.`);
  if (first.length > MAX_COLUMNS) {
    throw new InputError(
      "input.too-large",
      `"${name}" has ${first.length} columns; at most ${MAX_COLUMNS} are read.`,
    );
  }
  const header = hasHeader(first, next);
  const columns = columnNames(header ? first : first.map(() => ""));
  const skip = separator === null ? 0 : 1;
  const prepared = { delimiter, lineEnd: detectLineEnd(sample, delimiter), skip, header, columns };
  if (encoding === "utf-8" && !eightBit) return { ...prepared, path, encoding, notes: [] };
  const eightBitDecoder = eightBit ? createEightBitDecoder() : undefined;
  const decoder = eightBitDecoder ?? streaming(encoding);
  await pipeline(createReadStream(path), recode(decoder), createWriteStream(scratch));
  const read = eightBitDecoder?.encoding() ?? encoding;
  const notes = [
    ...(eightBitDecoder !== undefined && read === MIXED ? [eightBitDecoder.note()] : []),
    ...(guess === undefined ? [] : [guessNote(guess)]),
  ];
  return { ...prepared, path: scratch, encoding: read, notes };
}

/** The name of an encoding by any of its labels. */
function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    const quoted = JSON.stringify(oneLine(label, 40));
    const message = `${quoted} is no encoding that can be read. Use a label such as utf-8, windows-1250 or shift_jis.`;
    throw new InputError("input.invalid", message, { cause });
  }
}

function guessNote({ encoding, example }: EncodingGuess): string {
  const word = JSON.stringify(oneLine(example, 40));
  return encoding === EIGHT_BIT
    ? `the file is neither UTF-8 nor, it seems, windows-1252, as which it is read: ${word} looks wrong; ingest it with its encoding`
    : `the file is read as ${encoding}, a guess from words such as ${word}; if they are wrong, ingest it with its encoding`;
}

function streaming(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding);
  return {
    decode: (chunk) => (chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })),
  };
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

function recode(decoder: Decoder): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, decoder.decode(chunk));
    },
    flush(done) {
      done(null, decoder.decode());
    },
  });
}
