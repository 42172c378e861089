import { chartSpecSchema, isTroupeError } from "@troupe/core";
import type { ChartKind } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { makeResult } from "../testing/make-result.ts";
import type { Cell, QueryResult } from "../types/result.ts";
import { chooseChart } from "./choose-chart.ts";

const months = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2023, i, 1)).toISOString().slice(0, 10));
const named = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);

const overTime = (count: number): QueryResult =>
  makeResult(
    ["month DATE", "revenue_eur DOUBLE"],
    months(count)
      .map((month, i) => [month, i * 10])
      .toReversed(),
  );
const byCategory = (count: number, measure = "revenue"): QueryResult =>
  makeResult(
    ["product", `${measure} DOUBLE`],
    named(count, "P").map((name, i) => [name, i + 1]),
  );

describe("the kind of chart follows the shape", () => {
  const shapes: readonly (readonly [string, QueryResult, ChartKind, number])[] = [
    ["one figure", makeResult(["revenue DOUBLE"], [[5]]), "number", 1],
    ["few points in time", overTime(6), "column", 6],
    ["many points in time", overTime(24), "line", 24],
    ["a category", byCategory(30), "bar", 30],
    ["too many values of a category: top 20 and other", byCategory(31), "bar", 21],
    ["too many values that do not add up: top 20", byCategory(31, "average_price"), "bar", 20],
    [
      "one raw measure: its distribution",
      makeResult(
        ["revenue DOUBLE"],
        Array.from({ length: 100 }, (_, i) => [i]),
      ),
      "column",
      10,
    ],
    [
      "two measures: a cloud",
      makeResult(
        ["price DOUBLE", "weight DOUBLE"],
        Array.from({ length: 50 }, (_, i) => [i, i * 2]),
      ),
      "scatter",
      50,
    ],
    [
      "more of a cloud than fits: an even sample",
      makeResult(
        ["price DOUBLE", "weight DOUBLE"],
        Array.from({ length: 1_200 }, (_, i) => [i, i * 2]),
      ),
      "scatter",
      400,
    ],
    ["categories without a number are counted", makeResult(["region"], [["a"], ["b"], ["a"]]), "bar", 2],
    [
      "year and quarter in two columns are one time",
      makeResult(
        ["year BIGINT", "quarter BIGINT", "revenue DOUBLE"],
        [2024, 2025].flatMap((year) =>
          [1, 2, 3, 4].map((quarter): Cell[] => [year, quarter, year + quarter]),
        ),
      ),
      "line",
      8,
    ],
  ];

  it.each(shapes)("%s", (_, result, kind, points) => {
    const { chart } = chooseChart(result);
    expect(chartSpecSchema.parse(chart)).toEqual(chart);
    expect(chart.kind).toBe(kind);
    expect(chart.rows).toHaveLength(points);
  });

  it("one series for each value of a second dimension, the largest first, the rest as other", () => {
    const rows = months(3).flatMap((month) =>
      named(10, "R").map((region, i): Cell[] => [month, region, i + 1]),
    );
    const { chart } = chooseChart(makeResult(["month DATE", "region", "revenue DOUBLE"], rows));
    expect(chart).toMatchObject({ kind: "column", stacked: true, title: "Revenue by month and region" });
    expect(chart.series.map((series) => series.label)).toEqual([
      "R 10",
      "R 9",
      "R 8",
      "R 7",
      "R 6",
      "R 5",
      "R 4",
      "Other (3)",
    ]);
    expect(chart.rows[0]).toMatchObject({ x: "2023-01", y1: 10, y8: 6 });
  });

  it("two categories: the longer one is the axis", () => {
    const rows = named(8, "P").flatMap((product, i) =>
      ["a", "b"].map((region): Cell[] => [region, product, i]),
    );
    const { chart } = chooseChart(makeResult(["region", "product", "revenue DOUBLE"], rows));
    expect(chart).toMatchObject({ kind: "bar", x: { label: "Product" } });
    expect(chart.series.map((series) => series.label)).toEqual(["a", "b"]);
  });
});

