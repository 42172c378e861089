import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newTrace, nextSpan, readTrace, traceparentOf } from "./trace-context.ts";

const id = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";

describe("readTrace", () => {
  it.each([
    [`00-${id}-${span}-01`, { traceId: id, spanId: span, flags: "01" }],
    [` 00-${id}-${span}-00 `, { traceId: id, spanId: span, flags: "00" }],
    [`cc-${id}-${span}-01-what-comes-later`, { traceId: id, spanId: span, flags: "01" }],
  ])("reads %j", (header, trace) => {
    expect(readTrace(header)).toEqual(trace);
  });

  it.each([
    undefined,
    "",
    `ff-${id}-${span}-01`,
    `00-${id}-${span}-01-more`,
    `00-${id.toUpperCase()}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${id}-${"0".repeat(16)}-01`,
    `00-${id}-${span}`,
    "00-1-2-01",
  ])("takes %j for none", (header) => {
    expect(readTrace(header)).toBeUndefined();
  });

  it("hands tracestate on as it came, and leaves out what is none", () => {
    const header = `00-${id}-${span}-01`;
    expect(readTrace(header, "a=1,b=2")?.state).toBe("a=1,b=2");
    for (const state of ["", "x".repeat(513), "a=1\r\nX: y"])
      expect(readTrace(header, state)).not.toHaveProperty("state");
  });

  it("reads whatever is written of what it read, and never fails", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (parent, state) => {
        const read = readTrace(parent, state);
        const again = read && readTrace(traceparentOf(read), read.state);
        expect(again).toEqual(read);
      }),
    );
    const trace = newTrace();
    expect(readTrace(traceparentOf(trace))).toEqual(trace);
    const next = nextSpan(trace);
    expect([next.traceId === trace.traceId, next.spanId === trace.spanId]).toEqual([true, false]);
  });
});
