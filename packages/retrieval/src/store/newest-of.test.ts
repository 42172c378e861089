import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isLaterDay, type EditionRow } from "./editions.ts";
import { newestOf } from "./newest-of.ts";

const edition = (title: string, fields: Partial<EditionRow> = {}): EditionRow => ({
  title,
  source: `${title.toLowerCase()}.md`,
  supersedes: [],
  withdrawn: false,
  ...fields,
});

const newestIn = (family: readonly EditionRow[]): ((row: EditionRow) => EditionRow | undefined) =>
  newestOf((row) => family.filter((other) => other !== row));

describe("the newest edition", () => {
  it("is found over several, some without a day", () => {
    const first = edition("Policy", { published: "2023", version: "1" });
    const second = edition("Policy", { version: "2" });
    const third = edition("Policy", { published: "2025-03", version: "3" });
    const newest = newestIn([first, second, third]);
    expect([first, second, third].map(newest)).toEqual([third, third, undefined]);
  });

  it("goes by days alone among those that would replace each other in a circle", () => {
    const first = edition("Policy", { published: "2024-12-31", version: "1" });
    const second = edition("Policy", { version: "2" });
    const third = edition("Policy", { published: "2024-06-01", version: "3" });
    const older = edition("Policy", { published: "2023-06-01" });
    const newest = newestIn([first, second, third, older]);
    expect([first, second, third, older].map(newest)).toEqual([undefined, undefined, first, first]);
  });

  it("is none of two that each say they replace the other", () => {
    const one = edition("Blue rules", { supersedes: ["Green rules"] });
    const other = edition("Green rules", { supersedes: ["Blue rules"] });
    const newest = newestIn([one, other]);
    expect([one, other].map(newest)).toEqual([undefined, undefined]);
  });

  it("is in force in any family, is there, and is never of an earlier day than one of known day", () => {
    const titles = ["Blue rules", "Green rules", "Red rules", "Grey rules"];
    const any = fc.record({
      title: fc.constantFrom(...titles),
      published: fc.constantFrom(undefined, "2024", "2024-02", "2024-02-03", "2024-06", "2025", "2025-01-01"),
      version: fc.constantFrom(undefined, "1", "1.2", "2", "3"),
      supersedes: fc.subarray(titles, { maxLength: 2 }),
      withdrawn: fc.constantFrom(false, false, false, true),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 7 }), (fields) => {
        const family = fields.map(({ title, published, version, supersedes, withdrawn }) =>
          edition(title, {
            ...(published === undefined ? {} : { published }),
            ...(version === undefined ? {} : { version }),
            supersedes,
            withdrawn,
          }),
        );
        const newest = newestIn(family);
        const inForce = family.filter((row) => newest(row) === undefined);
        expect(inForce).not.toHaveLength(0);
        const replacements = family.flatMap((row) => newest(row) ?? []);
        expect(inForce).toEqual(expect.arrayContaining(replacements));
        const laterThan = (row: EditionRow): boolean => family.some((other) => isLaterDay(other, row));
        expect(inForce.filter(laterThan)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
