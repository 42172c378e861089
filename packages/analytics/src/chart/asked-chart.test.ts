import { chartSpecSchema } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { makeResult } from "../testing/make-result.ts";
import type { Cell, QueryResult } from "../types/result.ts";
import { chooseChart, type ChartChoice, type ChartWish } from "./choose-chart.ts";
import { renderChartSvg } from "./render-svg.ts";

const regions = ["Nordics", "DACH", "Benelux"];
const segments = ["Aquaculture", "Utility"];
const byBoth: QueryResult = makeResult(
  ["region", "segment", "revenue_2024 DOUBLE", "revenue_2025 DOUBLE"],
  regions.flatMap((region, i) =>
    segments.map((segment, j): Cell[] => [region, segment, i + j + 1, 10 * (i + 1) + j]),
  ),
);
const choose = (result: QueryResult, wish: ChartWish = {}): ChartChoice => {
  const choice = chooseChart(result, wish);
  expect(chartSpecSchema.parse(choice.chart)).toEqual(choice.chart);
  return choice;
};

describe("columns that are asked for", () => {
  it("are drawn: axis, figures and series", () => {
    const { chart } = choose(byBoth, { x: "region", y: ["revenue_2025"], series: "Segment" });
    expect(chart).toMatchObject({
      kind: "column",
      x: { label: "Region" },
      title: "Revenue 2025 by region and segment",
    });
    expect(chart.series.map(({ label }) => label)).toEqual(["Utility", "Aquaculture"]);
    expect(chart.rows[0]).toEqual({ x: "Benelux", y1: 31, y2: 30 });
  });

  it("may be several figures, also where one is far larger", () => {
    const rows = regions.map((region, i): Cell[] => [region, 1_000_000 * (i + 1), i + 1]);
    const { chart } = choose(makeResult(["region", "revenue DOUBLE", "orders DOUBLE"], rows), {
      x: "region",
      y: ["revenue", "orders"],
    });
    expect(chart.series.map(({ label }) => label)).toEqual(["Revenue", "Orders"]);
  });

  it("may be any numbers as the axis, in their order, and ids", () => {
    const rows = [30, 10, 20].map((size, i): Cell[] => [`C-${i}`, size, i]);
    const result = makeResult(["customer_id", "pack_size DOUBLE", "orders DOUBLE"], rows);
    expect(choose(result, { x: "pack_size", y: ["orders"] }).chart.rows.map(({ x }) => x)).toEqual([
      "10",
      "20",
      "30",
    ]);
    expect(choose(result, { x: "customer_id", y: ["orders"] }).chart.rows[0]).toEqual({ x: "C-2", y1: 2 });
  });

  it.each([
    [
      { x: "regoin" },
      'x: "result-1" has no column "regoin". Nearest: "region". Its columns: "region", "segment"',
    ],
    [
      { x: "region", y: ["segment"] },
      'y: "segment" has text such as "Aquaculture", and must have numbers. Columns of numbers: "revenue_2024", "revenue_2025".',
    ],
    [{ x: "region", series: "region" }, 'series: "region" is the axis already.'],
    [
      { x: "region", series: "segment", y: ["revenue_2024", "revenue_2025"] },
      'y: with series one column of numbers can be drawn, such as y: ["revenue_2024"].',
    ],
    [
      { x: "region", series: "segment", y: ["revenue_2024"], highlight: ["Nordic"] },
      'highlight: the chart shows no "Nordic". Give one of: "',
    ],
  ] as const)("are refused by name where they cannot be: %j", (wish, message) => {
    expect(() => chooseChart(byBoth, wish)).toThrow(message);
  });

  it("of different units share no axis", () => {
    const rows = regions.map((region, i): Cell[] => [region, 100 * i, i]);
    const result = makeResult(["region", "revenue_eur DOUBLE", "share_pct DOUBLE"], rows);
    expect(() => chooseChart(result, { x: "region", y: ["revenue_eur", "share_pct"] })).toThrow(
      'y: "revenue_eur" (EUR) and "share_pct" (%) cannot share an axis',
    );
  });
});

describe("rows that are not unique", () => {
  it("are refused with what makes them unique", () => {
    expect(() => chooseChart(byBoth, { x: "region", y: ["revenue_2024"] })).toThrow(
      'Rows are not unique by region: "Nordics" has 2 rows. They are unique by region, segment. Give series: "segment", or aggregate in SQL (GROUP BY region) and draw that result.',
    );
  });

  it("are refused also where the columns were chosen: prices are not added up", () => {
    const rows = ["A", "A", "B"].map((product, i): Cell[] => [product, 10 + i]);
    expect(() => chooseChart(makeResult(["product", "price DOUBLE"], rows))).toThrow(
      'Rows are not unique by product: "A" has 2 rows. No columns make them unique. Aggregate in SQL (GROUP BY product)',
    );
    const three = regions.flatMap((region) =>
      segments.flatMap((segment) => [2024, 2025].map((year): Cell[] => [region, segment, year, 1])),
    );
    expect(() =>
      chooseChart(makeResult(["region", "segment", "year BIGINT", "revenue DOUBLE"], three)),
    ).toThrow("They are unique by region, year, segment. Aggregate in SQL (GROUP BY region, year)");
  });
});

