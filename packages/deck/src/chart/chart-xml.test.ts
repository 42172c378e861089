import type { ChartSpec } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { themeNamed } from "../spec/theme.ts";
import { chartXml } from "./chart-xml.ts";

const field = (name: string, decimals?: number) => ({
  field: name,
  label: name,
  type: "number" as const,
  ...(decimals === undefined ? {} : { decimals }),
});
const chart = (more: Partial<ChartSpec> = {}, decimals?: number): ChartSpec => ({
  v: 1,
  id: "c",
  kind: "column",
  title: "Spend",
  x: { field: "x", label: "Year", type: "category" },
  series: [field("a", decimals), field("b", decimals)],
  rows: [
    { x: "2026", a: 2.4, b: 1 },
    { x: "2027", a: 3, b: 2.25 },
  ],
  provenance: { resultId: "r", query: "", source: "plan" },
  ...more,
});
const xml = (spec: ChartSpec): string => chartXml(spec, { w: 9, h: 4 }, themeNamed("clear"), "en-GB");

describe("a chart with highlights", () => {
  const fills = (spec: ChartSpec) =>
    [...xml(spec).matchAll(/srgbClr val="(\w{6})"/g)].map(([, color]) => color);
  const [first, second] = themeNamed("clear").colors.chart;

  it("has paler bars for the other places of the axis", () => {
    const lit = xml(chart({ highlight: ["2027"] }));
    expect(lit.match(/<c:dPt><c:idx val="0"\/>/g)).toHaveLength(2);
    expect(lit).not.toContain('<c:dPt><c:idx val="1"/>');
    expect(xml(chart())).not.toContain("<c:dPt>");
  });

  it("has the other series paler", () => {
    expect(fills(chart({ highlight: ["a"] }))).toContain(first);
    expect(fills(chart({ highlight: ["a"] }))).not.toContain(second);
    expect(fills(chart({ kind: "line", highlight: ["b"] }))).not.toContain(first);
  });

  it("has the other slices paler", () => {
    const pie = chart({ kind: "pie", series: [field("a")], highlight: ["2026"] });
    expect(fills(pie)).toContain(first);
    expect(fills(pie)).not.toContain(second);
  });
});

describe("a chart that says how its figures are shown", () => {
  it("has them inside the parts where it is stacked, and keeps the axis for the totals", () => {
    const stacked = xml(chart({ stacked: true, labels: true }));
    expect(stacked.match(/<c:dLblPos val="ctr"\/>/g)).toHaveLength(2);
    expect(stacked).toContain('<c:delete val="0"/>');
    expect(xml(chart({ stacked: true }))).not.toContain("<c:dLbls>");
  });

  it("has none where it asks for none", () => {
    expect(xml(chart())).toContain("<c:dLbls>");
    expect(xml(chart({ labels: false }))).not.toContain("<c:dLbls>");
  });

  it("has the decimals that it asks for", () => {
    const codes = (spec: ChartSpec) =>
      new Set([...xml(spec).matchAll(/<c:numFmt formatCode="([^"]+)"/g)].map(([, code]) => code));
    expect(codes(chart({ labels: true, stacked: true }, 1))).toContain("#,##0.0");
    expect(codes(chart({ labels: true, stacked: true }))).toContain("#,##0.00");
  });
});
