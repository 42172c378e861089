/** One event of an event stream. */
export interface SseFrame {
  /** Empty where the server gave none. */
  readonly event: string;
  readonly data: string;
  /** Of the data as it arrived, also of what was cut off. */
  readonly bytes: number;
  /** `data` is only its beginning. */
  readonly cut: boolean;
  /** The stream ended before the empty line that ends an event. */
  readonly unterminated: boolean;
}

/** Takes an event stream as it arrives. An event comes out of the push that completed it. */
export interface SseReader {
  push(chunk: Uint8Array): readonly SseFrame[];
  /** What was left when the stream ended or broke. */
  end(): readonly SseFrame[];
}

const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;

/**
 * Reads server-sent events, whatever the chunks are cut at: line ends CRLF, LF or CR, comments, data
 * over several lines, a byte order mark. Works on bytes, because no line end is part of another
 * character. Of an event at most `maxBytes` are kept, so memory is bounded; the stream goes on.
 */
export function createSseReader(maxBytes: number): SseReader {
  let pieces: Uint8Array[] = [];
  let kept = 0;
  let lineBytes = 0;
  let skipLf = false;
  let firstLine = true;
  let event = "";
  let lines: string[] = [];
  let dataKept = 0;
  let dataBytes = 0;
  let cut = false;

  const takePiece = (piece: Uint8Array): void => {
    lineBytes += piece.length;
    // Longer by what can stand before the data: a byte order mark and "data: ".
    const room = Math.max(0, maxBytes + 9 - kept);
    if (room === 0 || piece.length === 0) return;
    pieces.push(piece.subarray(0, room));
    kept += Math.min(room, piece.length);
  };

  const takeData = (value: Uint8Array, bytes: number): void => {
    const room = Math.max(0, maxBytes - dataKept);
    const part = value.subarray(0, room);
    if (part.length < bytes) cut = true;
    dataBytes += bytes + (lines.length > 0 ? 1 : 0);
    dataKept += part.length;
    // Empty lines take no room, and may be without number.
    if (lines.length <= maxBytes) lines.push(decode(part, part.length < bytes));
    else cut = true;
  };

  const takeLine = (found: SseFrame[]): void => {
    const whole = joined(pieces, kept);
    const line = firstLine ? withoutMark(whole) : whole;
    const bytes = lineBytes - (whole.length - line.length);
    firstLine = false;
    pieces = [];
    kept = 0;
    lineBytes = 0;
    if (bytes === 0) {
      dispatch(found, false);
      return;
    }
    const colon = line.indexOf(COLON);
    const nameEnd = colon === -1 ? line.length : colon;
    const start = colon === -1 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
    // The names of interest are short; a long one is none of them.
    const name = nameEnd > 5 ? "" : decode(line.subarray(0, nameEnd), false);
    if (name === "data") takeData(line.subarray(start), bytes - start);
    else if (name === "event") event = decode(line.subarray(start, start + 100), bytes > start + 100);
  };

  const dispatch = (found: SseFrame[], unterminated: boolean): void => {
    if (lines.length > 0) found.push({ event, data: lines.join("\n"), bytes: dataBytes, cut, unterminated });
    event = "";
    lines = [];
    dataKept = 0;
    dataBytes = 0;
    cut = false;
  };

  return {
    push(chunk) {
      const found: SseFrame[] = [];
      let at = 0;
      let lf = chunk.indexOf(LF);
      let cr = chunk.indexOf(CR);
      while (at < chunk.length) {
        if (skipLf && chunk[at] === LF) at++;
        skipLf = false;
        if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
        if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
        const end = lf === -1 ? cr : cr === -1 ? lf : Math.min(lf, cr);
        if (end === -1) {
          takePiece(chunk.subarray(at));
          break;
        }
        takePiece(chunk.subarray(at, end));
        takeLine(found);
        skipLf = end === cr;
        at = end + 1;
      }
      return found;
    },
    end() {
      const found: SseFrame[] = [];
      if (lineBytes > 0) takeLine(found);
      dispatch(found, true);
      return found;
    },
  };
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function withoutMark(line: Uint8Array): Uint8Array {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

/** @param cut leaves out a character of which only the beginning is there */
function decode(bytes: Uint8Array, cut: boolean): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: cut });
}
