import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkDecisions } from "./check-decisions.ts";

const call = (callId: string) => ({ callId, tool: "save", arguments: {} });
const two = [call("a"), call("b")];
const approve = (callId: string) => ({ callId, type: "approve" });

describe("decisions about calls", () => {
  it("are taken in any order when there is one for each", () => {
    const reject = { callId: "a", type: "reject", reason: "too much" };
    const edit = { callId: "b", type: "edit", arguments: { n: 1 } };
    const checked = checkDecisions(two, [edit, reject]);
    expect(checked.ok && [...checked.decisions.values()]).toEqual([edit, reject]);
  });

  it("need no reason to reject", () => {
    const checked = checkDecisions([call("a")], [{ callId: "a", type: "reject" }]);
    expect(checked.ok && checked.decisions.get("a")).toEqual({ callId: "a", type: "reject", reason: "" });
  });

  it.each([
    ["too few", [approve("a")], /"b" of save was not decided/],
    ["none", [], /"a" of save was not decided/],
    ["too many", [approve("a"), approve("b"), approve("c")], /No call "c" waits/],
    ["far too many", [approve("a"), approve("b"), ...Array<unknown>(1000).fill(approve("b"))], /twice/],
    ["an unknown call", [approve("a"), approve("x")], /No call "x" waits/],
    ["a call twice", [approve("a"), approve("a")], /"a" was decided twice/],
    ["an unknown type", [approve("a"), { callId: "b", type: "bogus" }], /"bogus" is no decision/],
    ["text of another kind", [approve("a"), { type: "response", args: "use staging" }], /names its call/],
    ["no objects", ["approve", null], /\{ callId, type \}/],
    ["an edit without arguments", [approve("a"), { callId: "b", type: "edit" }], /has no arguments/],
    ["a reason that is no text", [approve("a"), { callId: "b", type: "reject", reason: {} }], /must be text/],
  ])("are refused whole when there are %s", (_, decisions, problem) => {
    const checked = checkDecisions(two, decisions);
    expect(!checked.ok && checked.issues.join(" ")).toMatch(problem);
  });

  it("never pass with a call undecided, whatever comes", () => {
    const anything = fc.oneof(
      fc.record({
        callId: fc.constantFrom("a", "b", "c", "__proto__"),
        type: fc.constantFrom("approve", "edit", ""),
      }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 4 }), (decisions) => {
        const checked = checkDecisions(two, decisions);
        const decided = checked.ok ? [...checked.decisions.keys()].toSorted().join("") : "";
        expect(checked.ok ? decided === "ab" : checked.issues.length > 0).toBe(true);
      }),
    );
  });
});
