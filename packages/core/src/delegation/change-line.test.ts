import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readChanges, withChange } from "./change-line.ts";
import { readSubject, withSubject } from "./subject-line.ts";

const line = fc.stringMatching(/^[a-z](?:[ -~]{0,30}[a-z])?$/).filter((text) => !/ {2}/.test(text));
const subject = { kind: "overview", subject: "the AI strategy" } as const;

describe("withChange", () => {
  it("is read back, change after change, whatever the first instruction says, and keeps its subject", () => {
    fc.assert(
      fc.property(line, fc.array(line, { maxLength: 4 }), fc.boolean(), (first, changes, about) => {
        const start = about ? withSubject(first, subject) : first;
        const instruction = changes.reduce(withChange, start);
        expect(readChanges(instruction)).toEqual({ first, changes });
        expect(readSubject(instruction)).toEqual(about ? subject : undefined);
      }),
    );
  });

  it("puts a change of several lines on one", () => {
    expect(withChange("Make it.", "shorter\n\nplease")).toBe("Make it.\nThen asked: shorter please");
  });
});
