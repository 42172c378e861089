import { describe, expect, test } from "vitest";

import {
  axisCode,
  displayNumber,
  exactFormat,
  formatNumber,
  isGrouped,
  numberFormat,
} from "./number-format.ts";

describe("numberFormat", () => {
  test.each([
    [[3_912_345.67, 5_000_000], "EUR", "#,##0.00,,", "EUR million", "3.91"],
    [[120_000, 340_500], "EUR", "#,##0,", "EUR thousand", "120"],
    [[1_204, 800], undefined, "#,##0", "", "1,204"],
    [[12.34, 15.6], "%", '#,##0.0"%"', "", "12.3%"],
    [[0.123, 0.5], undefined, "#,##0.00", "", "0.12"],
    [[2_500_000_000], "EUR", "#,##0.0,,,", "EUR billion", "2.5"],
    [[2024, 2025], undefined, "0", "", "2024"],
    [[1e300, 2e299], "EUR", "0.0E+0", "EUR", "1.0E+300"],
    [[-2.5e15, 4], undefined, "0.0E+0", "", "−2.5E+15"],
    [[2e-9, 1e-9], undefined, "0.0E+0", "", "2.0E-9"],
    [[999_000_000_000_000], "EUR", "#,##0,,,", "EUR billion", "999,000"],
    [[], "EUR", "#,##0", "EUR", "0"],
  ])("%j in %s is shown as %s", (values, unit, code, label, first) => {
    const format = numberFormat(values, unit);
    expect(format).toMatchObject({ code, unitLabel: label });
    expect(formatNumber(values[0] ?? 0, format)).toBe(first);
  });

  test("a unit that names a scale is not scaled once more", () => {
    expect(numberFormat([120_000], "EUR million").unitLabel).toBe("EUR million");
  });

  test.each([
    [1_234_567.891, "1,234,567.891"],
    [2140, "2,140"],
    [12, "12"],
    [31.5, "31.5"],
    [0.1 + 0.2, "0.3"],
    [-0.000_5, "−0.0005"],
    [1e300, "1.0E+300"],
  ])("a cell of %d is written out as %s", (value, text) => {
    expect(displayNumber(value, exactFormat(value, true))).toBe(text);
  });

  test("years are not grouped", () => {
    expect(displayNumber(2026, exactFormat(2026, isGrouped([2024, 2026])))).toBe("2026");
  });
});

test("a negative number has a minus, and one that rounds to zero has none", () => {
  const format = numberFormat([1200, -1200], undefined);
  expect(formatNumber(-1200, format)).toBe("−1,200");
  expect(formatNumber(-0.2, format)).toBe("0");
});

test("one number on its own carries unit and scale", () => {
  expect(displayNumber(3_912_345.67, numberFormat([3_912_345.67], "EUR"))).toBe("EUR 3.91M");
  expect(displayNumber(38, numberFormat([38], "%"))).toBe("38%");
  expect(displayNumber(12, numberFormat([12], "sensors"))).toBe("12 sensors");
});

test("axis ticks have fewer decimals than values", () => {
  const format = numberFormat([3_912_345.67, 5_974_071], "EUR");
  expect(axisCode(format, [3_912_345.67, 5_974_071])).toBe("#,##0,,");
  expect(axisCode(format, [3_912_345.67])).toBe("#,##0.0,,");
  expect(axisCode(numberFormat([12.34], "%"), [1.234])).toBe('#,##0.0"%"');
});
