import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readSubject, withSubject } from "./subject-line.ts";

describe("readSubject", () => {
  it("reads back what withSubject wrote, whatever the instruction says", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("overview" as const, "question" as const),
        fc.stringMatching(/^\S( ?\S){0,40}$/),
        (instruction, kind, subject) => {
          const line = subject.replaceAll(/\s+/g, " ").trim();
          fc.pre(line !== "");
          expect(readSubject(withSubject(instruction, { kind, subject }))).toEqual({ kind, subject: line });
        },
      ),
    );
  });

  it("takes only a last line, and only a whole one", () => {
    for (const text of ["", "Subject (overview): ", "Subject (all): x", "Subject (overview): x\nThen more."])
      expect(readSubject(text)).toBeUndefined();
  });
});
