/** Removes what looks like a secret from a text. */
export type Scrub = (text: string) => string;

/** Keys whose addresses may carry a secret: signed links to files, places where access is granted. */
const ADDRESS = "url";

/**
 * The same JSON without what is secret or whose it is: texts are scrubbed, addresses lose what stands
 * behind their path, and who answered a question loses the name.
 */
export function cleanJson<T>(value: T, scrub: Scrub): T {
  return clean(value, scrub) as T;
}

function clean(value: unknown, scrub: Scrub, key?: string): unknown {
  if (typeof value === "string") return key === ADDRESS ? scrub(bareAddress(value)) : scrub(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => clean(entry, scrub));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "by" || !isAnswered(value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, clean(inner, scrub, name)]));
}

/** `Answered` of the stream. */
function isAnswered(value: object): boolean {
  return "requestId" in value && "at" in value && "through" in value;
}

function bareAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.search = "";
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
