import type { AgentEvent } from "@troupe/stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { wellFormed, wellFormedEvents } from "./well-formed.ts";

const anyText = fc.string({
  unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((c) => String.fromCharCode(c)),
});

it("replaces lone surrogates in values and keys, and nothing else", () => {
  expect(wellFormed({ "a\ud800": ["\udc00b", { c: "😀\ud83d" }] })).toEqual({ "a�": ["�b", { c: "😀�" }] });
  const plain = { a: ["😀", null, 1, new Uint8Array([1])] };
  expect(wellFormed(plain)).toBe(plain);
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.dictionary(anyText, anyText), (json, texts) => {
      expect(wellFormed({ json })).toEqual({ json });
      expect(JSON.stringify(wellFormed(texts))).not.toMatch(/\\ud[89a-f]/);
    }),
  );
});

it("keeps pairs that are split between deltas of an item", () => {
  const delta = (text: string, itemId = "i"): AgentEvent => ({
    v: 1,
    runId: "r",
    seq: 0,
    attempt: 1,
    agent: "a",
    type: "text-delta",
    itemId,
    delta: text,
  });
  fc.assert(
    fc.property(fc.array(anyText), (pieces) => {
      const pass = wellFormedEvents();
      const out = pieces.map((piece) => {
        pass(delta("\ud83d", "another"));
        const event = pass(delta(piece));
        return event.type === "text-delta" ? event.delta : "";
      });
      for (const piece of out) expect(piece.isWellFormed()).toBe(true);
      const joined = pieces.join("");
      const cut = /[\ud800-\udbff]$/.test(joined);
      expect(out.join("")).toBe((cut ? joined.slice(0, -1) : joined).toWellFormed());
    }),
  );
});
