/**
 * Values and keys of one body. A few bytes each, a body of them alone takes a hundred times as long to
 * read, check and keep as one of text, and whoever else is served waits meanwhile.
 */
export const MAX_JSON_VALUES = 100_000;

/** Keys of one body that differ. One that was not met before takes ten times as long as a value, at each step. */
export const MAX_JSON_KEYS = 10_000;

/** The shortest that there is of a key beyond the first: `"":0,`. */
const MIN_KEY_BYTES = 5;

const [QUOTE, BACKSLASH, COMMA, COLON, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x7b];

export interface JsonWeight {
  /** How many values it holds, about. */
  readonly values: number;
  /** How many keys that differ as they are written; none are counted beyond `MAX_JSON_KEYS` and one. */
  readonly keys: number;
}

/** What JSON in UTF-8 will take to read, told from its bytes: nothing is made of it. */
export function weighJson(json: Uint8Array): JsonWeight {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const keys = new Set<string>();
  let looks = json.length > MAX_JSON_KEYS * MIN_KEY_BYTES;
  let values = 0;
  let inText = false;
  let from = 0;
  let to = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) {
        inText = false;
        to = at;
      }
    } else if (byte === QUOTE) {
      inText = true;
      from = at + 1;
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
    else if (byte === COLON && looks) {
      keys.add(text.toString("latin1", from, to));
      looks = keys.size <= MAX_JSON_KEYS;
    }
  }
  return { values, keys: keys.size };
}
