import { isLoopback } from "./is-loopback.ts";

/** The same scheme, host and port, of http or https; the names of this machine are one host. */
export function isSameOrigin(one: string | URL, other: string | URL): boolean {
  const [a, b] = [URL.parse(String(one)), URL.parse(String(other))];
  if (a === null || b === null) return false;
  if (a.protocol !== b.protocol || a.port !== b.port || !/^https?:$/.test(a.protocol)) return false;
  return a.hostname === b.hostname || (isLoopback(a.hostname) && isLoopback(b.hostname));
}
