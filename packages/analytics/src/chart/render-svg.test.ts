import type { ChartKind, ChartSpec } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { renderChartSvg } from "./render-svg.ts";

const measure = (field: string, label: string) => ({ field, label, type: "number" as const, unit: "EUR" });

function chartOf(kind: ChartKind, over: Partial<ChartSpec> = {}): ChartSpec {
  return {
    v: 1,
    id: "chart-1",
    kind,
    title: "Revenue by region",
    ...(kind === "number" ? {} : { x: { field: "region", label: "Region", type: "category" } }),
    series: [measure("revenue", "Revenue")],
    rows: [
      { region: "Nordics", revenue: 4_210_000 },
      { region: "DACH", revenue: 2_105_000 },
      { region: "Benelux", revenue: null },
    ],
    provenance: { resultId: "result-1", query: "SELECT 1", source: "sales.csv" },
    ...over,
  };
}

const KINDS: readonly ChartKind[] = ["bar", "column", "line", "area", "pie", "scatter", "number"];

/** Tags are closed in their order, and what is between them is escaped: enough to be read by a parser of XML. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  const body = svg.replace(/^<\?xml[^>]*\?>/, "");
  for (const [tag, end, name = "", self] of body.matchAll(
    /<(\/?)([A-Za-z][\w:-]*)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/g,
  )) {
    if (end === "/" && open.pop() !== name) return false;
    if (end === "" && self === "" && tag !== "") open.push(name);
  }
  const text = body.replace(/<[^>]*>/g, "");
  return open.length === 0 && !/[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text);
}

describe("the picture of a chart", () => {
  it.each(KINDS)(
    "of kind %s has its title, its source and its marks, and the same bytes each time",
    async (kind) => {
      const svg = await renderChartSvg(chartOf(kind));
      expect(svg).toContain("Revenue by region");
      expect(svg).toContain("Source: sales.csv");
      expect(svg).toMatch(kind === "number" ? /EUR 4,210,000/ : /role="graphics-symbol"/);
      expect(isWellFormed(svg)).toBe(true);
      await renderChartSvg(chartOf("pie", { title: "Another" }));
      expect(await renderChartSvg(chartOf(kind))).toBe(svg);
    },
  );

  it("has every series of a chart, beside one another or stacked", async () => {
    const series = [measure("revenue", "Revenue"), measure("cost", "Cost")];
    const rows = [{ region: "Nordics", revenue: 4, cost: 3 }];
    for (const kind of ["bar", "column", "line", "area"] as const)
      for (const stacked of [true, false]) {
        const svg = await renderChartSvg(chartOf(kind, { series, rows, stacked }));
        expect(svg).toContain(">Revenue</text>");
        expect(svg).toContain(">Cost</text>");
      }
  });

  it("takes names and texts as data: nothing is a path, an expression, a link or a tag", async () => {
    const field = "a.b['c']";
    const svg = await renderChartSvg(
      chartOf("column", {
        title: '</text><script>alert(1)</script> & "x"',
        x: { field, label: "datum.x <b>", type: "category" },
        rows: [{ [field]: "</svg><image href='http://127.0.0.1:9/x'/>", revenue: 1 }],
        provenance: { resultId: "r", query: "", source: "file:///etc/passwd" },
      }),
    );
    expect(svg).not.toMatch(/<script|<image|<a\b| (?:xlink:)?href="/);
    expect(isWellFormed(svg)).toBe(true);
  });

  it("is made of any rows and texts", async () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(null));
    const rows = fc.array(fc.record({ region: text, revenue: number }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...KINDS), text, rows, async (kind, title, all) => {
        const svg = await renderChartSvg(chartOf(kind, { title, rows: all }));
        expect(svg.endsWith("</svg>\n")).toBe(true);
        expect(isWellFormed(svg)).toBe(true);
        expect(svg.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\uFFFE\uFFFF]/u);
      }),
      { numRuns: 60 },
    );
  });
});
