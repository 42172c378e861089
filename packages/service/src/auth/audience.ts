import { isLoopback } from "@troupe/core";

/**
 * The one spelling of an agent's address, for tokens: what it is called by on this machine does not
 * matter, nor whether the address of its card was given. Undefined for what is no address.
 */
export function audienceOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  const { protocol, hostname, port, pathname } = parsed;
  const host = isLoopback(hostname) ? "127.0.0.1" : hostname;
  const path = pathname.replace(/\/\.well-known\/agent-card\.json$/, "").replace(/\/+$/, "");
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}${path}`;
}
