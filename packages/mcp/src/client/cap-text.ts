/**
 * At most `maxBytes` of UTF-8 and then a line that says what is missing, so that a model knows it
 * sees a part. Never cuts a character in two.
 */
export function capText(text: string, maxBytes: number): string {
  // No UTF-16 unit takes more than three bytes, so most texts need no counting.
  if (text.length * 3 <= maxBytes) return text;
  const total = Buffer.byteLength(text);
  if (total <= maxBytes) return text;
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = Math.min(maxBytes, bytes.length);
  // A byte 10xxxxxx goes on with the character before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  const kept = bytes.toString("utf8", 0, end);
  return `${kept}\n[cut off: ${end} of ${total} bytes are shown; ask for less at a time to see the rest]`;
}
