import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readReadiness } from "./readiness.ts";

const all = { card: true, model: true, tools: true };

describe("readReadiness", () => {
  it("reads what our agents say, of before capabilities too", () => {
    const failing = { ok: false, reasons: ["no tools"], capabilities: { ...all, tools: false } };
    expect(readReadiness(JSON.stringify(failing))).toEqual(failing);
    expect(readReadiness('{"ok":true,"reasons":[]}')).toEqual({ ok: true, reasons: [], capabilities: all });
  });

  it.each(["", "<html>", "null", "[]", "{}", '{"ok":"yes"}', '"ok"'])("takes %j for no answer", (text) => {
    expect(readReadiness(text)).toBeUndefined();
  });

  it("never fails on what a stranger writes, and bounds it", () => {
    const value = fc.record(
      { ok: fc.anything(), reasons: fc.anything(), capabilities: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (raw) => {
        const read = readReadiness(
          JSON.stringify(raw, (_, one: unknown) => (typeof one === "bigint" ? 1 : one)) ?? "",
        );
        expect(read?.reasons.every((reason) => reason.length <= 300) ?? true).toBe(true);
      }),
    );
    const many = { ok: false, reasons: Array.from({ length: 99 }, () => "x".repeat(999)) };
    expect(readReadiness(JSON.stringify(many))?.reasons).toEqual(Array(10).fill("x".repeat(300)));
  });
});
