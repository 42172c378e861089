/** A name that a header may have: a token of RFC 9110, 5.6.2. */
export function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/** What a header may hold by RFC 9110, 5.5: no line break nor other control character, nothing outside Latin-1. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
