import { describe, expect, it } from "vitest";

import { sampleSuspendedRun } from "../testing/suspended-run.ts";
import { parseSuspendedRun } from "./suspended-run.ts";

const asRead = (state: unknown): unknown => JSON.parse(JSON.stringify(state));

describe("a stored state", () => {
  it("is read as it was written", () => {
    const state = sampleSuspendedRun();
    expect(parseSuspendedRun(asRead(state))).toEqual(state);
  });

  it("keeps the arguments of a call to the letter", () => {
    const text = '{"__proto__":{"a":1},"b":2}';
    const calls = [{ callId: "c", tool: "write", arguments: JSON.parse(text) as never }];
    const state = sampleSuspendedRun({ request: { requestId: "r", kind: "approval", calls } });
    const read = parseSuspendedRun(asRead(state)).request;
    expect(read.kind === "approval" && JSON.stringify(read.calls[0]?.arguments)).toBe(text);
  });

  it.each([
    null,
    "text",
    {},
    { ...sampleSuspendedRun(), v: 2 },
    { ...sampleSuspendedRun(), messages: [{ role: "robot" }] },
    { ...sampleSuspendedRun(), iteration: -1 },
  ])("is refused when it is none: %#", (bad) => {
    expect(() => parseSuspendedRun(bad)).toThrow(expect.objectContaining({ code: "store.corrupt" }));
  });
});
