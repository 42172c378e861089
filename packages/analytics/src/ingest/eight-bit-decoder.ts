import { isUtf8 } from "node:buffer";

/** A file in which some characters are UTF-8 and some windows-1252. */
export const MIXED = "utf-8 and windows-1252";

const MAX_LINES_SHOWN = 10;
const LINE_FEED = 0x0a;

/**
 * Reads bytes that are UTF-8 in part, such as two exports put into one file: what is valid UTF-8 as UTF-8, every
 * other byte as windows-1252. Call it once a chunk, and without one at the end.
 */
export interface EightBitDecoder {
  decode(chunk?: Uint8Array): string;
  /** What was read so far. */
  encoding(): "utf-8" | "windows-1252" | typeof MIXED;
  /** Names the lines of the encoding that is in fewer of them. */
  note(): string;
}

export function createEightBitDecoder(): EightBitDecoder {
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  const legacy = new TextDecoder("windows-1252");
  const lines = { utf8: new LineList(), legacy: new LineList() };
  let line = 1;
  let start = true;
  let rest: Uint8Array = new Uint8Array(0);

  const read = (bytes: Uint8Array): string => {
    let text = "";
    let at = 0;
    while (at < bytes.length) {
      const run = asciiRun(bytes, at);
      if (run > at) {
        const ascii = bytes.subarray(at, run);
        text += utf8.decode(ascii);
        for (const byte of ascii) if (byte === LINE_FEED) line++;
        at = run;
        continue;
      }
      const length = sequenceLength(bytes, at);
      const sequence = bytes.subarray(at, at + Math.max(length, 1));
      text += (length > 0 ? utf8 : legacy).decode(sequence);
      (length > 0 ? lines.utf8 : lines.legacy).add(line);
      at += sequence.length;
    }
    return text;
  };

  return {
    decode(chunk) {
      const all = chunk === undefined ? rest : Buffer.concat([rest, chunk]);
      // A character may go on in the next chunk; it has at most four bytes.
      const end = chunk === undefined ? all.length : lastBoundary(all);
      rest = all.subarray(end);
      const text = read(all.subarray(0, end));
      const first = start && text !== "";
      if (first) start = false;
      return first && text.startsWith("\ufeff") ? text.slice(1) : text;
    },
    encoding() {
      if (lines.legacy.count === 0) return "utf-8";
      return lines.utf8.count === 0 ? "windows-1252" : MIXED;
    },
    note() {
      const fewer = lines.legacy.count <= lines.utf8.count;
      const list = fewer ? lines.legacy : lines.utf8;
      return `the file has text in two encodings, each read as what it is: ${fewer ? "windows-1252" : "UTF-8"} in ${list.describe()}, ${fewer ? "UTF-8" : "windows-1252"} elsewhere`;
    },
  };
}

/** The number of the first line with bytes that are not UTF-8; undefined when there is none. */
export async function firstLineNotUtf8(chunks: AsyncIterable<Uint8Array>): Promise<number | undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  let line = 1;
  const check = (bytes: Uint8Array): boolean => {
    const valid = isUtf8(bytes);
    let at = 0;
    for (; at < bytes.length; at++) {
      if (!valid && (bytes[at] ?? 0) >= 0x80) {
        const length = rawSequenceLength(bytes, at);
        if (length === 0) break;
        at += length - 1;
      } else if (bytes[at] === LINE_FEED) line++;
    }
    return valid;
  };
  for await (const chunk of chunks) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = lastBoundary(all);
    rest = all.subarray(end);
    if (!check(all.subarray(0, end))) return line;
  }
  return check(rest) ? undefined : line;
}

/** Where the last character begins that the end of the bytes may cut. */
function lastBoundary(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return back < expectedLength(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function asciiRun(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
  return at;
}

function expectedLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function rawSequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = expectedLength(lead);
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/**
 * Bytes of the UTF-8 character at `at`, 0 where there is none. In a file that is not all UTF-8 the pairs of letters
 * outside Latin, Greek and Cyrillic are more likely two characters of windows-1252: the end of `CAFÉ…` or `Spaß“`.
 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const length = rawSequenceLength(bytes, at);
  if (length !== 2) return length;
  const lead = bytes[at] ?? 0;
  const common = lead <= 0xc5 || (lead >= 0xcd && lead <= 0xd1);
  return common ? length : 0;
}

/** Line numbers in rising order, the first few of them by name. */
class LineList {
  count = 0;
  #last = 0;
  readonly #first: number[] = [];

  add(line: number): void {
    if (line === this.#last) return;
    this.#last = line;
    this.count++;
    if (this.#first.length < MAX_LINES_SHOWN) this.#first.push(line);
  }

  describe(): string {
    const more = this.count - this.#first.length;
    const shown = this.#first.join(", ");
    return `${this.count === 1 ? "line" : "lines"} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
  }
}