describe("periods that are text", () => {
  const periods: readonly (readonly string[])[] = [
    ["2024", "2025", "2026"],
    ["Q1", "Q2", "Q3", "Q4"],
    ["Q3 2024", "Q4 2024", "Q1 2025"],
    ["2024 Q3", "2024 Q4", "2025 Q1"],
    ["Jan", "Feb", "Mar", "Dec"],
    ["Januar", "März", "Oktober"],
    ["Mar 2024", "Dec 2024", "Feb 2025"],
    ["11.2024", "02.2025", "10.2025"],
  ];

  it.each(periods)("are in their order: %s, %s, %s", (...labels) => {
    const rows = labels.map((label, i): Cell[] => [label, 10 + ((i * 7) % labels.length)]).toReversed();
    const { chart } = chooseChart(makeResult(["period", "revenue DOUBLE"], rows));
    expect(chart.rows.map(({ x }) => x)).toEqual(labels);
    expect(chart.kind).toBe("column");
  });

  it.each(periods)("are in their order beside a category: %s, %s, %s", (...labels) => {
    const rows = labels.flatMap((label, i) =>
      ["a", "b"].map((region): Cell[] => [region, label, 100 + ((i * 7) % labels.length)]),
    );
    const { chart } = chooseChart(makeResult(["region", "period", "revenue DOUBLE"], rows.toReversed()));
    const isAxis = chart.x?.label === "Period";
    expect(isAxis ? chart.rows.map(({ x }) => x) : chart.series.map(({ label }) => label)).toEqual(labels);
  });

  it("are in their order as colours, with a quarter as the axis", () => {
    const rows = ["2026", "2025"].flatMap((year) =>
      ["Q3", "Q2", "Q4", "Q1"].map((quarter, i): Cell[] => [quarter, year, Number(year) + i]),
    );
    const { chart } = chooseChart(makeResult(["quarter", "year", "revenue DOUBLE"], rows));
    const series = chart.series.map(({ label }) => label);
    const axis = chart.rows.map(({ x }) => x);
    expect([series, axis].toSorted((a, b) => a.length - b.length)).toEqual([
      ["2025", "2026"],
      ["Q1", "Q2", "Q3", "Q4"],
    ]);
  });

  it("are a category by size where a value is no period", () => {
    const rows: Cell[][] = [
      ["Q1", 1],
      ["Q2", 3],
      ["later", 2],
    ];
    const { chart } = chooseChart(makeResult(["period", "revenue DOUBLE"], rows));
    expect(chart.rows.map(({ x }) => x)).toEqual(["Q2", "later", "Q1"]);
  });
});

describe("what never happens", () => {
  it("ids and constants are not drawn", () => {
    const rows = [1, 2, 3].map((id): Cell[] => [id, "EUR", `R ${id}`, id * 5]);
    const { chart } = chooseChart(
      makeResult(["customer_id BIGINT", "currency", "region", "revenue DOUBLE"], rows),
    );
    expect(chart.x?.label).toBe("Region");
    expect(chart.series.map((series) => series.label)).toEqual(["Revenue"]);
  });

  it("a measure of another size does not share the axis", () => {
    const rows = named(3, "R").map((region, i): Cell[] => [region, 1_000_000 + i, i + 1, 2_000_000]);
    const { chart } = chooseChart(
      makeResult(["region", "revenue DOUBLE", "orders DOUBLE", "target DOUBLE"], rows),
    );
    expect(chart.series.map((series) => series.label)).toEqual(["Revenue", "Target"]);
    expect(chart.title).toBe("Revenue and target by region");
  });

  it("rows of which some are missing are not added up", () => {
    const result = makeResult(
      ["region", "revenue DOUBLE"],
      [
        ["a", 1],
        ["b", 5],
        ["a", 2],
      ],
      { truncated: true, total: 9 },
    );
    expect(() => chooseChart(result)).toThrow("GROUP BY region");
  });

  it("other is not made of rows that were limited", () => {
    const result = { ...byCategory(40), limited: true };
    expect(chooseChart(result).chart.rows).toHaveLength(20);
  });

  it("nothing to draw is an error that says what to do", () => {
    expect(() => chooseChart(makeResult(["region"], []))).toThrow("has no rows");
    expect(() => chooseChart(makeResult(["customer_id BIGINT"], [[1], [2]]))).toThrow("no number to draw");
    expect(() => chooseChart(byCategory(3), { kind: "number" })).toThrow("one row");
  });
});

