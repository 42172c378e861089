import * as fc from "fast-check";
import { expect, test } from "vitest";

import { parseXml } from "../lint/xml-node.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { escapeXml } from "./xml.ts";

const hostile = fc.string({ unit: "binary", maxLength: 60 });

test("any text, cleaned and escaped, is well-formed XML that reads back as the cleaned text", () => {
  fc.assert(
    fc.property(
      fc.oneof(hostile, fc.string(), fc.string({ unit: fc.nat(0xffff).map((n) => String.fromCharCode(n)) })),
      (text) => {
        const clean = cleanText(text);
        expect(
          parseXml(`<a b="${escapeXml(clean.replaceAll("\n", " "))}">${escapeXml(clean)}</a>`).text,
        ).toBe(clean);
        expect(cleanText(clean)).toBe(clean);
      },
    ),
    { numRuns: 500 },
  );
});

test("a lone surrogate becomes a replacement character, a pair stays", () => {
  expect(cleanText("a\ud800b 🎉")).toBe("a\ufffdb 🎉");
});

test("line breaks of every kind are one kind, and a line has none", () => {
  expect(cleanText("a\r\nb\u2028c\td")).toBe("a\nb\nc d");
  expect(cleanLine("  a\r\n b ")).toBe("a b");
});

test("text direction cannot be overridden", () => {
  for (const control of "\u061c\u200e\u200f\u202a\u202e\u2066\u2069")
    expect(cleanLine(`abc${control}txt.exe`)).toBe("abctxt.exe");
  expect(cleanLine("e\u200e\u0301")).toBe("\u00e9");
});
