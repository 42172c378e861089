import { createReadStream, createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Rows of a file by how they end. */
export interface RowEnds {
  readonly lf: number;
  readonly crlf: number;
}

/** Whether a UTF-8 file has both LF and CRLF, in rows or in quoted cells. */
export async function hasBothLineEnds(path: string): Promise<boolean> {
  let [lf, crlf, last] = [false, false, 0];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      if ((at === 0 ? last : chunk[at - 1]) === CARRIAGE_RETURN) crlf = true;
      else lf = true;
      if (lf && crlf) return true;
    }
    last = chunk.at(-1) ?? last;
  }
  return false;
}

/** Copies a UTF-8 file with LF after each row; line breaks inside quotes stay as they are. */
export async function writeWithLineFeeds(path: string, target: string, delimiter: string): Promise<RowEnds> {
  const counts = { lf: 0, crlf: 0 };
  let quoted = false;
  let fieldStart = true;
  let pending = false;
  let closed = false;
  const normalize = (chunk: string): string => {
    let text = "";
    for (const char of chunk) {
      if (quoted) {
        text += char;
        if (char !== '"') continue;
        quoted = false;
        closed = true;
        continue;
      }
      // Two quotes inside a quoted cell are one of its characters.
      const opens = char === '"' && (fieldStart || closed);
      closed = false;
      if (pending && char !== "\n") text += "\r";
      if (char === "\n") counts[pending ? "crlf" : "lf"]++;
      pending = char === "\r";
      if (opens) quoted = true;
      if (!pending) text += char;
      fieldStart = char === delimiter || char === "\n" || char === "\r";
    }
    return text;
  };
  const transform = new Transform({
    decodeStrings: false,
    transform: (chunk: string, _, done) => done(null, normalize(chunk)),
    flush: (done) => done(null, pending ? "\r" : ""),
  });
  await pipeline(createReadStream(path, "utf8"), transform, createWriteStream(target));
  return counts;
}
