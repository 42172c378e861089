import { describe, expect, it } from "vitest";

import { fenceAfter, openAt, splitAt, unfinished } from "./markdown-cut.ts";

describe("openAt", () => {
  it.each([
    ["plain words", "plain words"],
    ["a **bold** end", "a **bold** end"],
    ["a **bol", "a "],
    ["one *", "one "],
    ["`code` and `co", "`code` and "],
    ["``a ` b`` end", "``a ` b`` end"],
    ["[text](http://x) end", "[text](http://x) end"],
    ["see [text](http:", "see "],
    ["see ![text]", "see "],
    ["list [1] of", "list [1] of"],
    ["**a [b", ""],
    [String.raw`\**, \[ and \` end`, String.raw`\**, \[ and \` end`],
    ["```py", ""],
    ["```a``` b", "```a``` b"],
    ["wow! yes", "wow! yes"],
  ])("of %j leaves %j", (line, whole) => {
    expect(line.slice(0, openAt(line, undefined))).toBe(whole);
  });
});

describe("fenceAfter", () => {
  it("opens with three marks or more, and closes with as many of the same alone on a line", () => {
    const open = fenceAfter("  ~~~~js", undefined);
    expect(open).toEqual({ marker: "~", length: 4 });
    expect([fenceAfter("~~~", open), fenceAfter("````", open), fenceAfter("~~~~ x", open)]).toEqual([
      open,
      open,
      open,
    ]);
    expect(fenceAfter("~~~~~ \r", open)).toBeUndefined();
    expect([fenceAfter("    ```", undefined), fenceAfter("``", undefined)]).toEqual([undefined, undefined]);
  });
});

describe("splitAt", () => {
  it("takes the last line, else the last word, else any place that may be cut", () => {
    expect(splitAt("one\ntwo three", 9)).toBe(4);
    expect(splitAt("one two three", 9)).toBe(8);
    expect(splitAt("abcd\u{1f600}", 5)).toBe(4);
    expect(splitAt("abc```", 5)).toBe(3);
    expect(splitAt("`````", 3)).toBe(3);
    expect(splitAt("short", 9)).toBe(5);
  });
});

describe("unfinished", () => {
  it("counts what may be the first part of something", () => {
    expect(["", "a", "a\r", "a\ud83d", "a``", "~~~", "\u{1f600}"].map(unfinished)).toEqual([
      0, 0, 1, 1, 2, 3, 0,
    ]);
  });
});
