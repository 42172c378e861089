const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(sk-[A-Za-z0-9_-]{8})[A-Za-z0-9_-]+/g, "sk-***"],
  // API keys of ours keep their id, by which they are listed; tokens keep nothing.
  [/\b(troupe_[0-9a-f]{8}_)[\w-]{43}/g, "$1***"],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, "***"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 ***"],
  // A JSON text inside a JSON line has its quotes escaped, once a level.
  [
    /(?<![a-z])(x-api-key|api[_-]?key|token|password|secret)(\\*["']?\s*[:=]\s*\\*["']?)[^\s"',}\\]{4,}/gi,
    "$1$2***",
  ],
  [/\/\/[^\s/@:"]+:[^\s/@"]+@/g, "//***@"],
];

/**
 * Removes what looks like a secret from a finished log line. It works on the whole line because
 * path-based redaction misses secrets inside error messages and stacks.
 *
 * @param known exact values to remove wherever they stand, such as configured keys
 */
export function scrub(line: string, known: readonly string[] = []): string {
  let clean = line;
  for (const value of known) {
    if (value.length < 4) continue;
    clean = clean.replaceAll(value, "***").replaceAll(JSON.stringify(value).slice(1, -1), "***");
  }
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}
