import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toLines } from "./pdf-lines.ts";
import type { TextItem } from "./pdf-text.ts";
import { tableAt } from "./pdf-tables.ts";

const item = (text: string, x: number, y: number): TextItem => ({
  text,
  x,
  y,
  width: 5 * text.length,
  size: 10,
});
const row = (cells: readonly string[], y: number): TextItem[] =>
  cells.map((text, at) => item(text, 50 + at * 150, y));

describe("tableAt", () => {
  it("knows a number at the right edge of a wide head", () => {
    const head = [item("Line", 50, 700), item("Cost in million", 200, 700), item("Gain", 290, 700)];
    const rows = [1, 2].flatMap((n) => [
      item(`Quay ${n}`, 50, 700 - n * 20),
      item(`${n}.5`, 260, 700 - n * 20),
      item(`Berth ${n}`, 290, 700 - n * 20),
    ]);
    expect(tableAt([...head, ...rows], 0)?.lines.map(({ text }) => text)).toEqual([
      "Line | Cost in million | Gain",
      "Quay 1 | 1.5 | Berth 1",
      "Quay 2 | 2.5 | Berth 2",
    ]);
  });

  const lines = (items: readonly TextItem[]): readonly string[] => toLines(items).map(({ text }) => text);
  const rows = [
    ["North", "412", "8"],
    ["South", "305", "4"],
  ].flatMap((cells, at) => row(cells, 640 - at * 18));

  it("reads cells of the head that go over two lines, such as a name and its unit", () => {
    const head = [
      item("Region", 50, 660),
      item("Revenue", 200, 672),
      item("(EUR thousand)", 200, 660),
      item("Growth", 350, 672),
      item("(%)", 350, 660),
    ];
    expect(lines([...head, ...rows])).toEqual([
      "Region | Revenue (EUR thousand) | Growth (%)",
      "North | 412 | 8",
      "South | 305 | 4",
    ]);
  });

  it("reads a head in a larger font, and columns that are close together", () => {
    const large = ["Region", "Revenue", "Growth"].map((text, at) => ({
      ...item(text, 50 + at * 150, 665),
      width: 138,
      size: 13,
    }));
    expect(lines([...large, ...rows])[0]).toBe("Region | Revenue | Growth");
  });

  it("reads two columns as a table if the second has amounts", () => {
    const costs = [
      ["Item", "Cost"],
      ["Pump", "120 EUR"],
      ["Pipe", "EUR 1,500"],
    ].flatMap((cells, at) => [
      item(cells[0] ?? "", 50, 660 - at * 18),
      item(cells[1] ?? "", 82, 660 - at * 18),
    ]);
    expect(lines(costs)).toEqual(["Item | Cost", "Pump | 120 EUR", "Pipe | EUR 1,500"]);
  });

  it("reads neither two columns of words nor running text as a table", () => {
    expect(
      tableAt([...row(["a", "b"], 700), ...row(["c", "d"], 680), ...row(["e", "f"], 660)], 0),
    ).toBeUndefined();
    const words = (y: number): TextItem[] => [
      item("Words run", 50, y),
      item("on and", 97, y),
      item("on", 130, y),
    ];
    expect(tableAt([700, 686, 672, 658].flatMap(words), 0)).toBeUndefined();
  });

  it("ends before what stands in no column", () => {
    const table = [700, 680, 660].flatMap((y) => row(["a", "b", "c"], y));
    expect(tableAt([...table, item("A paragraph of many words over the whole page", 50, 640)], 0)?.end).toBe(
      9,
    );
  });
});

it("loses no text and takes no long time, whatever stands where", () => {
  const anywhere = fc.record({
    text: fc.constantFrom("a", "4.2", "two words", " "),
    x: fc.constantFrom(50, 200, 350, 120),
    y: fc.integer({ min: 0, max: 20 }).map((n) => n * 12),
    width: fc.constantFrom(20, 60),
    size: fc.constant(10),
  });
  fc.assert(
    fc.property(fc.array(anywhere, { maxLength: 60 }), (items) => {
      const letters = (texts: readonly string[]): string =>
        texts.join("").replaceAll(/[\s|]/g, "").split("").toSorted().join("");
      expect(letters(toLines(items).map(({ text }) => text))).toBe(letters(items.map(({ text }) => text)));
    }),
  );
  const long = Array.from({ length: 20_000 }, (_, n) =>
    row(["a", n % 3 === 0 ? "b" : " ", "c"], -n * 12),
  ).flat();
  expect(toLines(long).length).toBeGreaterThan(10_000);
});
