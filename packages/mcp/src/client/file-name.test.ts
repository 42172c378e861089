import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { inlineName, safeFileName, safeMediaType } from "./file-name.ts";

describe("a file name that a server made up", () => {
  it.each([
    ["deck.pptx", "deck.pptx"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Windows\\system32\\evil.dll", "evil.dll"],
    ["/absolute/a.txt", "a.txt"],
    ["..", "file"],
    [".bashrc", "bashrc"],
    ["a\u0000b\n.txt", "ab.txt"],
    ["invoice\u202Efdp.exe", "invoicefdp.exe"],
    ["", "file"],
    ["dir/", "file"],
    [`${"x".repeat(300)}.pptx`, `${"x".repeat(115)}.pptx`],
  ])("%j becomes %j", (name, safe) => {
    expect(safeFileName(name, "file")).toBe(safe);
  });

  it("is always one harmless path segment, and stays as it is the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        const safe = safeFileName(name, "file");
        expect(safe).not.toMatch(/[/\\\p{Cc}]|^\.|^$/u);
        expect(safe.length).toBeLessThanOrEqual(120);
        expect(safe.isWellFormed()).toBe(true);
        expect(safeFileName(safe, "file")).toBe(safe);
      }),
    );
  });
});

// At this length what takes quadratic time never ends, on any machine.
it.each([" ", ".", "a."])("is linear in the length of a name: %j", (piece) => {
  expect(safeFileName(`a${piece.repeat(1_000_000)}b`, "file")).toHaveLength(120);
});

it.each([
  ["image/PNG; charset=x", "image/png"],
  ["text/html\r\nx-evil: 1", "application/octet-stream"],
  [undefined, "application/octet-stream"],
  ["nonsense", "application/octet-stream"],
])("a media type %j becomes %j", (mediaType, safe) => {
  expect(safeMediaType(mediaType)).toBe(safe);
});

it("names what came without a name", () => {
  expect(inlineName("image", 1, "image/png")).toBe("image-1.png");
  expect(inlineName("file", 2, "x/y")).toBe("file-2.bin");
});
