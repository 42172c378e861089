import { expect, it } from "vitest";

import { periodsNamed, saysMoreThanDates } from "./named-periods.ts";

it.each([
  ["In the second quarter of 2025 revenue was EUR 2,024.", [2025], [2], []],
  ["Q1 and Q3 2024", [2024], [1, 3], []],
  ["Im 2. Quartal 2025 und im März 2024", [2025, 2024], [2], [3]],
  ["It may rise in May 2025.", [2025], [], [5]],
  ["Shops may close.", [], [], []],
])("reads the periods of %j", (text, years, quarters, months) => {
  expect(periodsNamed(text)).toEqual({ years, quarters, months });
});

it.each([
  ["Timeline 2027–2028 (plan of January 2026)", false],
  ["Board meeting, 12 March 2026", false],
  ["Sales 2025: up 17 %", true],
  ["What to remember", true],
])("tells whether a title says more than dates: %s", (text, expected) => {
  expect(saysMoreThanDates(text)).toBe(expected);
});
