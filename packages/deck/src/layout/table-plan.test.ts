import { describe, expect, test } from "vitest";

import { BODY } from "./grid.ts";
import { planTable } from "./table-plan.ts";

const rows = (count: number, ...cells: readonly string[]) =>
  Array.from({ length: count }, () => cells.map((text) => ({ text, number: false })));
const heightOf = ({ rowHeights }: { readonly rowHeights: readonly number[] }): number =>
  rowHeights.reduce((a, b) => a + b, 0);

describe("a table of few rows", () => {
  test("is set larger and fills its slide", () => {
    const steps = (count: number) => planTable(["", ""], rows(count, "1 May 2026", "Pumps run in the north"));
    expect(steps(4).size).toBeGreaterThan(20);
    expect(heightOf(steps(4))).toBeGreaterThan(0.9 * BODY.h);
    expect(heightOf(steps(4))).toBeLessThanOrEqual(BODY.h);
    expect(steps(5).size).toBe(20);
  });

  test("gives up a size rather than break a cell into two lines, and no more", () => {
    const risks = (response: string) =>
      planTable(
        ["", "Likelihood", "Effect", "Response"],
        rows(2, "False alarms wear out customers' trust", "High", "Very high", response),
      );
    expect(risks("Operators decide, not the models")).toMatchObject({ size: 18, level: true });
    expect(risks("Operators decide, not the models, and they sign for it")).toMatchObject({
      size: 20,
      level: false,
    });
  });
});
