import { isLoopback } from "@troupe/core";

/**
 * What callers without a name are counted by: the address of the connection, never one that a header
 * claims. Of an IPv6 address the first 64 bits, for whoever has one has all that begin with them; the
 * addresses of this machine are one.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return "gone";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address.replace(/%.*$/, "");
  if (isLoopback(plain)) return "loopback";
  return plain.includes(":") ? networkOf(plain.toLowerCase()) : plain;
}

function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  if (tail !== undefined) while (groups.length + after.length < 8) groups.push("0");
  return `${[...groups, ...after].slice(0, 4).map(canonical).join(":")}::/64`;
}

const canonical = (group: string): string => Number.parseInt(group, 16).toString(16);
