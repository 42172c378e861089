/** Where a word begins; in JSON also behind an escape, whose letter would else be part of the word. */
const START = "(?:\\b|(?<=\\\\[bfnrt]))";

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${START}sk-[A-Za-z0-9_-]{9,}`, "g"), "sk-***"],
  // API keys of ours keep their id, by which they are listed.
  [/(troupe_[0-9a-f]{8}_)[\w-]{43}/g, "$1***"],
  // Whoever has a signed link may read the file.
  [/([?&]sig=)[\w-]{43}/g, "$1***"],
  [new RegExp(`${START}(Bearer|Basic)\\s+[A-Za-z0-9._~+/=-]{8,}`, "gi"), "$1 ***"],
  // A JSON text inside a JSON line has its quotes escaped, once a level.
  [
    /(?<![a-z])(x-api-key|api[_-]?key|token|password|secret)(\\*["']?\s*[:=]\s*\\*["']?)[^\s"',}\\]{4,}/gi,
    "$1$2***",
  ],
  [/\/\/[^\s/@:"]+:[^\s/@"]+@/g, "//***@"],
];

/**
 * Removes what looks like a secret from a finished log line. It works on the whole line because
 * path-based redaction misses secrets inside error messages and stacks. Time grows with the length of
 * the line and no faster: what stands in it may be a stranger's.
 *
 * @param known exact values to remove wherever they stand, such as configured keys
 */
export function scrub(line: string, known: readonly string[] = []): string {
  let clean = line;
  for (const value of known) {
    if (value.length < 4) continue;
    clean = clean.replaceAll(value, "***").replaceAll(JSON.stringify(value).slice(1, -1), "***");
  }
  clean = clean.replace(/[\w.-]{22,}/g, withoutTokens);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** Signed tokens keep nothing: three segments, of which the first is a JSON object in base64url. */
function withoutTokens(word: string): string {
  if (!word.includes("eyJ")) return word;
  const segments = word.split(".");
  const kept: string[] = [];
  for (let at = 0; at < segments.length; at++) {
    const head = segments[at] ?? "";
    const start = head.indexOf("eyJ");
    const isToken =
      start >= 0 &&
      head.length - start >= 11 &&
      (segments[at + 1] ?? "").length >= 8 &&
      segments[at + 2] !== undefined;
    kept.push(isToken ? `${head.slice(0, start)}***` : head);
    if (isToken) at += 2;
  }
  return kept.join(".");
}
