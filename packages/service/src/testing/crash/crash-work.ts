import { createHash } from "node:crypto";

/** What one task of a crash round does. Everything it makes follows from this, so that it can be checked. */
export interface CrashWork {
  /** Unique; names the files too. */
  readonly key: string;
  /** Files it makes, one after the other. */
  readonly files: number;
  readonly bytes: number;
  /** Pieces its answer is written in. */
  readonly pieces: number;
  /** Milliseconds between two pieces, of an answer and of a file. */
  readonly pauseMs: number;
}

const WORDS = /^make key=(\S+) files=(\d+) bytes=(\d+) pieces=(\d+) pause=(\d+)$/m;

export function wordsOf({ key, files, bytes, pieces, pauseMs }: CrashWork): string {
  return `make key=${key} files=${files} bytes=${bytes} pieces=${pieces} pause=${pauseMs}`;
}

export function workOf(words: string): CrashWork {
  const [, key = "", files, bytes, pieces, pauseMs] = WORDS.exec(words) ?? [];
  if (key === "") throw new TypeError(`not the work of a crash round: "${words}"`);
  return {
    key,
    files: Number(files),
    bytes: Number(bytes),
    pieces: Number(pieces),
    pauseMs: Number(pauseMs),
  };
}

export function answerPieces({ key, pieces }: CrashWork): readonly string[] {
  return Array.from({ length: pieces }, (_, at) => `${key} piece ${at}, ünïcödé 🌊. `);
}

export function fileName({ key }: CrashWork, index: number): string {
  return `${key}-${index}.bin`;
}

/** Bytes that no other file has, in chunks. */
export function* fileChunks({ key, bytes }: CrashWork, index: number): Generator<Uint8Array> {
  const CHUNK = 16_384;
  const block = createHash("sha256").update(`${key}/${index}`).digest();
  for (let at = 0; at < bytes; at += CHUNK) {
    const chunk = Buffer.alloc(Math.min(CHUNK, bytes - at), block);
    if (chunk.length >= 4) chunk.writeUInt32LE(at);
    yield chunk;
  }
}

export function fileSha256(work: CrashWork, index: number): string {
  const hash = createHash("sha256");
  for (const chunk of fileChunks(work, index)) hash.update(chunk);
  return hash.digest("hex");
}
