/** To ask for random bytes costs as much as some thousand of them do, so they come in blocks. */
const BLOCK_BYTES = 4_096;
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let block = new Uint8Array(0);
let used = 0;

/** So many random bytes, 4,096 at most, as lower-case hexadecimal digits. For names, not for secrets. */
export function randomHex(bytes: number): string {
  if (used + bytes > block.length) {
    block = crypto.getRandomValues(new Uint8Array(BLOCK_BYTES));
    used = 0;
  }
  let text = "";
  for (const byte of block.subarray(used, used + bytes)) text += DIGITS[byte];
  used += bytes;
  return text;
}