describe("what the chart leaves out is named", () => {
  it("columns, with the one value that a bar stands for", () => {
    const rows = regions.map((region, i): Cell[] => [region, segments[i % 2] ?? "", i + 1, 20 * i]);
    const { dropped } = choose(
      makeResult(["region", "segment", "revenue_eur DOUBLE", "share_pct DOUBLE"], rows),
    );
    expect(dropped).toEqual([
      "Columns not drawn: segment (Nordics: Aquaculture; DACH: Utility; Benelux: Aquaculture), share_pct.",
    ]);
  });

  it("values that are put together or left out, and rows beyond the result", () => {
    const rows = Array.from({ length: 40 }, (_, i): Cell[] => [`P ${i + 1}`, 100 - i]);
    const together = choose(makeResult(["product", "revenue DOUBLE"], rows));
    expect(together.dropped).toEqual([
      expect.stringMatching(/^Put together as Other: 20 of product \(P 21, P 22, .* and 10 more\)\.$/),
    ]);
    const cut = choose(
      makeResult(["product", "average_price DOUBLE"], rows, { truncated: true, total: 900 }),
    );
    expect(cut.dropped).toEqual([
      expect.stringMatching(/^Left out: 20 of product/),
      "Only the first 40 of 900 rows of the result are in it.",
    ]);
    expect(choose(byBoth, { x: "region", series: "segment", y: ["revenue_2024"] }).dropped).toEqual([
      "Columns not drawn: revenue_2025.",
    ]);
  });
});

describe("how it is shown", () => {
  const wide = makeResult(
    ["region", "old DOUBLE", "new DOUBLE"],
    regions.map((region, i): Cell[] => [region, 3 - i, 10 * i]),
  );
  const order = (sort: NonNullable<ChartWish["sort"]>): unknown =>
    choose(wide, { x: "region", y: ["new"], sort }).chart.rows.map(({ x }) => x);

  it("in the order that is asked for, Other last", () => {
    expect(order("largest")).toEqual(["Benelux", "DACH", "Nordics"]);
    expect(order("smallest")).toEqual(["Nordics", "DACH", "Benelux"]);
    expect(order("x")).toEqual(["Benelux", "DACH", "Nordics"]);
    expect(order("rows")).toEqual(["Nordics", "DACH", "Benelux"]);
    const rows = Array.from({ length: 40 }, (_, i): Cell[] => [`P ${i + 1}`, 100 - i]);
    const many = choose(makeResult(["product", "revenue DOUBLE"], rows), { sort: "smallest" }).chart;
    expect(many.rows[0]?.["x"]).toBe("P 20");
    expect(many.rows.at(-1)?.["x"]).toBe("Other (20)");
  });

  it("beside one another where the series are years", () => {
    const years = makeResult(
      ["region", "year INTEGER", "revenue DOUBLE"],
      ["North", "South"].flatMap((region) => [2024, 2025].map((year): Cell[] => [region, year, 10])),
    );
    const { chart } = choose(years, { x: "region", series: "year", y: ["revenue"] });
    expect(chart.stacked).toBeUndefined();
    expect(chart.series.map(({ label }) => label)).toEqual(["2024", "2025"]);
    const asked = choose(years, { x: "region", series: "year", y: ["revenue"], stacked: true });
    expect(asked.chart.stacked).toBe(true);
  });

  it("stacked where possible, else with a note", () => {
    const y = ["old", "new"];
    expect(choose(wide, { x: "region", y, stacked: true }).chart.stacked).toBe(true);
    expect(
      choose(byBoth, { x: "region", series: "segment", y: ["revenue_2024"], stacked: false }).chart.stacked,
    ).toBeUndefined();
    const single = choose(wide, { x: "region", y: ["new"], stacked: true });
    expect(single.chart.stacked).toBeUndefined();
    expect(single.reason).toContain("not stacked: that takes several series");
  });

  it("with highlights, decimals, unit and labels, in the spec and in the picture", async () => {
    const { chart } = choose(wide, {
      x: "region",
      y: ["new"],
      highlight: ["dach"],
      decimals: 1,
      unit: "EUR million",
      labels: true,
    });
    expect(chart).toMatchObject({
      highlight: ["DACH"],
      labels: true,
      series: [{ label: "New", unit: "EUR million", decimals: 1 }],
    });
    const svg = await renderChartSvg(chart);
    expect(svg).toContain(">10.0<");
    expect(svg.match(/opacity="0\.3"/g)?.length).toBeGreaterThanOrEqual(2);
    const both = choose(wide, { x: "region", y: ["old", "new"], labels: true, highlight: ["New"] }).chart;
    expect(await renderChartSvg(both)).toContain(">20</text>");
    expect(await renderChartSvg({ ...both, labels: false })).not.toMatch(/>20<\/text>.*>20<\/text>/s);
    const parts = choose(wide, { x: "region", y: ["old", "new"], labels: true, stacked: true }).chart;
    expect(await renderChartSvg(parts)).toMatch(/<text[^>]* fill="white"[^>]*>20<\/text>/);
    const lines = choose(
      makeResult(
        ["year BIGINT", "revenue DOUBLE"],
        [2019, 2020, 2021, 2022, 2023, 2024, 2025].map((year, i): Cell[] => [year, 111 + i]),
      ),
      { labels: true },
    ).chart;
    expect(await renderChartSvg(lines)).toContain(">113</text>");
  });
});

