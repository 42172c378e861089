import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createMetrics } from "./create-metrics.ts";

describe("the counts of a process", () => {
  it("add up by name and labels, whatever the order of the labels", () => {
    const metrics = createMetrics();
    metrics.count("troupe_b_total");
    metrics.count("troupe_a_total", 2, { agent: "rag", name: "x" });
    metrics.count("troupe_a_total", 3, { name: "x", agent: "rag" });
    metrics.count("troupe_a_total", 1, { agent: "data", name: "x" });
    expect(metrics.text()).toBe(
      [
        "# TYPE troupe_a_total counter",
        'troupe_a_total{agent="data",name="x"} 1',
        'troupe_a_total{agent="rag",name="x"} 5',
        "# TYPE troupe_b_total counter",
        "troupe_b_total 1",
        "",
      ].join("\n"),
    );
  });

  it("say so when a name is none, or a count shrinks", () => {
    const metrics = createMetrics();
    expect(() => metrics.count("no name")).toThrow('"no name" is no name');
    expect(() => metrics.count("ok", 1, { 'a"': "" })).toThrow("is no name");
    expect(() => metrics.count("ok", -1)).toThrow("cannot grow by -1");
    expect(() => metrics.count("ok", Number.NaN)).toThrow("cannot grow by NaN");
    expect(metrics.text()).toBe("");
  });

  it("stay few, however many values a label is given", () => {
    const metrics = createMetrics();
    for (let at = 0; at < 5_000; at++) metrics.count("ok", 1, { value: `${at}` });
    const lines = metrics.text().trimEnd().split("\n");
    expect(lines.length).toBeLessThan(210);
    expect(lines).toContain('ok{overflow="true"} 4800');
  });

  it("keep to the text format for any value of a label", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const metrics = createMetrics();
        metrics.count("ok", 1, { value });
        const [, line = "", end, more] = metrics.text().split("\n");
        expect([end, more]).toEqual(["", undefined]);
        const [, told = ""] = /^ok\{value="((?:[^"\\\n]|\\["\\n])*)"\} 1$/.exec(line) ?? [];
        const read = told.replaceAll(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
        expect(read).toBe(value.slice(0, 120).toWellFormed());
      }),
      { numRuns: 300 },
    );
  });
});
