/** What an address is for, after IANA's special-purpose address registries (RFC 6890 and its updates). */
export type AddressKind =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "shared"
  | "link-local"
  | "metadata"
  | "multicast"
  | "documentation"
  | "benchmarking"
  | "transition"
  | "reserved";

type Range = readonly [network: string, bits: number, kind: AddressKind];

/** The first that holds decides; what none holds is public. */
const IPV4: readonly Range[] = [
  ["169.254.169.254", 32, "metadata"],
  ["169.254.170.2", 32, "metadata"],
  ["100.100.100.200", 32, "metadata"],
  ["192.0.0.192", 32, "metadata"],
  // Azure's, though it looks like anybody's.
  ["168.63.129.16", 32, "metadata"],
  ["0.0.0.0", 8, "unspecified"],
  ["127.0.0.0", 8, "loopback"],
  ["10.0.0.0", 8, "private"],
  ["172.16.0.0", 12, "private"],
  ["192.168.0.0", 16, "private"],
  ["100.64.0.0", 10, "shared"],
  ["169.254.0.0", 16, "link-local"],
  ["192.0.2.0", 24, "documentation"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["198.18.0.0", 15, "benchmarking"],
  ["192.88.99.0", 24, "transition"],
  ["192.0.0.0", 24, "reserved"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
];

/** The first that holds decides; what none holds is reserved: only 2000::/3 is given out. */
const IPV6: readonly Range[] = [
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["fd00:ec2::254", 128, "metadata"],
  ["fd20:ce::254", 128, "metadata"],
  ["fc00::", 7, "private"],
  ["fec0::", 10, "private"],
  ["fe80::", 10, "link-local"],
  ["ff00::", 8, "multicast"],
  ["::", 96, "transition"],
  ["::ffff:0:0:0", 96, "transition"],
  ["64:ff9b:1::", 48, "transition"],
  ["2002::", 16, "transition"],
  ["2001::", 32, "transition"],
  ["2001:db8::", 32, "documentation"],
  ["3fff::", 20, "documentation"],
  ["2001:2::", 48, "benchmarking"],
  ["2001::", 23, "reserved"],
  ["2000::", 3, "public"],
];

/** These carry an IPv4 address in their last 32 bits, and it is what they reach: ::ffff:0:0/96 and NAT64. */
const CARRIERS: readonly Range[] = [
  ["::ffff:0:0", 96, "transition"],
  ["64:ff9b::", 96, "transition"],
];

/**
 * What kind of address this is, in any spelling that a URL or `connect` takes: `127.1`, `0x7f000001`,
 * `2130706433`, `[::ffff:7f00:1]`, `fe80::1%eth0`. Undefined for what is no address, such as a name.
 */
export function addressKind(text: string): AddressKind | undefined {
  const [address = "", zone] = withoutBrackets(text).split("%");
  if (address.includes(":")) {
    const value = ipv6Value(address);
    if (value === undefined) return undefined;
    const kind = kindOfIpv6(value);
    // A zone tells two networks apart that this machine is attached to: nothing public has one.
    return zone !== undefined && kind === "public" ? "link-local" : kind;
  }
  const value = ipv4Value(text);
  return value === undefined ? undefined : (first(IPV4_RANGES, value) ?? "public");
}

/** The address can be anybody's on the internet, and nobody's on this machine or in its networks. */
export function isPublicAddress(text: string): boolean {
  return addressKind(text) === "public";
}

interface Parsed {
  readonly value: bigint;
  readonly shift: bigint;
  readonly kind: AddressKind;
}

const IPV4_RANGES = IPV4.map((range) => parsed(range, 32, ipv4Value));
const IPV6_RANGES = IPV6.map((range) => parsed(range, 128, ipv6Value));
const CARRIER_RANGES = CARRIERS.map((range) => parsed(range, 128, ipv6Value));

function parsed(
  [network, bits, kind]: Range,
  width: number,
  valueOf: (text: string) => bigint | undefined,
): Parsed {
  const shift = BigInt(width - bits);
  return { value: (valueOf(network) ?? 0n) >> shift, shift, kind };
}

function first(ranges: readonly Parsed[], address: bigint): AddressKind | undefined {
  return ranges.find(({ value, shift }) => address >> shift === value)?.kind;
}

function kindOfIpv6(value: bigint): AddressKind {
  if (first(CARRIER_RANGES, value) !== undefined) return first(IPV4_RANGES, value & 0xffff_ffffn) ?? "public";
  return first(IPV6_RANGES, value) ?? "reserved";
}

function withoutBrackets(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
}

/** As a URL reads it, which knows octal, hexadecimal and short forms. */
function ipv4Value(text: string): bigint | undefined {
  if (/[/?#@:\\\s]/.test(text)) return undefined;
  const host = URL.parse(`http://${text}/`)?.hostname ?? "";
  if (!/^\d+(\.\d+){3}$/.test(host)) return undefined;
  return host.split(".").reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** As a URL writes it: at most one `::`, and never an IPv4 tail. */
function ipv6Value(text: string): bigint | undefined {
  const host = /^[0-9a-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]/`)?.hostname : undefined;
  if (host === undefined) return undefined;
  const [head = [], tail] = withoutBrackets(host)
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...(tail ?? [])];
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