describe("a date of the axis", () => {
  const dates = ["2025-01-01", "2025-04-01", "2025-07-01"];
  const quarters = makeResult(
    ["quarter DATE", "revenue_million DOUBLE"],
    dates.map((date, i): Cell[] => [date, i + 1.5]),
  );

  it.each(["2025-Q2", "2025-04-01", "2025-04-01 00:00:00", "2025-04-01T00:00:00.000Z"])(
    "is highlighted as %s, as the chart or the rows have it",
    (name) => {
      const { chart } = choose(quarters, { x: "quarter", highlight: [name] });
      expect(chart.highlight).toEqual(["2025-Q2"]);
    },
  );

  it("is not another date of the same quarter", () => {
    expect(() => choose(quarters, { x: "quarter", highlight: ["2025-05-01"] })).toThrow("2025-Q2");
  });

  it("names the unit of the figures once", () => {
    const { chart } = choose(quarters, { x: "quarter", unit: "EUR million" });
    expect(chart).toMatchObject({
      title: "Revenue by quarter",
      series: [{ label: "Revenue", unit: "EUR million" }],
    });
  });
});

describe("years, months, weekdays and hours are dimensions", () => {
  it.each([
    ["year BIGINT", [2023, 2024, 2025]],
    ["order_year DOUBLE", [2023, 2024, 2025]],
    ['"year"(order_date) BIGINT', [2023, 2024, 2025]],
    ["main.date_part('year', d) BIGINT", [2023, 2024, 2025]],
    ["date_part('hour', t) BIGINT", [9, 10, 11]],
    ["dayofweek(order_date) BIGINT", [0, 1, 2]],
    ["isodow BIGINT", [1, 2, 3]],
    ["Monat BIGINT", [1, 2, 3]],
    ["kvartal BIGINT", [1, 2, 3]],
    ["y BIGINT", [2023, 2024, 2025]],
    ["h BIGINT", [0, 1, 2]],
    ["weekday", ["Mon", "Tue", "Sun"]],
    ["Wochentag", ["Montag", "Dienstag", "Sonntag"]],
  ])("%s", (column, values) => {
    const rows = values.map((value, i): Cell[] => [value, 50 - i]).toReversed();
    const { chart } = choose(makeResult([column, "revenue DOUBLE"], rows));
    expect(chart.kind).toBe("column");
    expect(chart.rows.map(({ x }) => x)).toEqual(values.map(String));
    expect(chart.series).toHaveLength(1);
  });

  it("and an hour beside a weekday gives the colours", () => {
    const rows = [1, 2].flatMap((weekday) => [9, 10].map((hour): Cell[] => [weekday, hour, weekday * hour]));
    const { chart } = choose(makeResult(["weekday BIGINT", "hour BIGINT", "orders BIGINT"], rows));
    expect(chart.x?.label).toBe("Weekday");
    expect(chart.series.map(({ label }) => label)).toEqual(["9", "10"]);
  });

  it("but two figures are a cloud as before, and so is a count beside a rate", () => {
    const rows = Array.from({ length: 30 }, (_, i): Cell[] => [i * 3, i]);
    expect(choose(makeResult(["orders BIGINT", "rate DOUBLE"], rows)).chart.kind).toBe("scatter");
  });
});

it.each([
  ["share_pct", "%", "Share"],
  ["growth_percentage_points", "points", "Growth"],
  ["change_pp", "points", "Change"],
  ["points_change", "points", "Change"],
  ["Veränderung in Prozentpunkten", "points", "Veränderung"],
  ["loyalty_points", undefined, "Loyalty points"],
])("the unit of %s is %s", (name, unit, label) => {
  const { chart } = choose(
    makeResult(
      ["region", `${name} DOUBLE`],
      regions.map((region, i): Cell[] => [region, i + 0.5]),
    ),
  );
  expect(chart.series[0]).toMatchObject({ label, ...(unit === undefined ? {} : { unit }) });
  expect(chart.series[0]?.unit).toBe(unit);
});
