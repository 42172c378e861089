const LOOKS_LIKE_A_KEY = /\b(sk|key|pk|dapi|Bearer)[-_ ][\w-]{8,}/gi;
const LONGEST = 400;

/** Text of a provider, fit for a message: without keys, on one line, of bounded length. */
export function withoutSecrets(text: string, secret: string | undefined): string {
  const scrubbed = secret ? text.replaceAll(secret, "[key]") : text;
  const line = scrubbed.replace(LOOKS_LIKE_A_KEY, "[key]").replace(/\s+/g, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}...`;
}

/** An address fit for a message: without user, password and query. */
export function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return "the configured address";
  const url = new URL(address);
  return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
}