describe("order and labels", () => {
  it("time goes forward, categories by size then name", () => {
    expect(chooseChart(overTime(3)).chart.rows.map((row) => row["x"])).toEqual([
      "2023-01",
      "2023-02",
      "2023-03",
    ]);
    const tied = makeResult(
      ["region", "revenue DOUBLE"],
      [
        ["b", 1],
        ["c", 2],
        ["a", 1],
      ],
    );
    expect(chooseChart(tied).chart.rows.map((row) => row["x"])).toEqual(["c", "a", "b"]);
  });

  it("carries units, title, and where the numbers come from", () => {
    const { chart } = chooseChart(overTime(8), { id: "chart-7" });
    expect(chart).toMatchObject({
      id: "chart-7",
      title: "Revenue by month",
      x: { field: "x", label: "Month", type: "date" },
      series: [{ field: "y1", label: "Revenue", unit: "EUR" }],
      provenance: { resultId: "result-1", query: "SELECT 1", source: "sales.csv" },
    });
  });

  it("draws columns called anything", () => {
    const { chart } = chooseChart(
      makeResult(
        ["__proto__", "constructor DOUBLE"],
        [
          ["x\ny", 1],
          ["z", 2],
        ],
      ),
    );
    expect(chart.rows).toEqual([
      { x: "z", y1: 2 },
      { x: "x y", y1: 1 },
    ]);
  });

  it("draws exact decimals that came as text", () => {
    const { chart } = chooseChart(
      makeResult(
        ["region", "revenue DECIMAL(38,2)"],
        [
          ["a", "12345678901234567.89"],
          ["b", 1],
        ],
      ),
    );
    expect(chart.rows[0]?.["y1"]).toBe(Number("12345678901234567.89"));
  });
});

describe("a wish", () => {
  it("for a pie is followed up to six positive parts of a whole", () => {
    expect(chooseChart(byCategory(5), { kind: "pie" }).chart).toMatchObject({
      kind: "pie",
      rows: { length: 5 },
    });
    expect(chooseChart(byCategory(9), { kind: "pie" }).chart.rows.at(-1)).toEqual({ x: "Other (4)", y1: 10 });
    const negative = makeResult(
      ["region", "profit DOUBLE"],
      [
        ["a", 1],
        ["b", -1],
      ],
    );
    const choice = chooseChart(negative, { kind: "pie" });
    expect(choice.chart.kind).toBe("bar");
    expect(choice.reason).toContain("a pie chart does not fit");
    expect(chooseChart({ ...byCategory(5), limited: true }, { kind: "pie" }).chart.kind).toBe("bar");
    expect(chooseChart(byCategory(5, "average_price"), { kind: "pie" }).chart.kind).toBe("bar");
  });

  it("for lines, areas and columns is followed where the axis allows it", () => {
    expect(chooseChart(overTime(4), { kind: "area" }).chart.kind).toBe("area");
    expect(chooseChart(overTime(4), { kind: "line" }).chart.kind).toBe("line");
    expect(chooseChart(byCategory(4), { kind: "line" }).chart.kind).toBe("bar");
    expect(chooseChart(byCategory(4), { kind: "column" }).chart.kind).toBe("column");
    const two = makeResult(
      ["region", "a DOUBLE", "b DOUBLE"],
      [
        ["x", 1, 2],
        ["y", 2, 3],
      ],
    );
    expect(chooseChart(two, { kind: "scatter" }).chart.kind).toBe("scatter");
  });
});

