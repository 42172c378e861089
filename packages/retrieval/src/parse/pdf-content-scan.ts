import { inflateSync } from "node:zlib";

/*
 * The operators of a page cost about a third of the time to extract its text, and few documents hide any.
 * So the content streams are first searched for operators that could hide text. The search knows no pages and
 * no fonts: it may be wrong and only decides whether a closer look is worth its time.
 */

const MAX_STREAM_BYTES = 32_000_000;
const MAX_DICTIONARY_BYTES = 2_000;
/** Streams that draw nothing. */
const OTHER_STREAM =
  /\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType|XML)|\/Length1\b|\/Type\s*\/(?:ObjStm|XRef|EmbeddedFile|Metadata)/;
const OPERATOR = /(?<=^|[\s\])>])(?:q|Q|g|rg|k|sc|scn|cs|f\*?|F|B\*?|b\*?|sh|Tr|Tj|TJ|'|"|Do)(?=$|[\s[(/<])/g;
const FILL = /^(?:f\*?|F|B\*?|b\*?|sh)$/;
/** Operators that set the fill colour, with the value of their operands in white. */
const WHITE = new Map([
  ["g", 1],
  ["rg", 1],
  ["sc", 1],
  ["scn", 1],
  ["k", 0],
]);

/** True if a PDF draws invisible or white text, or if that cannot be known from its bytes. */
export function mayHideText(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.includes("/Encrypt")) return true;
  let budget = MAX_STREAM_BYTES;
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at)) {
    const before = bytes.toString("latin1", Math.max(0, at - MAX_DICTIONARY_BYTES), at);
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(" obj")));
    const start = at + "stream".length + (bytes[at + 6] === 0x0d ? 2 : 1);
    const end = bytes.indexOf("endstream", start);
    if (end < 0) break;
    at = end + "endstream".length;
    if (OTHER_STREAM.test(dictionary)) continue;
    const content = decode(bytes.subarray(start, end), dictionary, budget);
    if (content === undefined || drawsSuspectText(content)) return true;
    budget -= content.length;
  }
  return false;
}

function decode(stream: Uint8Array, dictionary: string, maxOutputLength: number): string | undefined {
  if (maxOutputLength <= 0) return undefined;
  if (!dictionary.includes("/Filter")) return Buffer.from(stream).toString("latin1");
  if (!/\/Filter\s*\[?\s*\/FlateDecode\s*(?:\]|\/(?!\w*Decode)|>>)/.test(dictionary)) return undefined;
  try {
    return inflateSync(stream, { maxOutputLength }).toString("latin1");
  } catch {
    return undefined;
  }
}

function drawsSuspectText(content: string): boolean {
  let white = false;
  let painted = false;
  const stack: boolean[] = [];
  for (const { 0: operator, index } of content.matchAll(OPERATOR)) {
    const whiteOperand = WHITE.get(operator);
    if (operator === "q") stack.push(white);
    else if (operator === "Q") white = stack.pop() ?? false;
    else if (operator === "cs") white = false;
    else if (whiteOperand !== undefined) {
      const operands = operandsBefore(content, index);
      white = operands.length > 0 && operands.every((operand) => Math.abs(operand - whiteOperand) <= 0.03);
    } else if (FILL.test(operator)) painted ||= !white;
    else if (operator === "Tr") {
      if (operandsBefore(content, index).at(-1) === 3) return true;
    } else if (white && !painted) return true;
  }
  return false;
}

function operandsBefore(content: string, index: number): readonly number[] {
  const numbers = /(?<=^|\s)(?:[-+]?[\d.]+\s+)+$/.exec(content.slice(Math.max(0, index - 80), index))?.[0];
  return numbers === undefined ? [] : numbers.trim().split(/\s+/).map(Number);
}
