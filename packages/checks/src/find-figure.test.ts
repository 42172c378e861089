import { expect, it } from "vitest";

import { findFigure, readFigure } from "./find-figure.ts";

it.each([
  ["Revenue was EUR 1.9 million.", { value: 1_900_000 }, true],
  ["Revenue was 1,900,000 euros.", { value: 1_900_000, unit: "EUR" }, true],
  ["Der Umsatz betrug 1.900.000 Euro.", { value: 1_900_000, unit: "EUR" }, true],
  ["Revenue was $1.9 million.", { value: 1_900_000, unit: "EUR" }, false],
  ["Revenue was about 2 million.", { value: 1_900_000 }, false],
  ["Revenue was 63.6 million.", { value: 63_586_069.38 }, true],
  ["Revenue was 63.5 million.", { value: 63_586_069.38 }, false],
  ["| Region | EUR |\n| --- | --- |\n| Nordics | 1,900,000.00 |", { value: 1_900_000, unit: "EUR" }, true],
  ["It caught eight of ten events.", { value: 8 }, true],
  ["It takes 90 minutes.", { value: 1.5, unit: "hours" }, true],
  ["It has 1,390 stations.", { value: 1390, unit: "stations" }, true],
  ["It has 1,390 customers.", { value: 1390, unit: "stations" }, false],
  ["It fell by 12 %.", { value: -12, unit: "%" }, true],
  ["It rose by 13 %.", { value: 12, unit: "%" }, false],
  ["", { value: 12 }, false],
])("%j and %j: %s", (text, wanted, isFound) => {
  expect(findFigure(text, wanted).isFound).toBe(isFound);
});

it("takes a tolerance as an amount or as a share", () => {
  const text = "About 2 million people.";
  expect(findFigure(text, { value: 1_900_000 }, { share: 0.1 }).isFound).toBe(true);
  expect(findFigure(text, { value: 1_900_000 }, { amount: 50_000 }).isFound).toBe(false);
});

it("names the figures of the text, the closest first", () => {
  expect(findFigure("10 of 400 took 28 days.", { value: 25 }).figures).toEqual(["28 days", "10", "400"]);
});

it("reads a figure with its unit, and nothing that is more or less than one", () => {
  expect(readFigure("EUR 1.9 million")).toMatchObject({ value: 1_900_000, unit: "EUR" });
  expect(readFigure("45 %")).toMatchObject({ value: 45, unit: "%" });
  expect(readFigure("1,390 stations")).toMatchObject({ value: 1390, unit: "stations" });
  expect(readFigure("-12.5")).toMatchObject({ value: -12.5 });
  expect([readFigure("many"), readFigure("8 of 10")]).toEqual([undefined, undefined]);
});