function outcome(result: QueryResult): string {
  try {
    chartSpecSchema.parse(chooseChart(result).chart);
    return "valid";
  } catch (error) {
    return isTroupeError(error) ? error.code : String(error);
  }
}

it("any result gives a valid chart or says why not", () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
  );
  const column = fc.constantFrom(
    "region",
    "day DATE",
    "year BIGINT",
    "n BIGINT",
    "x DOUBLE",
    "order_id BIGINT",
  );
  const result = fc
    .array(column, { minLength: 1, maxLength: 5 })
    .chain((columns) =>
      fc.tuple(
        fc.constant(columns),
        fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 60 }),
        fc.boolean(),
      ),
    );
  fc.assert(
    fc.property(result, ([columns, rows, truncated]) => {
      expect(outcome(makeResult(columns, rows, { truncated }))).toMatch(/^(valid|input\.invalid)$/);
    }),
  );
});

describe("years beside one another", () => {
  const rows = ["Q1", "Q2", "Q3", "Q4"].flatMap((quarter, i) => [
    [quarter, 2024, 40 - i],
    [quarter, 2023, i + 1],
  ]);

  it("by quarter: grouped columns, a series a year, both in their order", () => {
    const { chart } = chooseChart(makeResult(["quarter", "year BIGINT", "revenue_eur DOUBLE"], rows));
    expect(chart).toMatchObject({ kind: "column", x: { label: "Quarter", type: "category" } });
    expect(chart.stacked).toBeUndefined();
    expect(chart.series.map((field) => field.label)).toEqual(["2023", "2024"]);
    expect(chart.rows).toEqual([
      { x: "Q1", y1: 1, y2: 40 },
      { x: "Q2", y1: 2, y2: 39 },
      { x: "Q3", y1: 3, y2: 38 },
      { x: "Q4", y1: 4, y2: 37 },
    ]);
  });

  it("by month in the order of the year, by a category the largest first", () => {
    const byMonth = ["Oct", "Feb"].flatMap((month) => [2023, 2024].map((year) => [month, year, 1]));
    const months = chooseChart(makeResult(["month", "year BIGINT", "revenue DOUBLE"], byMonth)).chart;
    expect(months.rows.map((row) => row["x"])).toEqual(["Feb", "Oct"]);
    const byRegion = named(8, "R").flatMap((name, i) => [2023, 2024].map((year) => [name, year, i]));
    const regions = chooseChart(makeResult(["region", "year BIGINT", "revenue DOUBLE"], byRegion)).chart;
    expect(regions.kind).toBe("bar");
    expect(regions.rows[0]).toEqual({ x: "R 8", y1: 7, y2: 7 });
  });

  it("a course of time stays one where the year comes first, or there are many", () => {
    const first = rows.map(([quarter = "", year = 0, value = 0]) => [year, quarter, value]);
    const course = chooseChart(makeResult(["year BIGINT", "quarter", "revenue DOUBLE"], first)).chart;
    expect(course.x?.label).toBe("Year");
    const years = Array.from({ length: 6 }, (_, i) => ["A", "B"].map((name) => [name, 2019 + i, i])).flat();
    const many = chooseChart(makeResult(["region", "year BIGINT", "revenue DOUBLE"], years)).chart;
    expect(many.x?.label).toBe("Year");
  });
});

it("draws shares as bars, and as a pie only up to six parts of a whole", () => {
  const shares = (count: number): QueryResult =>
    makeResult(
      ["region", "share_percent DOUBLE", "revenue DOUBLE"],
      named(count, "R").map((name, i) => [name, 10 + i, 100 + i]),
    );
  for (const count of [3, 8]) expect(chooseChart(shares(count)).chart.kind).toBe("bar");
  const asked = chooseChart(byCategory(8), { kind: "pie" }).chart;
  expect(asked.kind === "pie" ? asked.rows.length : 0).toBeLessThanOrEqual(6);
});
