import { BlockList, isIPv6 } from "node:net";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addressKind, isPublicAddress } from "./public-address.ts";

/** Node's own list, filled from IANA's registries; for IPv6 it holds what may be public, and what of that may not. */
const closed4 = new BlockList();
for (const range of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "168.63.129.16/32",
].flatMap((line) => line.split(" "))) {
  const [network = "", bits] = range.split("/");
  closed4.addSubnet(network, Number(bits), "ipv4");
}
const open6 = new BlockList();
open6.addSubnet("2000::", 3, "ipv6");
const closed6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  closed6.addSubnet(network, bits, "ipv6");

const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
/** Near the ranges that matter, which random addresses hardly ever hit. */
const ipv4 = fc.oneof(
  bytes,
  fc
    .tuple(
      fc.constantFrom("10.0", "100.64", "100.127", "127.0", "169.254", "172.16", "172.31", "172.32"),
      fc.nat(255),
      fc.nat(255),
    )
    .map(([head, c, d]) => [...head.split(".").map(Number), c, d] as [number, number, number, number]),
  fc
    .tuple(
      fc.constantFrom("192.0.0", "192.0.2", "192.168.1", "198.18.0", "198.20.0", "203.0.113", "224.0.0"),
      fc.nat(255),
    )
    .map(([head, d]) => [...head.split(".").map(Number), d] as [number, number, number, number]),
);
type Bytes = readonly [number, number, number, number];
const dotted = (address: Bytes): string => address.join(".");
const whole = ([a, b, c, d]: Bytes): number => ((a * 256 + b) * 256 + c) * 256 + d;

/** The ways to write one that URLs take. */
const spellings: readonly ((address: Bytes) => string)[] = [
  dotted,
  (address) => String(whole(address)),
  (address) => `0x${whole(address).toString(16)}`,
  (address) => `0${whole(address).toString(8)}`,
  (address) => address.map((byte) => `0x${byte.toString(16)}`).join("."),
  (address) => address.map((byte) => `0${byte.toString(8)}`).join("."),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  (address) => `${dotted(address)}.`,
  (address) => dotted(address).replaceAll(".", "\u3002"),
];

const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const ipv6 = fc.oneof(
  groups,
  fc
    .tuple(
      fc.constantFrom(0, 0x64, 0x100, 0x2000, 0x2001, 0x2002, 0x2620, 0x3ffe, 0x3fff, 0xfc00, 0xfe80, 0xff02),
      fc.constantFrom(0, 1, 0x1ff, 0x200, 0xdb8, 0xfff, 0x1000),
      groups,
    )
    .map(([first, second, rest]) => [first, second, ...rest.slice(2)]),
);
const written = (address: readonly number[]): string => address.map((group) => group.toString(16)).join(":");

describe("addresses", () => {
  it("of IPv4 are public where Node's own list of the reserved ones does not hold them, however spelled", () => {
    fc.assert(
      fc.property(ipv4, fc.constantFrom(...spellings), (address, spell) => {
        expect(isPublicAddress(spell(address))).toBe(!closed4.check(dotted(address)));
      }),
      { numRuns: 1_000 },
    );
  });

  it("of IPv6 are public in 2000::/3 alone, and not all of it", () => {
    fc.assert(
      fc.property(ipv6, (address) => {
        const text = written(address);
        const carried = address.slice(0, 5).every((group) => group === 0) && address[5] === 0xffff;
        fc.pre(isIPv6(text) && !carried && !text.startsWith("64:ff9b:0:0:0:0:"));
        const expected = open6.check(text, "ipv6") && !closed6.check(text, "ipv6");
        expect(isPublicAddress(text)).toBe(expected);
        expect(isPublicAddress(`[${text.toUpperCase()}]`)).toBe(expected);
        expect(isPublicAddress(`${text}%eth0`)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("that carry one of IPv4 are of its kind", () => {
    fc.assert(
      fc.property(ipv4, fc.constantFrom("::ffff:", "64:ff9b::", "0:0:0:0:0:FFFF:"), (address, prefix) => {
        expect(addressKind(prefix + dotted(address))).toBe(addressKind(dotted(address)));
        expect(isPublicAddress(`::${dotted(address)}`)).toBe(false);
        expect(isPublicAddress(`64:ff9b:1::${dotted(address)}`)).toBe(false);
        expect(isPublicAddress(`::ffff:0:${dotted(address)}`)).toBe(false);
      }),
    );
  });

  it.each([
    ["127.1", "loopback"],
    ["2130706433", "loopback"],
    ["0x7f.1", "loopback"],
    ["017700000001", "loopback"],
    ["[::1]", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["0", "unspecified"],
    ["::", "unspecified"],
    ["169.254.169.254", "metadata"],
    ["::ffff:a9fe:a9fe", "metadata"],
    ["64:ff9b::a9fe:a9fe", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["100.100.100.200", "metadata"],
    ["168.63.129.16", "metadata"],
    ["fe80::1%eth0", "link-local"],
    ["2001:4860:4860::8888%1", "link-local"],
    ["10.1.2.3", "private"],
    ["fd12:3456::1", "private"],
    ["100.64.0.1", "shared"],
    ["2001:db8::1", "documentation"],
    ["2002:7f00:1::", "transition"],
    ["2001:0:7f00:1::", "transition"],
    ["ff02::1", "multicast"],
    ["255.255.255.255", "reserved"],
    ["1.1.1.1", "public"],
    ["2606:4700::1111", "public"],
  ])("%s is %s", (text, kind) => {
    expect(addressKind(text)).toBe(kind);
  });

  it.each([
    "",
    "localhost",
    "example.com",
    "1.2.3.4.5",
    "256.1.1.1",
    "1.1.1.1/x",
    "a@1.1.1.1",
    "1.1.1.1:80",
    "::1]:80",
    "1 1",
  ])("%j is no address", (text) => {
    expect(addressKind(text)).toBeUndefined();
    expect(isPublicAddress(text)).toBe(false);
  });

  it("takes any text without an error", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isPublicAddress(text)).toBe(addressKind(text) === "public");
      }),
    );
  });
});
