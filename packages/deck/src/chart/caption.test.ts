import { expect, test } from "vitest";

import { sampleChart } from "../testing/samples.ts";
import { chartCaption, withUnit } from "./caption.ts";

test.each([
  ["Revenue", "EUR million", "Revenue, EUR million"],
  ["Revenue in EUR million", "EUR million", "Revenue in EUR million"],
  ["Revenue (EUR)", "EUR million", "Revenue (EUR million)"],
  ["Revenue million", "EUR million", "Revenue, EUR million"],
  ["Revenue (million)", "EUR million", "Revenue (EUR million)"],
  ["Revenue in million", "EUR million", "Revenue in EUR million"],
  ["EUR revenue by region", "EUR million", "EUR revenue by region, million"],
  ["EUR", "EUR million", "EUR million"],
  ["Revenue (€)", "€ million", "Revenue (€ million)"],
  ["Visits", "", "Visits"],
  ["", "EUR", "EUR"],
])("%j with the unit %j is captioned %j", (text, unit, caption) => {
  expect(withUnit(text, unit)).toBe(caption);
});

test("a caption has the whole title of its chart, and the unit once", () => {
  const title =
    "Revenue of all product families by quarter, from the first order to the last one that was paid";
  expect(chartCaption({ ...sampleChart("column"), title }, "Sales")).toBe(`${title}, EUR million`);
  const series = [{ field: "revenue", label: "EUR", type: "number", unit: "EUR" }] as const;
  expect(chartCaption({ ...sampleChart("column"), title: "Sales", series }, "Sales")).toBe("EUR million");
});
