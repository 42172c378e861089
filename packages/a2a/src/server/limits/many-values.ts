/**
 * Values and keys of one body. A few bytes each, a body of them alone takes a hundred times as long to
 * read, check and keep as one of text, and whoever else is served waits meanwhile.
 */
export const MAX_JSON_VALUES = 50_000;

/** Each takes at least a digit and a comma. */
const BYTES_A_VALUE = 2;

/** Whether JSON in UTF-8 holds more values than that, told from its bytes: nothing is made of it. */
export function hasManyValues(json: Uint8Array, max = MAX_JSON_VALUES): boolean {
  if (json.length < max * BYTES_A_VALUE) return false;
  let count = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++count > max) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];
