import { validateHeaderValue } from "node:http";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { contentDisposition, contentType } from "./content-headers.ts";

describe("contentDisposition", () => {
  it.each([
    ["deck.pptx", `attachment; filename="deck.pptx"; filename*=UTF-8''deck.pptx`],
    ["ü b.txt", `attachment; filename="_ b.txt"; filename*=UTF-8''%C3%BC%20b.txt`],
    [`a";x=\\y%41.txt`, `attachment; filename="a_;x=_y_41.txt"; filename*=UTF-8''a%22%3Bx%3D%5Cy%2541.txt`],
    ["it's (1)*.csv", `attachment; filename="it's (1)*.csv"; filename*=UTF-8''it%27s%20%281%29%2A.csv`],
    [
      "a\r\nSet-Cookie: x",
      `attachment; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`,
    ],
  ])("hands %j over as %s", (name, expected) => {
    expect(contentDisposition(name)).toBe(expected);
  });

  it("is one header of two names, and tells the whole one, whatever the name", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom('"', "\\", "%", ";", "'", "\r", "\n", "\0", "a", "\ud800") }),
    );
    fc.assert(
      fc.property(name, (given) => {
        const value = contentDisposition(given);
        expect(() => validateHeaderValue("content-disposition", value)).not.toThrow();
        const [, whole = ""] =
          /^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(value) ?? [];
        expect(decodeURIComponent(whole)).toBe(given.toWellFormed());
      }),
    );
  });
});

describe("contentType", () => {
  it.each([
    ["text/csv; charset=utf-8", "text/csv; charset=utf-8"],
    ["application/vnd.ms-excel", "application/vnd.ms-excel"],
    ['multipart/x; boundary="a b"', 'multipart/x; boundary="a b"'],
    ["", "application/octet-stream"],
    ["html", "application/octet-stream"],
    ["text/html\r\nX: 1", "application/octet-stream"],
    ["text/html, x/y", "application/octet-stream"],
    [`text/${"x".repeat(300)}`, "application/octet-stream"],
  ])("tells %j as %s", (given, expected) => {
    expect(contentType(given)).toBe(expected);
  });

  it("can always stand in a header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (given) => {
        expect(() => validateHeaderValue("content-type", contentType(`a/b; c="${given}"`))).not.toThrow();
      }),
    );
  });
});
