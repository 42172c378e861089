import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { JsonFieldReader } from "./json-field-reader.ts";

function read(pieces: readonly string[], field = "content"): { out: string[]; reader: JsonFieldReader } {
  const reader = new JsonFieldReader(field);
  const out = pieces.map((piece) => reader.push(piece));
  out.push(reader.end());
  return { out, reader };
}

/** Cuts `text` at the given places, also inside escapes and surrogate pairs. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
}

/** Every character but ASCII letters written as `\uXXXX`. */
function escapeAll(json: string): string {
  return json.replace(/[\u0080-\uFFFF]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const anyRest = fc.dictionary(
  fc.string({ maxLength: 6 }).filter((key) => key !== "content"),
  fc.jsonValue({ maxDepth: 3 }),
);

describe("JsonFieldReader", () => {
  it("streams the field while it is written", () => {
    const { out } = read(['{"con', 'tent":"Hel', "lo", " \\u00", 'e9"', ',"done":true}']);
    expect(out).toEqual(["", "Hel", "lo", " ", "é", "", ""]);
  });

  it("gives the same text for any split, before or after other keys, escaped or not", () => {
    fc.assert(
      fc.property(
        anyText,
        anyRest,
        anyRest,
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.boolean(),
        (content, before, after, places, escaped) => {
          const plain = JSON.stringify({ ...before, content, ...after });
          const json = escaped ? escapeAll(plain) : plain;
          const { out, reader } = read(cut(json, places));
          const expected = (JSON.parse(json) as { content: string }).content.toWellFormed();
          expect(out.join("")).toBe(expected);
          expect(out.every((piece) => piece.isWellFormed())).toBe(true);
          expect(reader.complete).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("hands out a prefix of the text when the JSON is cut short", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.array(fc.nat(), { maxLength: 10 }), (content, end, places) => {
        const whole = JSON.stringify({ content, is_task_complete: true });
        const part = whole.slice(0, end % whole.length);
        const text = read(cut(part, places)).out.join("");
        expect(text.isWellFormed()).toBe(true);
        // The last character may be half a pair, which becomes U+FFFD.
        expect(content.toWellFormed().startsWith(text.replace(/\uFFFD$/, ""))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never throws on anything and never repeats a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.array(fc.nat()), (text, places) => {
        expect(read(cut(text, places)).out.join("")).toBe(read([text]).out.join(""));
      }),
    );
  });

  it.each([
    ["a key of that name in a nested object", '{"a":{"content":"no"},"content":"yes"}', "yes"],
    ["a value that spells the name", '{"a":"content","content":"yes"}', "yes"],
    ["a key written with escapes", '{"\\u0063ontent":"yes"}', "yes"],
    ["a second field of that name", '{"content":"first","content":"second"}', "first"],
    ["a field that is no string", '{"content":7,"b":"no"}', ""],
    ["a list as the field", '{"content":["no"],"b":"no"}', ""],
    ["raw line breaks inside the string", '{"content":"a\nb"}', "a\nb"],
    ["an unknown escape", '{"content":"a\\xb"}', "axb"],
    ["an escape that is not hex", '{"content":"a\\u12zb"}', "a\uFFFDzb"],
    ["a lone surrogate", '{"content":"a\\ud83db"}', "a\uFFFDb"],
    ["a lone surrogate at the end", '{"content":"a\\ud83d"}', "a\uFFFD"],
    ["null as the field", '{"content":null,"b":"no"}', ""],
    ["an object as the field", '{"content":{"content":"no"},"b":"no"}', ""],
    ["a field that is a string only the second time", '{"content":null,"content":"yes"}', "yes"],
    ["no JSON at all", "hello", ""],
    ["a fence around it", '```json\n{"content":"yes"}\n```', "yes"],
    ["prose with quotes and braces before it", 'A 5" {x} { set "content": {\n"content":"yes"} "no"', "yes"],
    ["an object without the field before it", '{"a":{}} {"b":["}"]} {"content":"yes"}', "yes"],
    ["an empty object and a list around it", '{ } [ {"content":"yes"}]', "yes"],
    ["brackets that do not match", '{"a":]]}} {"content":"yes"}', "yes"],
    ["another object behind it", '{"content":"yes"} {"content":"no"}', "yes"],
    ["an object that breaks off", '{"content":"never clo', "never clo"],
  ])("reads %s", (_, json, expected) => {
    expect(read(json.split("")).out.join("")).toBe(expected);
  });

  it("passes over any prose before the object that begins no other", () => {
    const prose = fc.string({ unit: "binary", maxLength: 30 }).map((said) => said.replaceAll(/"/g, "'"));
    fc.assert(
      fc.property(prose, anyText, fc.array(fc.nat(), { maxLength: 10 }), (before, content, places) => {
        const { out } = read(cut(`${before} {"content":${JSON.stringify(content)}}`, places));
        expect(out.join("")).toBe(content.toWellFormed());
      }),
    );
  });

  it("reads a megabyte in small pieces, which only linear work allows", () => {
    const content = 'line "quoted" \\ é 😀\n'.repeat(50_000);
    const pieces = JSON.stringify({ content, b: 1 }).match(/[\s\S]{1,4}/g) ?? [];
    expect(read(pieces).out.join("")).toBe(content);
  });
});
